"""Plays a scenario's turns through an agent, with a recorder in between."""
from __future__ import annotations

from ..ground.errors import GatekitError
from ..runs.scenario import Scenario
from ..text.quoting import quote
from .divergence import Divergence
from .recorder import Abandoned, Recorder
from .recording import Recording
from .scrubbing import Scrubber, stands_for


class Run:
    """One run of an agent over turns: the recorder that stood in between, and the error that ended it, None where it came to its end."""

    __slots__ = ("recorder", "crash")

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.crash: BaseException | None = None

    def steps(self, agent, turns):
        """Run an agent. A generator: it yields whatever is to be awaited, and wants to be sent what that gives, or thrown what it raises."""
        recorder = self.recorder
        try:
            respond = agent(recorder.client, recorder.tools)
            if hasattr(respond, "__await__"):
                respond = yield respond
            if not callable(respond):
                raise TypeError(f"the agent's function gave a {type(respond).__name__}: it gives a function from the user's words to the reply")
            for text in turns:
                recorder.user(text)
                reply = respond(text)
                if hasattr(reply, "__await__"):
                    reply = yield reply
                recorder.assistant(reply)
                if recorder.departure is not None or recorder.fault is not None:
                    return
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except (Divergence, Abandoned) as error:
            # One that the recorder did not raise itself is the agent's own fault.
            self.crash = error if recorder.departure is None else None
        except BaseException as error:  # SystemExit too: an agent does not end the run
            self.crash = error


def recorder_for(scenario: Scenario, recording: Recording | None = None, live: bool = False, adopt: bool = False) -> Recorder:
    """A recorder around what a scenario's agent uses."""
    return Recorder(scenario.client, scenario.tools, method=scenario.method, connect=scenario.connect, recording=recording, live=live, adopt=adopt)


def turns_of(scenario: Scenario, recording: Recording) -> list:
    """The user's words of a recording. Raises GatekitError where it is one of another scenario, or the scenario has other turns by now."""
    if scenario.name != recording.scenario:
        raise GatekitError(f"the recording is one of the scenario {quote(recording.scenario)}, and not of {quote(scenario.name)}")
    recorded = [user for user, _ in recording.turns]
    clean = Scrubber().clean(list(scenario.turns))
    if len(clean) != len(recorded) or not all(stands_for(known, turn) for known, turn in zip(recorded, clean)):
        raise GatekitError(f"the turns of the scenario {quote(scenario.name)} are others than those of the recording: record it again")
    return recorded
