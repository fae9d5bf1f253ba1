"""`check`: judge the samples of a set of cases, and report. It is the command that is meant where none is named."""
from __future__ import annotations

from .. import __version__
from ..golden.folder import LOOKED_FOR, Folder, kind_of, places
from ..golden.suite import Selection, Suite
from ..ground.errors import CaseError, nearest
from ..ground.files import read_input, spelt, text_of
from ..text.quoting import quote, visible
from .main import complain
from .options import HELP_OPTION, PLUGIN, Option, UsageError, option_lines, parse
from .reporting import REPORTING, STOPPING, Progress, delivered, most_failures, refuse_overwriting, report_targets, style_of

OPTIONS = (
    Option("--id", "ID", "judge only the case with this id (may be given again)", True),
    Option("--tag", "TAG", "judge only cases with this tag (may be given again)", True),
    Option("--level", "N", "judge only cases of this level, 1 to 5 (may be given again)", True, ("1", "2", "3", "4", "5")),
    Option("--samples", "FILE", "judge the samples of this file instead of those below PATH; - reads the standard input (may be given again)", True),
    Option("--case", "ID", "with --output: the case that one raw answer is judged by"),
    Option("--output", "FILE", "judge one raw answer; - reads it from the standard input"),
    Option("--candidate", "MODULE:FUNCTION", "judge what this function gives for each case's input"),
    Option("--shard", "I/N", "judge only the samples of this part, by the digest of their ids; merge puts the reports of all together"),
    PLUGIN,
    *REPORTING,
    *STOPPING,
    Option("--list", None, "list the cases and judge nothing"),
    Option("--explain", "TYPE", "print the reference of a matcher; 'all' lists them"),
    HELP_OPTION,
    Option("--version", None, "print the version"),
)

HELP = """\
usage: python -m gatekit [check] PATH... [options]
       python -m gatekit COMMAND ... [options]
       python -m gatekit help COMMAND

Judge captured outputs of language-model steps by the rules of golden cases.
A PATH is a folder of cases (*.yaml, *.json) and samples (*.jsonl), one such file, or a
gatekit.yaml that lists cases. A command's name wins over a folder of that name: write ./replay.

judge what was captured:
  check PATH...               judge samples; the command that is meant where none is named
  merge REPORT...             put the reports or ledgers of shards together
  plan --threshold RATE       print how many samples show a failure rate

keep a golden set:
  init DIR                    write a starter set
  lint FOLDER                 check the policy for changing a golden set
  lock FOLDER                 agree on what each case demands
  embed FOLDER                record missing embedding vectors
  schema                      print the JSON Schema of a case file, or of a report

run an agent:
  step --scenario SCENARIO    run one step once, and show all of it
  batch SCENARIO -n N         run a scenario many times, and hold its failure rate
  workflow WORKFLOW -n N      run a whole workflow many times, a script deciding
  operate WORKFLOW            decide on a workflow's outputs yourself

replay a conversation:
  record SCENARIO FILE        record an agent's conversation once
  replay FILE                 reproduce it offline
  regress FILE                run a changed agent on it, and hold it to its invariants
  rekey FILE                  accept a rewording for the recorded answers
  judge-record FILE           record a judge's verdict on it

options of check:
{options}

exit codes:
  0  pass: something was judged, and all of it held
  1  fail: a rule failed, or a failure rate is above its threshold
  2  inconclusive: nothing was judged, or evidence is missing
  3  diverged: a replay left its recording
  4  error: bad usage, or a file or rule that is not valid

examples:
  python -m gatekit examples/refund
  python -m gatekit golden --tag smoke --report json=report.json
  my-agent < question.txt | python -m gatekit golden --case refund-summary --output -
"""


