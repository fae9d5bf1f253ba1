"""gatekit: deterministic gates over the output of language-model steps and agents.

The subject is not deterministic; the verdict is. See README.md, and `python -m gatekit --help`.

A public name is imported from its module when it is first asked for, so that a program starts with no more than it uses.
"""

__version__ = "0.1.0"

# Public name: the module that it comes from.
_HOMES = {
    "BatchSummary": "judging.rates",
    "Case": "golden.case",
    "CaseError": "ground.errors",
    "Conversation": "data.conversation",
    "Corpus": "runs.history",
    "Divergence": "replay.divergence",
    "Finding": "judging.verdict",
    "Gate": "judging.gate",
    "GateFailed": "ground.errors",
    "GatekitError": "ground.errors",
    "InvariantResult": "invariants.custom",
    "Job": "runs.history",
    "JsonSchema": "formats.json_schema",
    "Ledger": "runs.ledger",
    "Matcher": "matchers.matcher",
    "Recorder": "replay.recorder",
    "Report": "judging.report",
    "Rubric": "judging.rubric",
    "Sample": "data.sample",
    "Scenario": "runs.scenario",
    "ScenarioRun": "runs.running",
    "Shard": "runs.shards",
    "Step": "runs.step",
    "Template": "runs.template",
    "Verdict": "judging.verdict",
    "Workflow": "runs.workflow",
    "WorkflowRun": "runs.workflow_run",
    "WorkflowStep": "runs.workflow",
    "invariant": "invariants.custom",
    "judge": "golden.suite",
    "load": "golden.folder",
    "matcher": "matchers.custom",
    "read_jobs": "runs.history",
    "read_json": "data.given",
    "read_yaml": "data.given",
    "replay_corpus": "runs.history",
    "run_scenario": "runs.running",
    "run_scenario_async": "runs.running",
    "scenario": "runs.scenario",
    "scenario_from_job": "runs.history",
    "verdicts": "golden.captured",
}
__all__ = list(_HOMES)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .data.conversation import Conversation as Conversation
    from .data.given import read_json as read_json
    from .data.given import read_yaml as read_yaml
    from .data.sample import Sample as Sample
    from .formats.json_schema import JsonSchema as JsonSchema
    from .golden.captured import verdicts as verdicts
    from .golden.case import Case as Case
    from .golden.folder import load as load
    from .golden.suite import judge as judge
    from .ground.errors import CaseError as CaseError
    from .ground.errors import GateFailed as GateFailed
    from .ground.errors import GatekitError as GatekitError
    from .invariants.custom import invariant as invariant
    from .invariants.custom import InvariantResult as InvariantResult
    from .judging.gate import Gate as Gate
    from .judging.rates import BatchSummary as BatchSummary
    from .judging.report import Report as Report
    from .judging.rubric import Rubric as Rubric
    from .judging.verdict import Finding as Finding
    from .judging.verdict import Verdict as Verdict
    from .matchers.custom import matcher as matcher
    from .matchers.matcher import Matcher as Matcher
    from .replay.divergence import Divergence as Divergence
    from .replay.recorder import Recorder as Recorder
    from .runs.history import Corpus as Corpus
    from .runs.history import Job as Job
    from .runs.history import read_jobs as read_jobs
    from .runs.history import replay_corpus as replay_corpus
    from .runs.history import scenario_from_job as scenario_from_job
    from .runs.ledger import Ledger as Ledger
    from .runs.running import run_scenario as run_scenario
    from .runs.running import run_scenario_async as run_scenario_async
    from .runs.running import ScenarioRun as ScenarioRun
    from .runs.scenario import Scenario as Scenario
    from .runs.scenario import scenario as scenario
    from .runs.shards import Shard as Shard
    from .runs.step import Step as Step
    from .runs.template import Template as Template
    from .runs.workflow import Workflow as Workflow
    from .runs.workflow import WorkflowStep as WorkflowStep
    from .runs.workflow_run import WorkflowRun as WorkflowRun


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"gatekit has no {name}")
    value = globals()[name] = getattr(__import__(f"{__name__}.{_HOMES[name]}", fromlist=[name]), name)
    return value


def __dir__() -> list:
    return sorted([*globals(), *__all__])
