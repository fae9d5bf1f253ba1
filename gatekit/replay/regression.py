"""What a candidate's run on a recording comes to.

    the run                                                   outcome
    something could not be recorded or asked                  error
    a call had no recorded answer                             diverged: no invariant is evaluated
    the agent crashed, or said and did nothing on a turn      fail: it counts against it
    an invariant crashed                                      error
    an invariant is violated                                  fail
    an invariant could not tell, none is registered           inconclusive
    all hold only because what they are about never came      inconclusive
    all hold                                                  pass

A judge's recorded verdict advises; only where it gates can it make a pass a fail, or inconclusive.
"""
from __future__ import annotations

from ..data.reading import is_blank
from ..ground.record import Record
from ..judging.rates import EXIT_CODES
from ..invariants.custom import OUTCOMES
from ..invariants.results import results
from ..matchers.custom import said
from ..runs.scenario import Scenario
from ..text.word_diff import word_diff
from .divergence import Departure
from .judged import advice
from .playing import Run
from .recording import Recording

_GATED = {"fail": "FAILED ({title}): the judge's scores are below the threshold", "inconclusive": "INCONCLUSIVE ({title}): no judge's verdict is on this conversation"}
_MEND = "  to go on: --policy live makes the missing calls for real, rekey accepts a rewording for the recorded ones, record makes a new recording"
_SAME = "  to go on: an agent replays that asks the same on every run, with no clock and nothing random in it; one that was changed on purpose is recorded again"
DISCLAIMER = "A pass means that the declared invariants held on this recording. It is no proof that an answer is right."


class Told(Record):
    """The outcome of a command, and the lines that say it. A line's deeper ones are indented already."""

    __slots__ = ("outcome", "lines")

    def __init__(self, outcome: str, lines: tuple) -> None:
        self._set(outcome, tuple(lines))

    @property
    def exit_code(self) -> int:
        """The exit code of the outcome."""
        return EXIT_CODES[self.outcome]


def regression(scenario: Scenario, recording: Recording, run: Run, judge: bool = False, judge_gate: bool = False, threshold: object = "0.5") -> Told:
    """What a candidate's run comes to. Raises GatekitError where the run could not go on for a reason that is not the agent's."""
    recorder = run.recorder
    if recorder.fault is not None:
        raise recorder.fault
    title = scenario.name + (", live" if recorder.live_calls else "")
    about = _asides(recording, run)
    if recorder.departure is not None:
        count = len(scenario.invariants)
        first = f"regress DIVERGED ({title}): {_many(count, 'invariant')} not evaluated" if count else f"regress DIVERGED ({title})"
        return Told("diverged", (first, *departure_lines(recorder.departure), *about, _MEND))
    if run.crash is not None:
        first = f"regress FAILED ({title}): the candidate crashed, {_many(len(scenario.invariants), 'invariant')} not evaluated"
        return Told("fail", (first, f"  turn {recorder.turn}: {said(run.crash)}", *about))
    silent = _silent(recording, run)
    if silent:
        first = f"regress FAILED ({title}): the candidate said and did nothing on {silent}, {_many(len(scenario.invariants), 'invariant')} not evaluated"
        return Told("fail", (first, *about))
    outcome, lines = _held(scenario, run, title)
    if judge or judge_gate:
        verdict, advised = advice(recording, recorder.conversation, threshold, judge_gate)
        if verdict is not None and outcome == "pass":
            outcome, lines = verdict, [f"regress {_GATED[verdict].format(title=title)}, {_many(len(scenario.invariants), 'invariant')} held", *lines[1:]]
        about = [*advised, *about]
    return Told(outcome, (*lines, *about, DISCLAIMER))


def reproduction(recording: Recording, run: Run) -> Told:
    """Whether a scenario's own agent does again what was recorded."""
    recorder = run.recorder
    if recorder.fault is not None:
        raise recorder.fault
    about = _asides(recording, run)
    name = recording.scenario
    if recorder.departure is not None:
        return Told("diverged", (f"replay DIVERGED ({name})", *departure_lines(recorder.departure), *about, _SAME))
    if run.crash is not None:
        return Told("fail", (f"replay FAILED ({name}): the agent crashed", f"  turn {recorder.turn}: {said(run.crash)}", *about))
    unlike = []
    for number, ((_, old), (_, new)) in enumerate(zip(recording.turns, recorder.turns)):
        if old != new:
            unlike += [f"  turn {number}: the reply is another than the recorded one", *(f"    {line}" for line in word_diff(old or "", new or ""))]
    unlike += [f"  {words}" for words in recorder.moved]
    if unlike or never_made(recording, run):
        return Told("diverged", (f"replay DIVERGED ({name}): it is not what was recorded", *unlike, *about, _SAME))
    count = len(recording.turns)
    if recorder.conversation.given != recording.trajectory:
        about = ["  differs, and is no divergence: the tool calls of a turn came in another order, as calls do that are made at once", *about]
    return Told("pass", (f"replay OK ({name}): {count} turn{'s' * (count != 1)} reproduced offline, zero network", *about))


