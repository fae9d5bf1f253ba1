"""`batch` and `merge`: scenarios that are run many times and held to a failure rate, on one machine or on many."""
from __future__ import annotations

from ..data.redaction import Redaction
from ..ground.errors import CaseError, GatekitError
from ..ground.files import files_in, is_folder, is_there, same_file, spelt
from ..runs.batch import MOST_RUNS, Batch, Memory
from ..runs.history import ENDING, replay_corpus
from ..runs.ledger import Ledger, check_writer
from ..runs.merging import merged
from ..runs.shards import Shard
from ..text.quoting import quote
from .candidate import aside, finish, function_named, import_plugins
from .main import complain
from .options import HELP_OPTION, PLUGIN, Option, UsageError, option_lines, parse, whole_number
from .playing import scenario_named, template_named
from .reporting import REPORTING, STOPPING, Progress, delivered, most_failures, refuse_overwriting, report_targets, style_of

_CORPUS = (
    Option("--corpus", "JOBS.jsonl", f"the jobs of a log that a person decided on, each run again (by convention NAME{ENDING})"),
    Option("--agent", "MODULE:AGENT", "with --corpus: a function of the step"),
    Option("--template", "MODULE:TEMPLATE", "with --corpus: the template whose checks hold"),
    Option("--step", "NAME", "with --corpus: only this step of its jobs"),
)
_HELD_TO = (
    Option("--max-failure-rate", "RATE", "hold the batch to this rate, 1% or 0.01, and not to the scenario's own"),
    Option("--max-transient", "RATE", "more than this share of runs that the provider failed is inconclusive"),
    Option("--min-judged", "N", "fewer runs than this that count are inconclusive"),
    Option("--confidence", "SHARE", "pass and fail only where the runs show it so surely, 95% or 0.95"),
    Option("--rounding", None, "compare the rates as they are printed"),
)
_TOLD = (*REPORTING, PLUGIN, HELP_OPTION)
OPTIONS = {
    "batch": (
        Option("-n", "N", "how often each scenario is run (1 by default)"),
        *_CORPUS,
        Option("--ledger", "DIR", "keep every run in this folder, and go on from what it holds"),
        Option("--writer", "NAME", "the name of the file in it (runs, or shard-I-of-N by default); give each process of a ledger its own"),
        Option("--shard", "I/N", "make and judge only the runs of this part, by the digest of their ids"),
        Option("--feedback", "TEXT", "what a person said of an earlier attempt (may be given again)", True),
        Option("--no-curtail", None, "make all runs, also where no other can change the outcome"),
        *STOPPING,
        *_HELD_TO,
        *_TOLD,
    ),
    "merge": (
        Option("--scenario", "MODULE:SCENARIO", "for ledgers: what their runs are judged by"),
        *_CORPUS,
        Option("-n", "N", "for ledgers: how many runs of each scenario there must be"),
        *_HELD_TO,
        *_TOLD,
    ),
}
HELP = {
    "batch": """\
usage: python -m gatekit batch MODULE:SCENARIO -n N [--ledger DIR]
       python -m gatekit batch --corpus JOBS.jsonl --agent MODULE:AGENT
                               --template MODULE:TEMPLATE [-n N]

Run a scenario N times, or the jobs of a log again, and hold the failure rate to a threshold.
With a ledger a batch that was interrupted or killed goes on where it was; the report is that of
the ledger.

options:
{options}

exit codes: 0 pass, 1 fail, 2 inconclusive,
4 something could not be read, or the batch was interrupted
""",
    "merge": """\
usage: python -m gatekit merge REPORT.json...
       python -m gatekit merge LEDGER... --scenario MODULE:SCENARIO [-n N]

Make one report of the reports of all shards (batch or check with --shard I/N, --report json=FILE),
or of the ledgers that they kept: the one that a run without shards would have made.

options:
{options}

exit codes: 0 pass, 1 fail, 2 inconclusive, 3 diverged,
4 something could not be read, or a part is missing
""",
}


def batch(words: list) -> tuple:
    """Run the command; gives the exit code and what is to be printed."""
    given, names = parse(words, OPTIONS["batch"])
    if given["help"]:
        return 0, HELP["batch"].format(options="\n".join(option_lines(OPTIONS["batch"])))
    import_plugins(given["plugin"])
    if len(names) > 1 or bool(names) == bool(given["corpus"]):
        raise UsageError("name one scenario, or a corpus: python -m gatekit batch MODULE:SCENARIO -n 100")
    if given["writer"] and not given["ledger"]:
        raise UsageError("--writer names a file of a ledger: name that too, --ledger DIR")
    if given["writer"]:
        check_writer(given["writer"])
    count = 1 if given["n"] is None else whole_number("-n", given["n"], 1, MOST_RUNS)
    shard = None if given["shard"] is None else _meant("--shard", given["shard"], Shard.read)
    style, reports, most = style_of(given), report_targets(given["report"]), most_failures(given)
    scenarios, errors = _scenarios(given, names[0] if names else None)
    ledger = Ledger(given["ledger"]) if given["ledger"] else Memory()
    made = Batch(scenarios, count, [ledger], shard, tuple(given["feedback"]), given["verbose"], _held_to(given), most)
    _refuse_overwriting(reports, given, [given["ledger"]] if given["ledger"] else [])
    _read(made, given)
    _say_what_was_there(made)
    interrupted = _run(made, ledger, given)
    _read(made, given)
    report = made.report().with_errors(errors)
    if interrupted:
        report = report.with_errors([GatekitError(f"interrupted, {made.missing()} runs are missing: {_how_to_go_on(given)}")])
    if shard is not None:
        report = report.of_shard(shard.number, shard.of)
    return delivered(report, given, reports, style)


