"""The entry of the command line: it finds the command, writes what it gives, and turns every error into words and an exit code."""
from __future__ import annotations

import os
import sys

from ..data.redaction import Redaction
from ..ground.errors import GatekitError, nearest
from ..ground.files import given, is_there
from ..judging.rates import EXIT_CODES
from ..text.quoting import quote, visible
from .options import UsageError
from .terminal import write

# Command: the module of this folder that it stands in.
COMMANDS = {
    "check": "check",
    "lint": "lint",
    "lock": "lint",
    "init": "start",
    "schema": "start",
    "embed": "embed",
    "plan": "plan",
    "record": "record",
    "judge-record": "record",
    "replay": "regress",
    "regress": "regress",
    "rekey": "regress",
    "batch": "batch",
    "merge": "batch",
    "step": "step",
    "workflow": "workflow",
    "operate": "operate",
}


def main(words: list | None = None) -> int:
    """Run a command; gives the exit code. `words` are the arguments, by default those of the process."""
    words = [given(word) for word in (sys.argv[1:] if words is None else words)]
    try:
        name, words = _meant(words)
        code, text = _command(name)(words)
        write(text)
        return code
    except GatekitError as error:
        complain(str(error) + ("; see --help" if isinstance(error, UsageError) else ""))
    except KeyboardInterrupt:
        complain("interrupted, so nothing was judged to the end")
    except BrokenPipeError:
        # Whoever read the output has enough of it. The rest goes nowhere, without a word from the interpreter at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError:
        complain("the output cannot be written")
        sys.stdout = None  # nor what is left of it, when the interpreter ends
    except BaseException as error:  # whatever it is, it ends in words and in the exit code of an error
        complain(f"an internal error: {type(error).__name__}; please report it with the files that lead to it")
    return EXIT_CODES["error"]


def _meant(words: list) -> tuple:
    """The command, and its words. `help COMMAND` is `COMMAND --help`."""
    if words and words[0] == "help":
        named = [word for word in words[1:] if word not in ("help", "--help", "-h")]
        if len(named) > 1:
            raise UsageError("name one command: python -m gatekit help COMMAND")
        if named and named[0] not in COMMANDS:
            near = nearest(named[0], COMMANDS)
            raise UsageError(f"there is no command {quote(named[0])}: " + (f"did you mean {near}?" if near else f"there are {', '.join(COMMANDS)}"))
        words = [*named, "--help"]
    if words and words[0] in COMMANDS:
        return words[0], words[1:]
    _refuse_misspelt(words)
    return "check", words


def _command(name: str):
    home = __import__(f"{__package__}.{COMMANDS[name]}", fromlist=[name])
    return getattr(home, name.replace("-", "_"))


def _refuse_misspelt(words: list) -> None:
    """Refuse a first word that is no path and nearly a command: as a path it would only not be there."""
    near = nearest(words[0], (*COMMANDS, "help")) if words and not words[0].startswith("-") else None
    if near is not None and not is_there(words[0]):
        raise UsageError(f"there is neither a command nor a path {quote(words[0])}: did you mean {near}?")


def complain(words: str, kind: str = "error") -> None:
    """Say what is wrong, or what is to be known, on the standard error, with nothing in it that acts and no secret; in silence where there is none to write to."""
    try:
        line = f"{kind}: {visible(Redaction().text(words))}\n"
        sys.stderr.write(line.encode("ascii", "backslashreplace").decode())
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        sys.stderr = None
