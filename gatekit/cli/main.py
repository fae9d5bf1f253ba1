"""The entry of the command line: it finds the command, writes what it gives, and turns every error into words and an exit code."""
from __future__ import annotations

import os
import sys

from ..ground.errors import GatekitError
from ..judging.rates import EXIT_CODES
from ..text.quoting import visible
from .check import check
from .options import UsageError

COMMANDS = {"check": check}


def main(words: list | None = None) -> int:
    """Run a command; gives the exit code. `words` are the arguments, by default those of the process."""
    words = list(sys.argv[1:] if words is None else words)
    command = COMMANDS.get(words[0], check) if words else check
    if words and words[0] in COMMANDS:
        del words[0]
    try:
        code, text = command(words)
        write(text)
    except GatekitError as error:
        mend = "; see --help" if isinstance(error, UsageError) else ""
        sys.stderr.write(f"error: {visible(str(error))}{mend}\n".encode("ascii", "backslashreplace").decode())
        code = EXIT_CODES["error"]
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted, so nothing was judged to the end\n")
        code = EXIT_CODES["error"]
    except BrokenPipeError:
        # Whoever read the output has enough of it. The rest goes nowhere, without a word from the interpreter at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = EXIT_CODES["error"]
    except Exception as error:
        sys.stderr.write(f"error: an internal error: {type(error).__name__}; please report it with the files that lead to it\n")
        code = EXIT_CODES["error"]
    return code


def write(text: str) -> None:
    """Write to the standard output: UTF-8 with LF; on a console that shows less, what it cannot show is escaped."""
    out = sys.stdout
    encoding = out.encoding or "utf-8"
    if out.isatty() and encoding.lower().replace("-", "") != "utf8":
        out.write(text.encode(encoding, "backslashreplace").decode(encoding))
    elif hasattr(out, "buffer"):
        out.flush()
        out.buffer.write(text.encode("utf-8", "backslashreplace"))
    else:
        out.write(text)
    out.flush()