def check(words: list) -> tuple:
    """Run the command; gives the exit code and what is to be printed. Raises GatekitError for bad usage."""
    given, paths = parse(words, OPTIONS)
    if given["help"]:
        return 0, HELP.format(options="\n".join(option_lines(OPTIONS)))
    if given["version"]:
        return 0, f"gatekit {__version__}\n"
    if given["plugin"]:
        from .candidate import import_plugins  # few runs have one

        import_plugins(given["plugin"])
    if given["explain"]:
        from .reference import matcher_reference, types_reference

        return 0, types_reference() if given["explain"] == "all" else matcher_reference(given["explain"])
    if not paths:
        raise UsageError("name a folder of cases: python -m gatekit PATH")
    if given["list"]:
        passed_over = ("samples", "case", "output", "candidate", "shard", "format", "report", "pass_k", "quiet", "fail_fast", "max_failures")
        used = [f"--{name.replace('_', '-')}" for name in passed_over if given[name] and given[name] != "text"]
        if used:
            raise UsageError(f"--list judges nothing, so {', '.join(used)} would be passed over: leave one of them out")
    style, most = style_of(given), most_failures(given)
    reports = report_targets(given["report"])
    folder = Folder(paths)
    if not (folder.cases or folder.errors or folder.sample_files or folder.recordings):
        complain(folder.redaction.text(f"there is no case below {places(paths)}: {LOOKED_FOR}"), "note")
    refuse_overwriting(reports, folder.read)
    selection = Selection(given["id"], given["tag"], tuple(int(level) for level in given["level"]))
    if given["list"]:
        return _list(folder, selection)
    shard = _shard(given)
    with Progress("samples judged", 1 if given["candidate"] else 1000, given["quiet"]) as progress:
        suite = Suite(folder, selection, given["verbose"], progress.of(lambda: suite.so_far()), shard, most_failures=most)
        _judge(suite, given)
    report = suite.report()
    return delivered(report if shard is None else report.of_shard(shard.number, shard.of), given, reports, style)


def _shard(given: dict):
    """The part that is to be judged, None where all is."""
    if given["shard"] is None:
        return None
    from ..runs.shards import Shard

    if given["output"] or given["candidate"]:
        raise UsageError("--shard shares recorded samples: it goes with none of --output and --candidate")
    try:
        return Shard.read(given["shard"])
    except CaseError as error:
        raise UsageError(f"--shard: {error.message}") from None


def _judge(suite: Suite, given: dict) -> None:
    """Feed the suite from where the samples are: one raw answer, a candidate, files that were named, or those below the paths."""
    ways = [flag for flag, used in (("--output", given["output"]), ("--candidate", given["candidate"]), ("--samples", given["samples"])) if used]
    if len(ways) > 1:
        raise UsageError(f"{' and '.join(ways)} exclude each other: name one place that the outputs come from")
    if bool(given["case"]) != bool(given["output"]):
        raise UsageError("--case and --output go together: --case ID --output FILE")
    if given["output"]:
        _add_raw(suite, given["case"], given["output"])
    elif given["candidate"]:
        from .candidate import run_candidate

        run_candidate(suite, given["candidate"])
    elif given["samples"]:
        for file in given["samples"]:
            if kind_of(file) == "recording":
                raise UsageError(f"{quote(spelt(file))} is a recording and no file of samples: give it as a PATH beside its case, or lay it in the folder of cases")
            suite.add_file(None if file == "-" else file, "standard input" if file == "-" else spelt(file))
    else:
        suite.add_all()


def _add_raw(suite: Suite, case: str, file: str) -> None:
    known = [one.id for one in suite.cases]
    if case not in known and suite.is_broken(case):
        return  # what is wrong with it is an error of the report
    if case not in known:
        near = nearest(case, known)
        raise UsageError(f"there is no case {quote(case)}" + (f": did you mean {quote(near)}?" if near else ""))
    name = "standard input" if file == "-" else spelt(file)
    suite.add_answer(case, text_of(read_input(None if file == "-" else file, name), name))


def _list(folder: Folder, selection: Selection) -> tuple:
    cases = sorted((case for case in folder.cases if selection.takes(case)), key=lambda case: case.id)
    lines = []
    shown = folder.redaction.text
    for case in cases:
        level = f"level {case.level}" if case.level else "no rules"
        tags = f" [{', '.join(case.tags)}]" if case.tags else ""
        lines.append(visible(shown(f"{case.id}  {level}{tags}  {case.file or ''}")) + ("  deprecated" if case.deprecated else ""))
    errors = folder.errors + selection.unmet(folder.cases, folder.broken)
    lines += [f"error: {visible(shown(str(error)))}" for error in errors]
    lines.append(f"{len(cases)} case{'s' * (len(cases) != 1)}")
    return 4 if errors else 0 if cases else 2, "\n".join(lines) + "\n"
