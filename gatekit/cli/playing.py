"""Runs the user's scenarios and agents for the commands that record and replay."""
from __future__ import annotations

import re

from ..data.redaction import Redaction
from ..ground.errors import GatekitError
from ..ground.files import base_name, folder_of, is_folder, spelt
from ..matchers.custom import said
from ..replay.playing import Run
from ..replay.recorder import Recorder
from ..replay.recording import ENDING, Recording
from ..runs.scenario import Scenario, scenario_in
from ..text.quoting import quote, visible
from .candidate import aside, finish, function_named, import_module
from .options import UsageError

_KEY = "(sha256:[0-9a-f]{64})(?![0-9a-f])"


def scenario_named(given: str) -> Scenario:
    """The scenario that `module:name` names. Raises UsageError or CaseError where there is none."""
    module, colon, name = given.partition(":")
    if not module or not colon or not name:
        raise UsageError(f"a scenario is MODULE:NAME, not {quote(given)}")
    try:
        return aside(lambda _: scenario_in(import_module(module), name), None)
    except (GatekitError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise UsageError(f"the scenario {quote(given)} cannot be made: {said(error)}") from None


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


def as_text(lines) -> str:
    """Lines as they are printed: with nothing in them that acts, and no secret. The keys of requests only look like secrets."""
    shown = Redaction().text
    return "".join("".join(piece if place % 2 else visible(shown(piece)) for place, piece in enumerate(re.split(_KEY, line))) + "\n" for line in lines)
