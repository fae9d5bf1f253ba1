"""gatekit: deterministic gates over the output of language-model steps and agents.

The subject is not deterministic; the verdict is. See README.md, and `python -m gatekit --help`.
"""
from .data.sample import Sample
from .formats.strict_json import read_json
from .golden.case import Case
from .golden.folder import load
from .golden.suite import judge
from .ground.errors import CaseError, GatekitError, GateFailed
from .judging.gate import Gate
from .judging.rates import BatchSummary
from .judging.report import Report
from .judging.rubric import Rubric
from .judging.verdict import Finding, Verdict
from .matchers.custom import matcher
from .matchers.matcher import Matcher

__all__ = [
    "BatchSummary",
    "Case",
    "CaseError",
    "Finding",
    "Gate",
    "GateFailed",
    "GatekitError",
    "Matcher",
    "Report",
    "Rubric",
    "Sample",
    "Verdict",
    "judge",
    "load",
    "matcher",
    "read_json",
]
__version__ = "0.1.0"
