"""A recording with the answers added that were asked live."""
from __future__ import annotations

from .recorder import Recorder
from .recording import Recording


def extended(recording: Recording, recorder: Recorder) -> Recording:
    """A recording and, behind its own calls, those of a run that were answered live. Its conversation, keys and verdict stay what they are.

    Raises GatekitError where a secret cannot be taken out of what is new.
    """
    fresh = [call for call in recorder.model_calls if call.get("added") and call.keys() & {"response", "stream", "failed"}]
    made = [call for call in recorder.tool_calls if call.get("added") and call.keys() & {"result", "stream", "failed"}]
    new = Recording.of_log(
        recording.scenario, recording.source, recording.case, recording.turns, recording.positions, recording.model_calls + fresh, recording.tool_calls + made
    )
    new.rekeyed, new.judge = recording.rekeyed, recording.judge
    return new
