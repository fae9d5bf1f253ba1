"""Runs the user's scenarios and agents for the commands that record and replay."""
from __future__ import annotations

import re

from ..data.redaction import Redaction
from ..ground.errors import CaseError, GatekitError, nearest
from ..ground.files import base_name, folder_of, is_folder, spelt
from ..judging.masking import read_masks
from ..matchers.custom import said
from ..replay.playing import Run
from ..replay.recorder import Recorder
from ..replay.recording import ENDING, Recording
from ..runs.running import ScenarioRun, run_steps
from ..runs.scenario import Scenario, scenario_in
from ..runs.template import Template
from ..text.quoting import quote, visible
from .candidate import aside, finish, function_named, import_module
from .options import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..runs.fixture import Fixture
    from ..runs.workflow import Workflow
    from ..runs.workflow_ledger import WorkflowLedger

_KEY = "(sha256:[0-9a-f]{64})(?![0-9a-f])"


def scenario_named(given: str) -> Scenario:
    """The scenario that `module:name` names. Raises UsageError or CaseError where there is none."""
    return _named(given, "scenario", scenario_in)


def workflow_named(given: str) -> Workflow:
    """The workflow that `module:name` names. Raises UsageError or CaseError where there is none."""
    from ..runs.workflow import Workflow

    return _named(given, "workflow", lambda module, name: _one_in(module, name, Workflow))


def template_named(given: str) -> Template:
    """The template that `module:name` names. Raises UsageError or CaseError where there is none."""
    return _named(given, "template", lambda module, name: _one_in(module, name, Template))


def fixture_named(path: str, workflow: Workflow) -> Fixture:
    """The fixture in a file. Raises GatekitError, with file and line, for one that cannot be meant."""
    from ..runs.fixture import read_fixture

    return read_fixture(path, spelt(path), workflow)


def ledger_of(path: str, workflow: Workflow, writer: str) -> WorkflowLedger:
    """The lines of a workflow in a ledger's folder. Raises the first GatekitError that is met in it: nothing goes on from what is half understood."""
    from ..runs.workflow_ledger import WorkflowLedger

    ledger = WorkflowLedger(path, workflow, writer)
    if ledger.errors:
        raise ledger.errors[0]
    return ledger


def _named(given: str, what: str, find):
    module, colon, name = given.partition(":")
    if not module or not colon or not name:
        raise UsageError(f"a {what} is MODULE:NAME, not {quote(given)}")
    try:
        return aside(lambda _: find(import_module(module), name), None)
    except (GatekitError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise UsageError(f"the {what} {quote(given)} cannot be made: {said(error)}") from None


def _one_in(module, name: str, kind: type):
    """What a module has under a name: an object of a class, or a function that gives one. Raises CaseError."""
    what, found = kind.__name__, getattr(module, name, None)
    if found is None:
        near = nearest(name, [key for key, value in vars(module).items() if isinstance(value, kind)])
        raise CaseError(f"the module {quote(module.__name__)} has no {what} {quote(name)}" + (f": did you mean {near}?" if near else ""))
    if not isinstance(found, kind) and callable(found):
        found = found()
    if not isinstance(found, kind):
        raise CaseError(f"{quote(name)} of the module {quote(module.__name__)} gives a {type(found).__name__}, and no {what}")
    return found


def scenario_of(recording: Recording, given: str | None) -> Scenario:
    """The scenario of a recording: the one that is named, else the one that it was recorded from."""
    source = given or recording.source
    if source is None:
        raise UsageError("the recording does not say where its scenario is: name it by --scenario MODULE:NAME")
    return scenario_named(source)


def agent_named(given: str | None, scenario: Scenario):
    """The agent of a candidate, by default the scenario's own."""
    return scenario.agent if given is None else aside(function_named, given)


def check_target(path: str) -> None:
    """Refuse the path of a recording that cannot be written, or would not be found again, before anything is asked for it. Raises UsageError."""
    name, leaf = spelt(path), base_name(path)
    if not leaf.endswith(ENDING):
        raise UsageError(f"the name of a recording ends with {ENDING}, so that nothing takes it for a case: {quote(name)} does not")
    if leaf.startswith("."):
        raise UsageError(f"a name that begins with a dot is passed over in a set: give {quote(name)} another")
    if not is_folder(folder_of(path)):
        raise UsageError(f"the folder of {quote(name)} is not there: make it first")
    if is_folder(path):
        raise UsageError(f"{quote(name)} is a folder: name a file")


def run_on(recorder: Recorder, agent, turns: list) -> Run:
    """Run an agent over turns."""
    run = Run(recorder)
    aside(finish, run.steps(agent, turns))
    return run


def performed(scenario: Scenario, feedback=None, sample: str = "1", attempt: int | None = None) -> ScenarioRun:
    """One run of a scenario, whether its agent is asynchronous or not."""
    ran: list = []

    def steps():
        ran.append((yield from run_steps(scenario, feedback, sample, attempt)))

    aside(finish, steps())
    return ran[0]


def shown_of(scenario: Scenario, recording: Recording, run: Run):
    """What shows a line about a run on a recording: a function that hides what the scenario masks, wherever in the two it stands."""
    masks = read_masks(scenario.masks, scenario.pii)
    if not masks:
        return Redaction().text
    curtain = Redaction((), masks).of_value([recording.turns, recording.trajectory, run.recorder.turns, run.recorder.tool_calls, run.recorder.model_calls])
    return lambda line: curtain.text(line, None)


def as_text(lines, shown=None) -> str:
    """Lines as they are printed: with nothing in them that acts, and no secret. The keys of requests only look like secrets. `shown` is that of `shown_of`."""
    shown = shown or Redaction().text
    return "".join("".join(piece if place % 2 else visible(shown(piece)) for place, piece in enumerate(re.split(_KEY, line))) + "\n" for line in lines)
