"""A step as its agent sees it: what it is given to work with, and how it gives back what it made.

    def synthesize(step):
        answer = step.client(model="m-1", messages=[{"role": "user", "content": step.prompt(f"Sum up: {step.inputs}")}])
        return step.finish(answer["text"], sources=step.inputs["sources"])
"""
from __future__ import annotations

from ..data.sample import Sample
from ..ground.canonical import json_copy
from ..ground.errors import CaseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .template import Template

# What a runner knows of a sample, and an agent does not decide: it would choose what counts.
STAMPED = ("case", "sample", "attempt", "feedback", "source_job_id", "case_verdict", "label")


class Step:
    """What the agent of a step is called with.

    name: the scenario's. inputs: a JSON value of the agent's own. requirements, feedback: texts. template: the Template, or None.
    client: what asks the model, None where the scenario has none. tools: functions by name. sample, attempt: the run's id, and the number of the attempt.

    The output is what the agent returns, or what it gives to `finish`: text, a JSON value, or a sample's mapping.
    """

    __slots__ = ("name", "inputs", "requirements", "feedback", "template", "client", "tools", "sample", "attempt", "notes", "finished", "_recorder")

    name: str
    inputs: object
    requirements: tuple[str, ...]
    feedback: tuple[str, ...]
    template: Template | None
    client: object
    tools: dict[str, Callable[..., object]]
    sample: str
    attempt: int

    def __init__(self, scenario, recorder, feedback: tuple, sample: str, attempt: int) -> None:
        self.name = scenario.name
        self.inputs = json_copy(scenario.inputs)
        self.requirements = scenario.requirements
        self.feedback = feedback
        self.template = scenario.template
        self.client = recorder.client if scenario.client is not None or scenario.connect is not None else None
        self.tools = recorder.tools
        self.sample = sample
        self.attempt = attempt
        self.notes: list = []  # (how many calls were made before, the entry)
        self.finished: Sample | None = None
        self._recorder = recorder

    def prompt(self, prompt: object, response: object = None) -> object:
        """Keep a prompt for who looks at the run (`step --show-prompt`), with its response if that is known already; gives the prompt.

        For a model that is not asked through `client`: what is asked there is kept anyway.
        """
        before = len(self._recorder.model_calls) + len(self._recorder.tool_calls)
        self.notes.append((before, {"kind": "prompt", "prompt": prompt, "response": response}))
        return prompt

    def response(self, response: object) -> object:
        """Keep the response to the last prompt; gives the response."""
        if not self.notes:
            raise CaseError("there is no prompt yet that this could be the response to: step.prompt(...) keeps one")
        self.notes[-1][1]["response"] = response
        return response

    def finish(self, output: object = None, **recorded: object) -> Sample:
        """Give the output, and what was recorded with it: `usage`, `sources`, `finish_reason`, `model`, and the other fields of a sample.

        Raises CaseError for a field that a sample lacks or that is not the agent's to set, and where the step was finished before.
        """
        if self.finished is not None:
            raise CaseError("the step is finished already: finish it once")
        for name in recorded:
            if name in STAMPED:
                raise CaseError(f"{name} is set by who runs the step: leave it out", path=(name,))
        if not recorded:
            self.finished = Sample.of(output)
        else:
            self.finished = Sample.from_dict({"output": output, **recorded})
        return self.finished

    def log(self) -> tuple:
        """What was asked and answered, in order: mappings of the `kind` prompt, model or tool."""
        calls = log_of(self._recorder)
        made: list = []
        done = 0
        for before, note in self.notes:
            made += [*calls[done:before], note]
            done = before
        return (*made, *calls[done:])

    def __repr__(self):
        return f"Step({self.name!r}, sample={self.sample!r})"


def log_of(recorder) -> list:
    """The calls that went through a recorder, in order."""
    tools = list(recorder.tool_calls)
    made: list = []
    for number in range(len(recorder.model_calls) + 1):
        made += [_tool_entry(call) for call in tools if call["after"] == number]
        if number < len(recorder.model_calls):
            call = recorder.model_calls[number]
            made.append({"kind": "model", "request": call["request"], **_answer(call, "response")})
    return made


def _tool_entry(call: dict) -> dict:
    return {"kind": "tool", "name": call["name"], "arguments": call["arguments"], **_answer(call, "result")}


def _answer(call: dict, name: str) -> dict:
    return {part: call[part] for part in (name, "stream", "failed") if part in call}
