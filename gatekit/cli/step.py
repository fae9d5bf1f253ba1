"""`step`: run one step once, and show all of it; with `--interactive`, a person says what is wrong and sees whether the next attempt learned from it."""
from __future__ import annotations

from ..data.redaction import Redaction
from ..judging.rates import EXIT_CODES
from ..judging.verdict import outcome_of
from ..reports.text_report import CLOSING
from ..runs.scenario import Scenario
from ..text.quoting import quote
from .asking import Word, asked, reason_asked
from .candidate import aside, function_named
from .main import complain
from .options import HELP_OPTION, Option, UsageError, option_lines, parse
from .playing import performed, scenario_named, template_named
from .showing import Show
from .terminal import write

REJECTIONS = 3
OPTIONS = (
    Option("--scenario", "MODULE:NAME", "the scenario to run"),
    Option("--job", "JOBS.jsonl:ID", "in its place: a job of a log, as its first attempt saw it; a person's reason for a rejection is feedback"),
    Option("--step", "NAME", "with --job: which step, where the job has several"),
    Option("--agent", "MODULE:AGENT", "with --job: a function of the step; needed"),
    Option("--template", "MODULE:TEMPLATE", "with --job: the template whose checks hold; needed"),
    Option("--feedback", "TEXT", "what was said of an earlier attempt, as feedback (may be given again)", True),
    Option("--sample", "ID", "the id of the run: 1, where nothing is said"),
    Option("--show-prompt", None, "show every prompt and response, and every call of a tool"),
    Option("--interactive", None, f"reject what it gives, up to {REJECTIONS} times: each reason is feedback for the next attempt"),
    HELP_OPTION,
)
HELP = """\
usage: python -m gatekit step --scenario MODULE:NAME
       python -m gatekit step --job JOBS.jsonl:ID --agent MODULE:AGENT --template MODULE:TEMPLATE

Run one step once, and show its output and what each check says of it.

options:
{options}

exit codes: those of a batch of one, by the last attempt: 0 it passed, 1 a check failed or the agent
crashed, 2 it cannot be told or the provider failed, 4 there is no such scenario, or it cannot be
run
"""
_OF_JOBS = ("step", "agent", "template")
WORDS = (
    Word("approve", "it is well: end here"),
    Word("reject", "do it again, with the reason as feedback", "REASON"),
    Word("quit", "end here"),
)


def step(words: list) -> tuple:
    """Run `step`; gives the exit code and what is to be printed at its end."""
    given, rest = parse(words, OPTIONS)
    if given["help"]:
        return 0, HELP.format(options="\n".join(option_lines(OPTIONS)))
    if rest or bool(given["scenario"]) == bool(given["job"]):
        raise UsageError("name a scenario or a job: python -m gatekit step --scenario MODULE:NAME")
    scenario, errors = _of_job(given) if given["job"] else _of_name(given)
    for error in errors:
        complain(str(error))
    redaction = Redaction(scenario.judging.prefixes, scenario.judging.masks)
    show = Show(redaction)
    feedback = list(given["feedback"])
    attempt = 1
    while True:
        status = _attempt(scenario, feedback, given["sample"] or "1", attempt, show, redaction, given["show_prompt"])
        if not given["interactive"] or attempt > REJECTIONS:
            break
        reason = _rejection(attempt)
        if reason is None:
            break
        feedback.append(reason)
        attempt += 1
    return EXIT_CODES["error" if errors else outcome_of(status)], CLOSING + "\n"


def _of_name(given: dict) -> tuple:
    for flag in _OF_JOBS:
        if given[flag]:
            raise UsageError(f"--{flag} goes with --job: a scenario says it itself")
    return scenario_named(given["scenario"]), ()


def _of_job(given: dict) -> tuple:
    """The scenario of a job, and the errors of its log: a line that cannot be read may be one of this job."""
    from ..runs.history import read_jobs, scenario_from_job

    path, colon, id = given["job"].rpartition(":")
    if not path or not id:
        raise UsageError(f"--job is JOBS.jsonl:ID, not {quote(given['job'])}")
    if not given["agent"] or not given["template"]:
        raise UsageError("say who does the job again, and what holds for it: --agent MODULE:AGENT --template MODULE:TEMPLATE")
    log = read_jobs(path)
    if not log.jobs and log.errors:
        raise log.errors[0]
    job = log.job(id)
    agent = aside(lambda spelling: function_named(spelling, "--agent"), given["agent"])
    return scenario_from_job(job, agent, step=given["step"], template=template_named(given["template"])), log.errors


def _attempt(scenario: Scenario, feedback: list, sample: str, attempt: int, show: Show, redaction: Redaction, prompts: bool) -> str:
    """Run the step, show what came of it, and give its status."""
    head = f"{show.text(scenario.name)}, run {show.text(sample)}, attempt {attempt}"
    if scenario.case_verdict is not None:
        head += f"\n{scenario.case_verdict} by a person in job {show.text(scenario.source_job_id)}"
    write("\n".join([head, *(f"feedback: {show.text(said)}" for said in (*scenario.feedback, *feedback)), ""]))
    ran = performed(scenario, feedback or None, sample, attempt)
    verdict = scenario.judging.verdict(ran.sample, redaction, True)
    lines = show.log(ran.log) if prompts else []
    write("\n".join([*lines, *show.output(ran.sample), *show.verdict(verdict), "", ""]))
    return verdict.status


def _rejection(attempt: int) -> str | None:
    """The reason for which a person rejects what was shown; None where it is not rejected."""
    word, rest = asked(f"approve, or reject REASON ({REJECTIONS - attempt + 1} left)", WORDS)
    if word != "reject":
        return None
    return rest or reason_asked()
