"""`workflow`: run a whole workflow many times, with a script in the operator's place, and hold it to its failure rate."""
from __future__ import annotations

from ..golden.settings import thresholds
from ..ground.errors import GatekitError
from ..ground.files import files_in, is_folder, spelt
from ..reports.catalogue import FORMAT_WORDS, FORMATS
from ..runs.batch import MOST_RUNS
from ..runs.fixture import Fixture, play
from ..runs.workflow_report import WorkflowTally
from ..runs.workflow_run import WorkflowRun, redaction_of
from .main import complain
from .options import Option, UsageError, option_lines, parse, whole_number
from .playing import as_text, fixture_named, ledger_of, performed, workflow_named
from .reporting import delivered, progress_shown, refuse_overwriting, report_targets

OPTIONS = (
    Option("-n", "N", "how many runs: 1, where nothing is said"),
    Option("--fixture", "FILE", "what each run is given, and what the script decides in it (YAML or JSON)"),
    Option("--ledger", "DIR", "keep answers and decisions in this folder, and go on from what is kept there"),
    Option("--max-failure-rate", "RATE", "the share of runs that may fail, in the place of the workflow's own"),
    Option("--format", "FORMAT", FORMAT_WORDS, False, FORMATS),
    Option("--report", "FORMAT=FILE", "write a report to a file as well (may be given again)", True),
    Option("--verbose", None, "report what passed too"),
    Option("--help", None, "print this"),
)
HELP = """\
usage: python -m gatekit workflow MODULE:WORKFLOW [-n N] [--fixture FILE]

Run a whole workflow N times. A scripted operator decides through the same calls as a person: by the fixture first; after that it approves what passed its
checks, and rejects what did not with what failed as the reason. One run is one sample: it passes if it is submitted and all of its steps passed.
What a person decides (human_review) is approved so that the run goes on, and is not settled: a script is no person.

options:
{options}

exit codes: as of a batch: 0 pass, 1 fail, 2 inconclusive, 4 something could not be read or kept, or it was interrupted
"""


def workflow(words: list) -> tuple:
    """Run `workflow`; gives the exit code and what is to be printed."""
    given, rest = parse(words, OPTIONS)
    if given["help"]:
        return 0, HELP.format(options="\n".join(option_lines(OPTIONS)))
    if len(rest) != 1:
        raise UsageError("name a workflow: python -m gatekit workflow MODULE:WORKFLOW -n 100")
    count = 1 if given["n"] is None else whole_number("-n", given["n"], 1, MOST_RUNS)
    reports = report_targets(given["report"])
    found = workflow_named(rest[0])
    fixture = fixture_named(given["fixture"], found) if given["fixture"] else Fixture()
    refuse_overwriting(reports, [path for path in (given["fixture"], *_files_of(given["ledger"])) if path])
    held_to = found.thresholds if given["max_failure_rate"] is None else thresholds({**found.gate, "max_failure_rate": given["max_failure_rate"]})
    redaction = redaction_of(found)
    ledger = ledger_of(given["ledger"], found, "workflow") if given["ledger"] else None
    for note in ledger.notes if ledger else ():
        complain(note, "note")
    tally = WorkflowTally(found, held_to, redaction, given["verbose"])

    def play_one(name: str) -> None:
        kept = {"record": ledger.append, "past": ledger.past(name)} if ledger else {}
        run = WorkflowRun(found, fixture.inputs, name, operator=fixture.operator, scripted=True, perform=performed, redaction=redaction, verbose=given["verbose"], **kept)
        play(run, fixture)
        tally.add(run)

    try:
        missing = _each(count, play_one)
    finally:
        if ledger:
            ledger.close()
    report = tally.report()
    if missing:
        go_on = "the same command goes on from the ledger" if ledger else "nothing was kept; with --ledger DIR the same command would go on from there"
        report = report.with_errors([GatekitError(f"interrupted, {missing} of {count} runs are missing: {go_on}")])
    code, told = delivered(report, given, reports)
    return code, told if given["format"] == "json" else as_text([*tally.lines(), ""]) + told


def _each(count: int, play_one) -> int:
    """Play so many runs, by their ids; gives how many are missing where that was interrupted."""
    progress = progress_shown("runs made", 1)
    missing = count
    try:
        for number in range(1, count + 1):
            play_one(f"run-{number:04d}")
            missing -= 1
            if progress:
                progress.step()
    except KeyboardInterrupt:
        pass  # what came to its end is reported
    finally:
        if progress:
            progress.clear()
    return missing


def _files_of(folder: str | None) -> list:
    return [path for path, _ in files_in(folder, spelt(folder))] if folder and is_folder(folder) else []
