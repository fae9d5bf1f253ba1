"""The captured samples of a set one by one: a verdict on each, for a test of its own.

What is told is what the report on the set counts: of several attempts at one sample the first, and any other that breaks a rule with a veto; no sample of a
deprecated case, and none of a job that a person rejected. What people decided, and recorded vectors, are taken in as they are there.
"""
from __future__ import annotations

from ..data.sample import Sample
from ..ground.errors import GatekitError
from ..judging.judge import Judge
from ..judging.tally import there_twice
from ..text.quoting import quote
from .folder import Folder, places
from .suite import Selection, Suite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..judging.verdict import Verdict


class Kept:
    """Stands in the place of a Tally, and keeps the verdict on every sample of a case. The secrets of each sample are numbered by themselves."""

    __slots__ = ("_judge", "_decide", "_attempts")

    def __init__(self, judge: Judge, thresholds: object, redaction: object, verbose: bool, decide, alone: bool) -> None:
        self._judge = judge
        self._decide = decide
        self._attempts: dict = {}  # by sample, by attempt: (the verdict, whether a person took it out)

    def add(self, sample: Sample) -> None:
        """Judge a sample. Raises CaseError for an attempt that was judged before."""
        attempts = self._attempts.setdefault(sample.fields["sample"], {})
        number = sample.fields.get("attempt", 1)
        if number in attempts:
            raise there_twice(sample)
        verdict = self._judge.clean_pass(sample) if self._judge.holds(sample) else self._judge.verdict(sample, decide=self._decide)
        attempts[number] = (verdict, sample.fields.get("case_verdict") == "rejected")

    @property
    def faults(self) -> dict:
        """The errors of rules that could not be judged, each once, by what they say."""
        return {str(fault): fault for attempts in self._attempts.values() for verdict, _ in attempts.values() for fault in verdict.faults}

    def verdicts(self) -> list:
        """The verdicts that count, in the order in which the samples came."""
        found = []
        for attempts in self._attempts.values():
            first = min(attempts)
            found += [verdict for number, (verdict, is_out) in sorted(attempts.items(), key=_number) if not is_out and (number == first or verdict.vetoed)]
        return found


def _number(attempt: tuple) -> int:
    return attempt[0]


def verdicts(*paths: str) -> list[Verdict]:
    """The verdict on each captured sample below some folders or in some files, the cases in the order of their files: for a test of each, by its `require`.

    Each is the one that `judge` counts, and knows its `case`, its `sample`, and both in its `id`. A failure rate is one of many, which
    `judge(...).require()` holds.

    Raises GatekitError, with file and line, for the first thing that cannot be read or meant; and where there is no case, or one without a sample that
    counts: the list is never empty, and no case is missing from it in silence.
    """
    suite = Suite(Folder([str(path) for path in paths]), Selection(), tally=Kept)
    suite.add_all()
    found: list = []
    for case, kept in suite.counted():
        own = kept.verdicts()
        if not own:
            raise GatekitError(f"the case {quote(case.id)} has no captured sample that counts, so nothing would be tested by it", file=case.file)
        found += own
    if not found:
        raise GatekitError(f"there is no case that gates below {places(paths)}")
    return found
