"""Reading and writing files: the narrow edge where the package touches a machine.

Names are given and shown with forward slashes, and sorted by code point, on every platform. A file is read whole (`read_bytes`, to a limit) or line by line
(`read_lines`). A file is written beside its place and then moved there, so that it is whole or not there at all.
"""
from __future__ import annotations

import os
import sys

from .errors import CaseError, GatekitError

MAX_FILE = 64 * 1024 * 1024


def is_folder(path: str) -> bool:
    """Whether a path leads to a folder."""
    return os.path.isdir(path)


def is_file(path: str) -> bool:
    """Whether a path leads to a file."""
    return os.path.isfile(path)


def base_name(path: str) -> str:
    """The last part of a path."""
    return os.path.basename(os.path.abspath(path)) or path


def spelt(path: str) -> str:
    """A path as it is shown: with forward slashes, and a name that is not Unicode escaped."""
    return path.replace(os.sep, "/").encode("utf-8", "backslashreplace").decode("utf-8")


def files_below(folder: str):
    """Yield `(path, name below the folder)` of each file, or `(None, name)` of what cannot be listed; names that begin with a dot are passed over.

    A link to a folder is not followed: so no loop of links is endless.
    """
    for parent, folders, leaves in os.walk(folder, onerror=None):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        below = os.path.relpath(parent, folder)
        for leaf in leaves:
            if not leaf.startswith("."):
                yield os.path.join(parent, leaf), spelt(leaf if below == os.curdir else os.path.join(below, leaf))


def read_bytes(path: str, name: str, limit: int = MAX_FILE) -> bytes:
    """The content of a file. Raises GatekitError, with `name` as its file, where it cannot be read or is longer than `limit` bytes."""
    try:
        with open(path, "rb") as file:
            content = file.read(limit + 1)
    except OSError as error:
        raise GatekitError(f"the file cannot be read: {_reason(error)}", file=name) from None
    if len(content) > limit:
        raise GatekitError(f"the file is longer than {limit} bytes: split it", file=name)
    return content


def read_lines(path: str | None, name: str, limit: int = MAX_FILE):
    """Yield `(number, line)` of each line of a file, as bytes, split on LF only; `path` None reads the standard input.

    A line that is longer than `limit` comes cut to `limit + 1` bytes, its rest is passed over. Raises GatekitError where the file cannot be read.
    """
    try:
        file = sys.stdin.buffer if path is None else open(path, "rb")
    except OSError as error:
        raise GatekitError(f"the file cannot be read: {_reason(error)}", file=name) from None
    number = 0
    try:
        while True:
            line = file.readline(limit + 1)
            if not line:
                return
            number += 1
            yield number, line
            while len(line) > limit and not line.endswith(b"\n"):
                line = file.readline(limit)
                if not line:
                    return
    except OSError as error:
        raise GatekitError(f"the file cannot be read: {_reason(error)}", file=name, line=number or None) from None
    finally:
        if path is not None:
            file.close()


def read_input(path: str | None, name: str) -> bytes:
    """The content of a file, or of the standard input where `path` is None."""
    if path is not None:
        return read_bytes(path, name)
    content = sys.stdin.buffer.read(MAX_FILE + 1)
    if len(content) > MAX_FILE:
        raise GatekitError(f"the input is longer than {MAX_FILE} bytes", file=name)
    return content


def text_of(content: bytes, name: str) -> str:
    """Bytes as text: UTF-8, a byte-order mark dropped. Raises CaseError with the line of the first byte that is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise CaseError("the file is not UTF-8: save it as UTF-8", file=name, line=line) from None


def write_file(path: str, content: bytes, name: str) -> None:
    """Write a file whole, or not at all. Raises GatekitError where it cannot be written."""
    beside = f"{path}.part"
    try:
        with open(beside, "wb") as file:
            file.write(content)
        os.replace(beside, path)
    except OSError as error:
        try:
            os.unlink(beside)
        except OSError:
            pass
        reason = "its folder is not there" if isinstance(error, FileNotFoundError) else _reason(error)
        raise GatekitError(f"the file cannot be written: {reason}", file=name) from None


# What the operating system says, in words that are the same on each.
_REASONS = (
    (FileNotFoundError, "it is not there"),
    (PermissionError, "it may not be opened"),
    (IsADirectoryError, "it is a folder"),
    (NotADirectoryError, "a part of its path is no folder"),
)


def _reason(error: OSError) -> str:
    for kind, words in _REASONS:
        if isinstance(error, kind):
            return words
    return "the operating system refused"
