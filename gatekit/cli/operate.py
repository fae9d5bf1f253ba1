"""`operate`: a person brings a run of a workflow to its end, at a terminal or through a pipe. What is decided is in the ledger before anything else happens."""
from __future__ import annotations

from ..data.reading import is_blank
from ..ground.errors import CaseError
from ..judging.rates import EXIT_CODES
from ..judging.verdict import outcome_of
from ..reports.text_report import CLOSING
from ..runs.workflow_run import WorkflowRun, redaction_of
from .asking import Word, asked, reason_asked
from .main import complain
from .options import HELP_OPTION, Option, UsageError, option_lines, parse
from .playing import fixture_named, ledger_of, performed, workflow_named
from .showing import Show
from .terminal import write

OPTIONS = (
    Option("--operator", "NAME", "who decides; needed, and kept with each decision"),
    Option("--ledger", "DIR", "the folder where answers and decisions are kept; needed"),
    Option("--run", "ID", "which run to go on with, or to begin: 1, where nothing is said"),
    Option("--fixture", "FILE", "what the run is given, where it is not the workflow's own inputs"),
    HELP_OPTION,
)
HELP = """\
usage: python -m gatekit operate MODULE:WORKFLOW --operator NAME --ledger DIR

Run a workflow and decide on what its steps give: approve, reject with a reason, submit. The same
command goes on where it was left.

options:
{options}

exit codes:
  0  the run was submitted, and every check of it passed
  1  a check failed, an agent crashed, or an output was rejected too often
  2  the run is not submitted yet, it cannot be told, or a provider failed
  4  something could not be read, or be kept
"""
WORDS = (
    Word("approve", "hand the output on"),
    Word("reject", "do it again, with the reason as feedback (once all is approved: reject STEP REASON)", "REASON"),
    Word("retry", "run a step again that crashed, met an outage, or may hand nothing on"),
    Word("submit", "hand the run in: every step is approved"),
    Word("show", "show the output and its checks again"),
    Word("prompt", "show every prompt and response of the last attempt"),
    Word("quit", "leave: the same command goes on from here"),
)
QUESTIONS = {
    "deciding": "approve, or reject REASON",
    "reviewing": "submit, or reject STEP REASON",
    "stopped": "retry, or quit",
}


def operate(words: list) -> tuple:
    """Run `operate`; gives the exit code and what is to be printed at its end."""
    given, rest = parse(words, OPTIONS)
    if given["help"]:
        return 0, HELP.format(options="\n".join(option_lines(OPTIONS)))
    if len(rest) != 1:
        raise UsageError("name a workflow: python -m gatekit operate MODULE:WORKFLOW --operator NAME --ledger DIR")
    if given["operator"] is None or is_blank(given["operator"]):
        raise UsageError("say who decides: --operator NAME")
    if given["ledger"] is None:
        raise UsageError("name the folder where decisions are kept: --ledger DIR")
    workflow = workflow_named(rest[0])
    inputs = fixture_named(given["fixture"], workflow).inputs if given["fixture"] else None
    name = given["run"] or "1"
    redaction = redaction_of(workflow)
    ledger = ledger_of(given["ledger"], workflow, given["operator"])
    for note in ledger.notes:
        complain(note, "note")
    run = WorkflowRun(
        workflow, inputs, name, operator=given["operator"], record=ledger.append, past=ledger.past(name), perform=performed, redaction=redaction, verbose=True
    )
    desk = Desk(run, Show(redaction))
    try:
        desk.work()
    except KeyboardInterrupt:
        write("\ninterrupted\n")
    finally:
        ledger.close()
    return desk.end()


class Desk:
    """Where one operator works on one run."""

    __slots__ = ("_run", "_show", "_at")

    def __init__(self, run: WorkflowRun, show: Show) -> None:
        self._run = run
        self._show = show
        self._at: object = None  # what was shown last

    def work(self) -> None:
        """Run agents and ask the operator, until the run is at its end or the operator leaves."""
        run = self._run
        answers, decisions = sum(map(len, run.answers.values())), len(run.decisions) - 1
        self._say(f"run {run.run} of {run.workflow.name}, operated by {run.operator}")
        if run.decisions:
            self._say(f"it goes on from what is kept: {answers} answer(s), {decisions} decision(s)")
        while True:
            if run.state == "running":
                self._say(f"{run.step}: attempt {run.progress.attempt(run.step) + 1}")
                for reason in run.progress.feedback(run.step):
                    self._say(f"feedback: {reason}")
                run.advance()
                continue
            if run.step and run.answer is not self._at:
                self._look()
            if run.state not in QUESTIONS or not self._decide():
                return

    def end(self) -> tuple:
        """The exit code, and the last words."""
        run, verdict = self._run, self._run.verdict
        lines = [f"run {run.run} of {run.workflow.name}: {run.state}"]
        if run.state in QUESTIONS or run.state == "running":
            lines = [f"{lines[0]}; what was decided is kept, and the same command goes on from here"]
        return EXIT_CODES[outcome_of(verdict.status)], "\n".join([*map(self._show.text, lines), *self._show.problems(verdict), CLOSING, ""])

    def _decide(self) -> bool:
        """Ask for one word and do it; gives whether the operator stays."""
        run = self._run
        word, rest = asked(QUESTIONS[run.state], WORDS)
        try:
            if word == "quit":
                return False
            if word == "show":
                self._look()
            elif word == "prompt":
                self._write(self._show.log(run.answer.log or ()) if run.answer else [])
            elif word == "reject":
                return self._reject(rest)
            else:
                getattr(run, word)()
                self._decided()
        except CaseError as error:
            self._say(f"{error.message}: nothing is done")
        return True

    def _reject(self, rest: str | None) -> bool:
        step = None
        if self._run.state == "reviewing" and rest is not None:
            step, _, rest = rest.partition(" ")
        self._run.progress.refuse("rejected", step)  # before a reason is asked for
        reason = reason_asked() if rest is None or is_blank(rest) else rest
        if reason is None:
            return False
        self._run.reject(reason, step)
        self._decided()
        return True

    def _decided(self) -> None:
        line = self._run.decisions[-1]
        words = f"{line['decision']}, by {line['operator']}"
        if "step" in line:
            status = self._run.answers[line["step"]][-1].verdict.status
            words = f"{line['decision']} attempt {line['attempt']} of {line['step']}, by {line['operator']}"
            words += f", although it is {status}" if line["decision"] == "approved" and status not in ("passed", "review") else ""
        self._say(words)

    def _look(self) -> None:
        """Show the output that waits; once all are accepted, each of them."""
        run = self._run
        self._at = run.answer
        for answer in [run.answer] if run.step else [answers[-1] for answers in run.answers.values()]:
            head = [] if run.step else [self._show.text(f"{answer.step}: attempt {answer.attempt}")]
            self._write([*head, *self._show.output(answer.sample), *self._show.verdict(answer.verdict), ""])

    def _say(self, words: str) -> None:
        self._write([self._show.text(words)])

    def _write(self, lines: list) -> None:
        write("".join(f"{line}\n" for line in lines))
