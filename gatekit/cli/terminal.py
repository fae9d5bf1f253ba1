"""The standard streams: what is written to them, and what a person or a pipe answers. Whoever types is trusted no more than a model.

A line is read as it comes, from a terminal and from a pipe alike; none is longer than `LONGEST_LINE` bytes, and its end is no answer.
"""
from __future__ import annotations

import sys

from ..ground.errors import GatekitError

LONGEST_LINE = 10_000


class Unreadable(GatekitError):
    """A line that was typed and cannot be read; the next one may be."""


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
