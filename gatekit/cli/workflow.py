"""`workflow`: run a whole workflow many times, with a script in the operator's place, and hold it to its failure rate."""
from __future__ import annotations

from ..golden.settings import thresholds
from ..ground.errors import GatekitError
from ..ground.files import files_in, is_folder, spelt
from ..reports.catalogue import Style
from ..reports.text_report import fitted
from ..runs.batch import MOST_RUNS
from ..runs.fixture import Fixture, play
from ..runs.workflow_report import WorkflowTally
from ..runs.workflow_run import WorkflowRun, redaction_of
from .main import complain
from .options import HELP_OPTION, Option, UsageError, option_lines, parse, whole_number
from .playing import as_text, fixture_named, ledger_of, performed, workflow_named
from .reporting import REPORTING, STOPPING, Progress, delivered, most_failures, refuse_overwriting, report_targets, style_of

OPTIONS = (
    Option("-n", "N", "how many runs: 1, where nothing is said"),
    Option("--fixture", "FILE", "what each run is given, and what the script decides in it (YAML or JSON)"),
    Option("--ledger", "DIR", "keep answers and decisions in this folder, and go on from what is kept there"),
    Option("--max-failure-rate", "RATE", "the share of runs that may fail, in the place of the workflow's own"),
    *STOPPING,
    *REPORTING,
    HELP_OPTION,
)
HELP = """\
usage: python -m gatekit workflow MODULE:WORKFLOW [-n N] [--fixture FILE]

Run a whole workflow N times. A scripted operator decides through the same calls as a person: by
the fixture first; after that it approves what passed its checks, and rejects what did not with what
failed as the reason. One run is one sample: it passes if it is submitted and all of its steps
passed. What a person decides (human_review) is approved so that the run goes on, and is not
settled: a script is no person.

options:
{options}

exit codes: as of a batch: 0 pass, 1 fail, 2 inconclusive,
4 something could not be read or kept, or it was interrupted
"""


def workflow(words: list) -> tuple:
    """Run `workflow`; gives the exit code and what is to be printed."""
    given, rest = parse(words, OPTIONS)
    if given["help"]:
        return 0, HELP.format(options="\n".join(option_lines(OPTIONS)))
    if len(rest) != 1:
        raise UsageError("name a workflow: python -m gatekit workflow MODULE:WORKFLOW -n 100")
    count = 1 if given["n"] is None else whole_number("-n", given["n"], 1, MOST_RUNS)
    style, reports, most = style_of(given), report_targets(given["report"]), most_failures(given)
    found = workflow_named(rest[0])
    fixture = fixture_named(given["fixture"], found) if given["fixture"] else Fixture()
    refuse_overwriting(reports, [path for path in (given["fixture"], *_files_of(given["ledger"])) if path])
    held_to = found.thresholds if given["max_failure_rate"] is None else thresholds({**found.gate, "max_failure_rate": given["max_failure_rate"]})
    redaction = redaction_of(found)
    ledger = ledger_of(given["ledger"], found, "workflow") if given["ledger"] else None
    for note in ledger.notes if ledger else ():
        complain(note, "note")
    tally = WorkflowTally(found, held_to, redaction, given["verbose"], most)

    def play_one(name: str) -> None:
        kept = {"record": ledger.append, "past": ledger.past(name)} if ledger else {}
        run = WorkflowRun(found, fixture.inputs, name, operator=fixture.operator, scripted=True, perform=performed, redaction=redaction, verbose=given["verbose"], **kept)
        play(run, fixture)
        tally.add(run)

    try:
        missing = _each(count, play_one, tally, given["quiet"])
    finally:
        if ledger:
            ledger.close()
    report = tally.report()
    if missing:
        go_on = "the same command goes on from the ledger" if ledger else "nothing was kept; with --ledger DIR the same command would go on from there"
        report = report.with_errors([GatekitError(f"interrupted, {missing} of {count} runs are missing: {go_on}")])
    code, told = delivered(report, given, reports, style)
    return code, told if style.quiet or given["format"] not in (None, "text") else _steps_told(tally, style) + told


def _steps_told(tally: WorkflowTally, style: Style) -> str:
    return "".join(fitted(line, style.width) + "\n" for line in as_text([*tally.lines(), ""]).splitlines())


def _each(count: int, play_one, tally: WorkflowTally, quiet: bool) -> int:
    """Play so many runs, by their ids, or up to as many failures as there may be; gives how many are missing where that was interrupted."""
    missing = count
    try:
        with Progress("runs made", 1, quiet) as progress:
            step = progress.of(tally.counted)
            for number in range(1, count + 1):
                play_one(f"run-{number:04d}")
                missing -= 1
                if step:
                    step()
                if tally.is_at_its_end:
                    return 0
    except KeyboardInterrupt:
        pass  # what came to its end is reported
    return missing


def _files_of(folder: str | None) -> list:
    return [path for path, _ in files_in(folder, spelt(folder))] if folder and is_folder(folder) else []
