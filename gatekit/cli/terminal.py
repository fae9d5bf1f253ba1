"""The standard streams: what is written to them, and what a person or a pipe answers. Whoever types is trusted no more than a model.

A line is read as it comes, from a terminal and from a pipe alike; none is longer than `LONGEST_LINE` bytes, and its end is no answer.

Whether colours are shown is the one thing for which the environment is looked at: `NO_COLOR` (no-color.org). So a terminal that knows no colour is not known
to be one.
"""
from __future__ import annotations

import os
import sys

from ..ground.errors import GatekitError

LONGEST_LINE = 10_000
NARROWEST = 40
COLOR = ("auto", "always", "never")


class Unreadable(GatekitError):
    """A line that was typed and cannot be read; the next one may be."""


def is_terminal(stream) -> bool:
    """Whether a standard stream is a terminal; it may be none at all."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # closed from the start, or by now
        return False


def columns_of(stream) -> int | None:
    """How many columns the terminal has that a stream leads to, at least `NARROWEST`; None where it is no terminal, or nobody knows."""
    try:
        wide = os.get_terminal_size(stream.fileno()).columns if is_terminal(stream) else 0
    except (AttributeError, OSError, ValueError):
        return None
    return max(NARROWEST, wide) if wide > 0 else None


def shows_color(choice: str) -> bool:
    """Whether the standard output is to be coloured, by one of `COLOR`.

    `auto` is a terminal, unless `NO_COLOR` is set to anything. Not on Windows: its older consoles show the codes themselves until they are told not to, which
    takes more than this program has; whoever has a newer one says `always`.
    """
    if choice == "auto":
        return is_terminal(sys.stdout) and os.name != "nt" and not os.environ.get("NO_COLOR")
    return choice == "always"


def write(text: str) -> None:
    """Write to the standard output: UTF-8 with LF; on a console that shows less, what it cannot show is escaped."""
    out = sys.stdout
    if out is None:
        raise GatekitError("there is no standard output to write to: it is closed")
    encoding = out.encoding or "utf-8"
    if out.isatty() and encoding.lower().replace("-", "") != "utf8":
        out.write(text.encode(encoding, "backslashreplace").decode(encoding))
    elif hasattr(out, "buffer"):
        out.flush()
        out.buffer.write(text.encode("utf-8", "backslashreplace"))
    else:
        out.write(text)
    out.flush()


def ask(prompt: str) -> str | None:
    """The next line of the standard input without its end, after a prompt; None where no line will come any more.

    Raises Unreadable for a line that is too long or no UTF-8: whoever asks may ask again.
    """
    write(prompt)
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        return None
    try:
        line = rest = stream.readline(LONGEST_LINE + 1)
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE + 1)
    except (OSError, ValueError):  # it is no stream that can be read, or is closed by now
        return None
    if not sys.stdin.isatty():
        write("\n")  # what a person types ends the line of the prompt; what comes from a pipe is not seen
    if not line:
        return None
    if len(line) > LONGEST_LINE:
        raise Unreadable(f"a line of more than {LONGEST_LINE} bytes is not read")
    try:
        return line.decode("utf-8").lstrip("\ufeff").rstrip("\r\n")  # some shells begin a pipe with a byte-order mark
    except UnicodeDecodeError:
        raise Unreadable("the line is not UTF-8") from None