def departure_lines(departure: Departure) -> list:
    """Where a run left its recording, as lines."""
    lines = [f"  turn {departure.turn}: {departure.what}"]
    if departure.nearest is not None:
        lines.append(f"  nearest recorded: {departure.nearest}")
    return lines + change_lines(departure.changes)


def change_lines(changes: tuple) -> list:
    """What changed, as lines."""
    lines = []
    for change in changes:
        lines.append(f"  changed: {change.component}")
        lines += [f"    {line}" for line in change.lines]
    return lines


def _held(scenario: Scenario, run: Run, title: str) -> tuple:
    if not scenario.invariants:
        return "inconclusive", [f"regress INCONCLUSIVE ({title}): no invariant is registered, so nothing was evaluated"]
    found = results(scenario.invariants, run.recorder.conversation, run.recorder.usage)
    of = {outcome: [result for result in found if result.outcome == outcome] for outcome in OUTCOMES}
    told = [f"  {result.name}: {result.detail}" if result.detail else f"  {result.name}" for result in (*of["error"], *of["fail"], *of["unknown"])]
    many = _many(len(found), "invariant")
    if of["error"]:
        return "error", [f"regress ERROR ({title}): {len(of['error'])} of {many} could not be evaluated", *told]
    if of["fail"]:
        return "fail", [f"regress FAILED ({title}): {len(of['fail'])} of {many} violated", *told]
    if of["unknown"]:
        return "inconclusive", [f"regress INCONCLUSIVE ({title}): {len(of['unknown'])} of {many} could not tell", *told]
    idle = [f"  {result.name}: {result.detail}" for result in of["idle"]]
    if len(idle) == len(found):
        return "inconclusive", [f"regress INCONCLUSIVE ({title}): {many} held only because what they are about never came", *idle]
    return "pass", [f"regress OK ({title}): {many} held", *(f"{line}: nothing was asked of it" for line in idle)]


def _silent(recording: Recording, run: Run) -> str:
    """The turns on which a candidate neither said nor did anything, where the recorded agent did; in words, empty where there is none."""
    acted = {call["turn"] for call in run.recorder.tool_calls}
    turns = zip(recording.turns, run.recorder.turns)
    silent = [str(number) for number, ((_, old), (_, new)) in enumerate(turns) if is_blank(new) and not is_blank(old) and number not in acted]
    return f"turn{'s' * (len(silent) > 1)} {', '.join(silent)}" if silent else ""


def _asides(recording: Recording, run: Run) -> list:
    recorder = run.recorder
    missing = never_made(recording, run)
    if recorder.departure is not None and missing:  # from there on it could make none
        lines = [f"  never made: {len(missing)} of {len(recording.model_calls) + len(recording.tool_calls)} recorded calls"]
    else:
        lines = [f"  never made: {words}" for words in missing]
    lines += [f"  differs, and is no divergence: {words}" for words in recorder.notes]
    if recorder.live_calls:
        made = len(recorder.model_calls) + len(recorder.tool_calls)
        lines.append(f"  live: {recorder.live_calls} of {made} calls were answered by the real client or tool, so the result may be another next time")
    return lines


def never_made(recording: Recording, run: Run) -> list:
    """The recorded calls that a run did not make, in words. Those that were added live are none of the recorded conversation's."""
    used = run.recorder.used
    calls = [("model", place, call, "") for place, call in enumerate(recording.model_calls)]
    calls += [("tool", place, call, f": {call['name']}") for place, call in enumerate(recording.tool_calls)]
    return [f"{kind} call {place} of turn {call['turn']}{name}" for kind, place, call, name in calls if (kind, place) not in used and "added" not in call]


def _many(count: int, what: str) -> str:
    return f"{count} {what}(s)"
