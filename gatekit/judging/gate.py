"""A gate: rules, how outputs are read, and the thresholds that a batch of samples is held to."""
from __future__ import annotations

from ..data.given import sample_of
from ..ground.errors import GateFailed
from ..ground.record import Record
from ..matchers.matcher import Matcher
from .judge import Judge
from .rates import Thresholds
from .report import Report
from .rubric import Rubric, rules_of
from .tally import judge_all
from .verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Gate(Record):
    """Judges outputs by rules.

    `rules` are Rubrics and Matchers. `max_failure_rate` (0 by default), `max_transient` (0.2), `min_judged` (1), `rounding` and `confidence` (none) hold a
    batch; rates are shares from 0 to 1, best given as text ("0.01" or "1%"). `reasoning` is None, "keep" or "strip"; `allow_empty` lets an
    empty output be judged. `masks` are patterns by name ({"order": "ORD-[0-9]+"}): what one finds is shown as `<order 1>` wherever the gate says something;
    `pii` are ready masks, of "email", "phone", "card" and "iban". Raises CaseError for a rule or setting that cannot be meant.

    A gate does not change, its rules are compiled once, and it can be pickled.
    """

    __slots__ = ("rules", "judging", "thresholds")
    rules: tuple[Rubric | Matcher, ...]
    judging: Judge
    thresholds: Thresholds

    def __init__(
        self,
        *rules: Rubric | Matcher,
        max_failure_rate: object = 0,
        max_transient: object = "0.2",
        min_judged: int = 1,
        rounding: bool = False,
        confidence: object = None,
        reasoning: str | None = None,
        allow_empty: bool = False,
        masks: Mapping[str, str] | None = None,
        pii: Sequence[str] | None = None,
    ) -> None:
        hidden = ()
        if masks is not None or pii is not None:
            from .masking import read_masks

            hidden = read_masks(masks, pii)
        thresholds = Thresholds(max_failure_rate, max_transient, min_judged, rounding, confidence)
        self._set(tuple(rules), Judge(rules_of(rules), reasoning, allow_empty, masks=hidden), thresholds)

    def check(self, output: object) -> Verdict:
        """The verdict on one output: text, a JSON value, a Sample, or a sample's mapping. Raises CaseError for what is none of these."""
        sample = sample_of(output)
        return self.judging.clean_pass(sample) if self.judging.holds(sample) else self.judging.verdict(sample)

    def require(self, output: object) -> None:
        """For tests: raise GateFailed, an AssertionError with the reasons, unless the output passes."""
        __tracebackhide__ = True  # pytest ends its traceback in the line of the test
        verdict = self.check(output)
        if not verdict.passed:
            raise GateFailed(str(verdict))

    def judge(self, samples: Iterable[object]) -> Report:
        """The report on many outputs; each may be whatever `check` takes. Samples without an id are numbered from 1.

        A sample that cannot be read is an error of the report, and the others are still judged.
        """
        return judge_all(self.judging, self.thresholds, samples, "gate")

    def __repr__(self):
        return f"Gate({', '.join(map(repr, self.rules))})"

    def __reduce__(self):
        settings = {name: getattr(self.thresholds, name) for name in Thresholds.__slots__}
        from .masking import as_given

        masks = as_given(self.judging.masks)
        return _rebuild, (self.rules, {**settings, "reasoning": self.judging.reasoning, "allow_empty": self.judging.allow_empty, **masks})


def _rebuild(rules: tuple, settings: dict) -> Gate:
    return Gate(*rules, **settings)
