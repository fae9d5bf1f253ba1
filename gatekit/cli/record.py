"""`record` and `judge-record`: what calls a real model, or a judge, once."""
from __future__ import annotations

from ..data.conversation import Conversation
from ..ground.errors import GatekitError
from ..ground.files import is_there, spelt
from ..matchers.custom import said
from ..replay.judged import verdict_of
from ..replay.playing import recorder_for
from ..replay.recording import ENDING, read_recording, write_recording
from ..text.quoting import quote
from .candidate import aside, function_named, outcome_of
from .options import HELP_OPTION, Option, UsageError, option_lines, parse
from .playing import as_text, check_target, run_on, scenario_named

OPTIONS = {
    "record": (
        Option("--replace", None, "take the place of a recording that is there"),
        HELP_OPTION,
    ),
    "judge-record": (
        Option("--judge", "MODULE:FUNCTION", "a function of the Conversation that gives scores from 0 to 1 by dimension; needed"),
        Option("--replace", None, "take the place of a verdict that is there"),
        HELP_OPTION,
    ),
}
HELP = {
    "record": """\
usage: python -m gatekit record MODULE:SCENARIO OUT.recording.json

Run a scenario's agent with its real client and tools, and record what it asked and was answered,
without secrets.

options:
{options}

exit codes: 0 it was recorded, 4 the scenario cannot be run, its agent failed, or the file cannot be
written
""",
    "judge-record": """\
usage: python -m gatekit judge-record FILE.recording.json --judge MODULE:FUNCTION

Call a judge once on a recorded conversation, and keep its scores in the recording.
`regress --judge` shows them.

options:
{options}

exit codes: 0 the verdict was recorded, 4 something could not be read or the judge failed
""",
}


def record(words: list) -> tuple:
    """Run `record`; gives the exit code and what is to be printed."""
    given, paths = parse(words, OPTIONS["record"])
    if given["help"]:
        return 0, HELP["record"].format(options="\n".join(option_lines(OPTIONS["record"])))
    if len(paths) != 2:
        raise UsageError(f"name a scenario and a file: python -m gatekit record MODULE:SCENARIO OUT{ENDING}")
    source, path = paths
    name = spelt(path)
    check_target(path)
    if is_there(path) and not given["replace"]:
        raise UsageError(f"{quote(name)} is there already: name another file, or say --replace")
    scenario = scenario_named(source)
    run = run_on(recorder_for(scenario), scenario.agent, list(scenario.turns))
    recorder = run.recorder
    if recorder.fault is None and run.crash is not None:
        raise GatekitError(f"the agent of the scenario {quote(scenario.name)} crashed on turn {recorder.turn}, and nothing was recorded: {said(run.crash)}")
    recording = recorder.recording(scenario.name, source, scenario.case)
    if not recording.model_calls and not recording.tool_calls:
        raise GatekitError(
            f"the agent of the scenario {quote(scenario.name)} asked no model and called no tool through what it was given, so there is nothing to replay: "
            "it uses `client` and `tools`, the arguments that it is made with, and no others"
        )
    write_recording(path, recording, name)
    turns, asked, made = len(recording.turns), len(recording.model_calls), len(recording.tool_calls)
    return 0, as_text([f"recorded {name} ({scenario.name}): {turns} turn(s), {asked} model call(s), {made} tool call(s)"])


def judge_record(words: list) -> tuple:
    """Run `judge-record`; gives the exit code and what is to be printed."""
    given, paths = parse(words, OPTIONS["judge-record"])
    if given["help"]:
        return 0, HELP["judge-record"].format(options="\n".join(option_lines(OPTIONS["judge-record"])))
    if len(paths) != 1 or not given["judge"]:
        raise UsageError(f"name a recording and a judge: python -m gatekit judge-record FILE{ENDING} --judge MODULE:FUNCTION")
    name = spelt(paths[0])
    recording = read_recording(paths[0], name)
    if recording.judge is not None and not given["replace"]:
        raise UsageError(f"{quote(name)} has a judge's verdict already: say --replace to take its place")
    function = function_named(given["judge"], "--judge")
    conversation = Conversation.from_messages(recording.trajectory)
    try:
        scores = aside(lambda given: outcome_of(function, given), conversation)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise GatekitError(f"the judge failed: {said(error)}") from None
    recording.judge = verdict_of(scores, given["judge"], recording)
    write_recording(paths[0], recording, name)
    return 0, as_text([f"recorded in {name}: a verdict by {given['judge']} in {len(recording.judge['scores'])} dimension(s)"])