def _read(made: Batch, given: dict) -> None:
    with Progress("runs read", 1000, given["quiet"]) as progress:
        made.read(progress.of(made.counted))


def _run(made: Batch, ledger, given: dict) -> bool:
    """Make the missing runs; gives whether that was interrupted. The file is opened only where something is to be written."""
    if isinstance(ledger, Ledger):
        ledger.make()  # a shard without runs has a ledger too
    if not made.missing():
        return False
    writer = ledger
    if isinstance(ledger, Ledger):
        shard = made.shard
        writer = ledger.writer(given["writer"] or ("runs" if shard is None else f"shard-{shard.number}-of-{shard.of}"))
    try:
        with Progress("runs made", 1, given["quiet"]) as progress:
            aside(finish, made.steps(writer.add, not given["no_curtail"], progress.of(made.counted)))
    except KeyboardInterrupt:
        return True
    finally:
        if writer is not ledger:
            writer.close()
    return False


def _say_what_was_there(made: Batch) -> None:
    for note in made.notes:
        complain(note, "note")
    there = made.made
    if there:
        complain(f"{there} of {there + made.missing()} runs stand in the ledger and are not made again", "note")


def _how_to_go_on(given: dict) -> str:
    if given["ledger"]:
        return "the same command goes on from the ledger"
    return "nothing was kept; with --ledger DIR the same command would go on from there"


def merge(words: list) -> tuple:
    """Run the command; gives the exit code and what is to be printed."""
    given, paths = parse(words, OPTIONS["merge"])
    if given["help"]:
        return 0, HELP["merge"].format(options="\n".join(option_lines(OPTIONS["merge"])))
    if not paths:
        raise UsageError("name what is to be merged: python -m gatekit merge REPORT.json...")
    import_plugins(given["plugin"])
    style, reports = style_of(given), report_targets(given["report"])
    for path in paths:
        if not is_there(path):
            raise GatekitError("it is not there: name the reports, or the ledgers, of all parts", file=spelt(path))
    are_ledgers = [is_folder(path) for path in paths]
    if any(are_ledgers) and not all(are_ledgers):
        raise UsageError("ledgers (folders) and reports (files) are not merged with each other: name one kind")
    for place, path in enumerate(paths):
        if any(same_file(path, other) for other in paths[:place]):
            raise UsageError(f"{quote(spelt(path))} is named twice")
    _refuse_overwriting(reports, given, paths)
    if not any(are_ledgers):
        used = [option.flag for option in OPTIONS["merge"][:-len(_TOLD)] if given[option.name]]
        if used:
            raise UsageError(f"{', '.join(used)}: a report says itself what it was judged by")
        from ..reports.reading import read_report  # it reads the schema of reports, and a batch needs none

        return delivered(merged([(spelt(path), read_report(path, spelt(path))) for path in paths]), given, reports, style)
    if bool(given["scenario"]) == bool(given["corpus"]):
        raise UsageError("say what the runs in the ledgers are judged by: --scenario MODULE:SCENARIO, or --corpus JOBS.jsonl")
    scenarios, errors = _scenarios(given, given["scenario"])
    count = None if given["n"] is None else whole_number("-n", given["n"], 1, MOST_RUNS)
    made = Batch(scenarios, count or 1, [Ledger(path) for path in paths], None, None, given["verbose"], _held_to(given))
    _read(made, given)
    for note in made.notes:
        complain(note, "note")
    report = made.report().with_errors(errors)
    if count is not None and made.missing():
        report = report.with_errors([GatekitError(f"{made.missing()} of {made.missing() + made.made} runs are missing in the ledgers")])
    return delivered(report, given, reports, style)


def _scenarios(given: dict, name: str | None) -> tuple:
    """The scenarios that are meant, and the errors of their log."""
    for flag in ("agent", "template", "step"):
        if given[flag] and not given["corpus"]:
            raise UsageError(f"--{flag} goes with --corpus")
    if name is not None:
        return [scenario_named(name)], []
    if not given["agent"] and "scenario" not in given:
        raise UsageError("say who does the jobs again: --agent MODULE:AGENT")
    if not given["template"]:
        raise UsageError("say what holds for what the jobs give: --template MODULE:TEMPLATE")
    agent = aside(lambda spelling: function_named(spelling, "--agent"), given["agent"]) if given["agent"] else _nobody
    template = template_named(given["template"])
    corpus = replay_corpus(given["corpus"], agent, step=given["step"], template=template)
    errors = list(map(Redaction().error, corpus.errors))
    if not corpus.scenarios:
        if errors:
            raise errors[0]
        raise GatekitError("no person decided on any of its jobs: there is nothing to run", file=spelt(given["corpus"]))
    return list(corpus.scenarios), errors


def _nobody(step: object) -> None:
    """In the place of an agent where nothing is run."""


def _held_to(given: dict) -> dict:
    """The thresholds of the command line by name, those that are given."""
    held_to = {name: given[name] for name in ("max_failure_rate", "max_transient", "confidence") if given[name] is not None}
    if given["min_judged"] is not None:
        held_to["min_judged"] = whole_number("--min-judged", given["min_judged"], 1, MOST_RUNS)
    if given["rounding"]:
        held_to["rounding"] = True
    return held_to


def _refuse_overwriting(reports: list, given: dict, sources: list) -> None:
    read = [given["corpus"]] if given["corpus"] else []
    for source in sources:
        read += [path for path, _ in files_in(source, spelt(source))] if is_folder(source) else [source]
    refuse_overwriting(reports, read)


def _meant(flag: str, spelling: str, read):
    try:
        return read(spelling)
    except CaseError as error:
        raise UsageError(f"{flag}: {error.message}") from None
