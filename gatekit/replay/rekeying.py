"""Rekeying: a person accepts a rewording for the recorded answers.

Each request of the candidate that has no recorded answer takes over that of the recorded request in its place: the next of the same turn, of as many
messages from the same sides. The recording keeps the old key, the new one, what changed, the reason and the date. A candidate that asks more or fewer
requests, or calls tools otherwise, is no rewording, and nothing is written.
"""
from __future__ import annotations

from ..ground.errors import GatekitError
from ..matchers.custom import said
from .playing import Run
from .recording import Recording
from .regression import Told, change_lines, departure_lines, never_made


def rekeyed(recording: Recording, run: Run, reason: str, date: str) -> tuple:
    """`(Told, the new recording or None)`. Raises GatekitError where nothing diverged, or the run could not go on."""
    recorder, name = run.recorder, recording.scenario
    if recorder.fault is not None:
        raise recorder.fault
    more = f"rekey REFUSED ({name}): it differs in more than the wording of its requests, and nothing was written"
    if recorder.departure is not None:
        return Told("diverged", (more, *departure_lines(recorder.departure))), None
    if run.crash is not None:
        return Told("fail", (f"rekey REFUSED ({name}): the candidate crashed, and nothing was written", f"  turn {recorder.turn}: {said(run.crash)}")), None
    if not recorder.adopted:
        raise GatekitError(f"nothing diverged from the recording of {name}: there is nothing to rekey")
    missing = never_made(recording, run)
    if missing:
        return Told("diverged", (more, *(f"  never made: {words}" for words in missing))), None
    calls = list(recording.model_calls)
    decisions, lines, shown = list(recording.rekeyed), [], ()
    for place, request, changes in recorder.adopted:
        old = calls[place]
        calls[place] = {**old, "key": request.key, "request": request.parts}
        changed = [{"component": change.component, "diff": list(change.lines)} for change in changes]
        decisions.append({"call": place, "old_key": old["key"], "key": request.key, "changed": changed, "reason": reason, "date": date})
        lines.append(f"  model call {place} of turn {old['turn']}: {old['key']} became {request.key}")
        if changes != shown:
            lines += change_lines(changes)
        shown = changes
    new = Recording.of_log(name, recording.source, recording.case, recording.turns, recording.positions, calls, recording.tool_calls)
    new.rekeyed, new.judge = decisions, recording.judge
    return Told("pass", (f"rekeyed ({name}): {len(recorder.adopted)} request(s) took over a recorded answer, because: {reason} ({date})", *lines)), new
