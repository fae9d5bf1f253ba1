"""`replay`, `regress` and `rekey`: what is done with a recording, offline."""
from __future__ import annotations

from ..golden.lint import is_date
from ..ground.files import is_there, same_file, spelt
from ..replay.extending import extended
from ..replay.judged import THRESHOLD, read_threshold
from ..replay.playing import recorder_for, turns_of
from ..replay.recording import ENDING, read_recording, write_recording
from ..replay.regression import regression, reproduction
from ..replay.rekeying import rekeyed
from ..replay.scrubbing import holds_secret
from ..text.quoting import quote
from .options import HELP_OPTION, Option, UsageError, option_lines, parse
from .playing import agent_named, as_text, check_target, run_on, scenario_of, shown_of

_SCENARIO = Option("--scenario", "MODULE:NAME", "the scenario, where it is not where it was recorded from")
_CANDIDATE = Option("--candidate", "MODULE:AGENT", "the agent to run, by default the scenario's own")
POLICIES = ("offline", "live")
OPTIONS = {
    "replay": (_SCENARIO, HELP_OPTION),
    "regress": (
        _CANDIDATE,
        _SCENARIO,
        Option("--policy", "POLICY", "a call without a recorded answer diverged (offline, the default), or is made for real, tools too (live)", False, POLICIES),
        Option("--save", "NEW", f"with --policy live: write the recording with the live answers added to a new file (NEW{ENDING})"),
        Option("--judge", None, "show the recorded judge's verdict; it advises"),
        Option("--judge-gate", None, "let that verdict change the exit code"),
        Option("--judge-threshold", "NUMBER", f"what its scores are compared with, from 0 to 1: {THRESHOLD} by default, which is a choice and no finding"),
        HELP_OPTION,
    ),
    "rekey": (
        _CANDIDATE,
        _SCENARIO,
        Option("--reason", "TEXT", "why the recorded answers still stand; needed, and kept"),
        Option("--date", "YYYY-MM-DD", "the day of that decision (there is no clock here); needed, and kept"),
        HELP_OPTION,
    ),
}
HELP = {
    "replay": """\
usage: python -m gatekit replay FILE.recording.json

Run a scenario's own agent on its recording, and see whether it does again what was recorded.
Nothing is asked of a model, and no tool is called.

options:
{options}

exit codes: 0 reproduced, 1 the agent crashed, 3 it does something else,
4 something could not be read
""",
    "regress": """\
usage: python -m gatekit regress FILE.recording.json [--candidate MODULE:AGENT]

Run a changed agent on a recording, and hold what it does to the scenario's invariants.

options:
{options}

exit codes:
  0  all invariants hold
  1  one is violated, or the agent crashed
  2  none was evaluated, or one could not tell
  3  the agent left the recording, so no invariant was evaluated
  4  something could not be read
""",
    "rekey": """\
usage: python -m gatekit rekey FILE.recording.json --reason TEXT --date YYYY-MM-DD
                               [--candidate MODULE:AGENT]

Accept a rewording: each request of the agent that has no recorded answer takes over that of the
recorded request in its place. What changed, the old keys, the reason and the date are kept in the
recording.

options:
{options}

exit codes: 0 rekeyed, 1 the agent crashed, 3 it differs in more than its requests' wording,
4 nothing diverged, or bad usage
""",
}


def replay(words: list) -> tuple:
    """Run `replay`; gives the exit code and what is to be printed."""
    given, path, name = _begun("replay", words)
    if path is None:
        return 0, name
    recording = read_recording(path, name)
    scenario = scenario_of(recording, given["scenario"])
    run = run_on(recorder_for(scenario, recording), scenario.agent, turns_of(scenario, recording))
    return _told(reproduction(recording, run), shown_of(scenario, recording, run))


def regress(words: list) -> tuple:
    """Run `regress`; gives the exit code and what is to be printed."""
    given, path, name = _begun("regress", words)
    if path is None:
        return 0, name
    live = given["policy"] == "live"
    if given["judge_threshold"] is not None and not (given["judge"] or given["judge_gate"]):
        raise UsageError("--judge-threshold goes with --judge or --judge-gate")
    threshold = given["judge_threshold"] or THRESHOLD
    read_threshold(threshold)
    if given["save"] is not None:
        if not live:
            raise UsageError("--save goes with --policy live: offline nothing new is recorded")
        check_target(given["save"])
        if is_there(given["save"]) or same_file(given["save"], path):
            raise UsageError(f"{quote(spelt(given['save']))} is there already: --save names a new file, nothing is overwritten")
    recording = read_recording(path, name)
    scenario = scenario_of(recording, given["scenario"])
    agent = agent_named(given["candidate"], scenario)
    run = run_on(recorder_for(scenario, recording, live), agent, turns_of(scenario, recording))
    told = regression(scenario, recording, run, given["judge"], given["judge_gate"], threshold)
    code, text = _told(told, shown_of(scenario, recording, run))
    if given["save"] is not None:
        write_recording(given["save"], extended(recording, run.recorder), spelt(given["save"]))
        text += as_text([f"saved {spelt(given['save'])}: {run.recorder.live_calls} live call(s) added"])
    return code, text


def rekey(words: list) -> tuple:
    """Run `rekey`; gives the exit code and what is to be printed."""
    given, path, name = _begun("rekey", words)
    if path is None:
        return 0, name
    if not (given["reason"] or "").strip():
        raise UsageError("say why the recorded answers still stand: --reason TEXT")
    kind = holds_secret(given["reason"])
    if kind is not None:
        raise UsageError(f"the reason holds a secret ({kind}), and is kept in the recording: say it without")
    if given["date"] is None or not is_date(given["date"]):
        raise UsageError("name the day of the decision: --date 2026-01-31")
    recording = read_recording(path, name)
    scenario = scenario_of(recording, given["scenario"])
    agent = agent_named(given["candidate"], scenario)
    run = run_on(recorder_for(scenario, recording, adopt=True), agent, turns_of(scenario, recording))
    told, made = rekeyed(recording, run, given["reason"], given["date"])
    if made is not None:
        write_recording(path, made, name)
    return _told(told, shown_of(scenario, recording, run))


def _begun(command: str, words: list) -> tuple:
    """The options, the path of the recording and its name; or None and the help."""
    given, paths = parse(words, OPTIONS[command])
    if given["help"]:
        return given, None, HELP[command].format(options="\n".join(option_lines(OPTIONS[command])))
    if len(paths) != 1:
        raise UsageError(f"name one recording: python -m gatekit {command} FILE{ENDING}")
    return given, paths[0], spelt(paths[0])


def _told(told, shown) -> tuple:
    return told.exit_code, as_text(told.lines, shown)
