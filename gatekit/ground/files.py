"""Reading and writing files: the narrow edge where the package touches a machine.

Names are given and shown with forward slashes, and sorted by code point, on every platform. A file is read whole (`read_bytes`, to a limit) or line by line
(`read_lines`). A file is written beside its place and then moved there, so that it is whole or not there at all.
"""
from __future__ import annotations

import os
import sys

from .errors import CaseError, GatekitError

_FILE_ENDINGS = (".json", ".jsonl", ".yaml", ".yml")
MAX_FILE = 64 * 1024 * 1024


def is_folder(path: str) -> bool:
    """Whether a path leads to a folder."""
    return "\0" not in path and os.path.isdir(native(path))


def is_file(path: str) -> bool:
    """Whether a path leads to a regular file: not a pipe or a device, which could keep a reader waiting for ever."""
    return "\0" not in path and os.path.isfile(native(path))


def is_there(path: str) -> bool:
    """Whether a path leads to anything."""
    return "\0" not in path and os.path.exists(native(path))


def is_absolute(path: str) -> bool:
    """Whether a path says where it leads by itself, wherever the program was started."""
    return os.path.isabs(native(path))


def given(word: str) -> str:
    """A word of the command line as text: UTF-8 whatever the locale takes it for."""
    try:
        return os.fsencode(word).decode("utf-8", "surrogateescape")
    except UnicodeError:
        return word


def native(path: str) -> str:
    """A path as the operating system's functions of this Python want it: the inverse of `given`."""
    try:
        return os.fsdecode(path.encode("utf-8", "surrogateescape"))
    except UnicodeError:
        return path


def base_name(path: str) -> str:
    """The last part of a path."""
    return os.path.basename(os.path.abspath(path)) or path


def make_folder(path: str, name: str) -> None:
    """Make a folder, if no other program did so at the same moment. Raises GatekitError where it cannot be made."""
    try:
        os.makedirs(native(path), exist_ok=True)
    except (OSError, ValueError) as error:
        raise GatekitError(f"the folder cannot be made: {_reason(error)}", file=name) from None


def join(folder: str, leaf: str) -> str:
    """The path of a file in a folder."""
    return os.path.join(folder, leaf)


def folder_of(path: str) -> str:
    """The absolute path of the folder that a file lies in."""
    return os.path.dirname(os.path.abspath(native(path)))


def folders_above(folder: str) -> list:
    """An absolute folder and those that it lies in, the outermost first."""
    found = [folder]
    while os.path.dirname(found[-1]) != found[-1]:
        found.append(os.path.dirname(found[-1]))
    return found[::-1]


def files_beside(path: str, wanted):
    """Yield `(path, leaf)` of each file in the folder that a file lies in whose name is wanted: `wanted` is a function of it."""
    folder = folder_of(path)
    try:
        present = sorted(name for name in os.listdir(folder) if name[0] != "." and wanted(name))
    except (OSError, ValueError):
        present = []  # a folder that may be passed through and not listed
    for leaf in present:
        yield os.path.join(folder, leaf), leaf


def spelt(path: str) -> str:
    """A path as it is shown: with forward slashes, and a name that is not Unicode escaped."""
    try:
        raw = os.fsencode(path)
    except UnicodeError:
        lone = any("\ud800" <= character <= "\udfff" and not "\udc80" <= character <= "\udcff" for character in path)
        raw = path.encode("utf-8", "surrogatepass" if lone else "surrogateescape")
    return raw.decode("utf-8", "backslashreplace").replace(os.sep, "/")


def files_above(path: str, leaves: tuple):
    """Yield `(path, name)` of each file of these names in the folders that a path lies in, the nearest first. A folder does not lie in itself."""
    folder, way = os.path.abspath(path), "../" if os.path.isdir(path) else ""
    while True:
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent
        try:
            present = sorted(name for name in os.listdir(folder) if name.lower() in leaves)
        except (OSError, ValueError):
            present = []  # a folder that may be passed through and not listed
        for leaf in present:
            yield os.path.join(folder, leaf), way + leaf
        way += "../"


def files_below(folder: str):
    """Yield `(path, name below the folder, fault)` of each file, and of each folder that is not gone through, with the fault that says why.

    Names that begin with a dot are passed over. A link to a folder is not followed, so that no loop of links is endless: it is a fault.
    """
    faults: list = []
    for parent, folders, leaves in os.walk(folder, onerror=faults.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            path = os.path.join(parent, name)
            if os.path.splitext(name)[1].lower() in _FILE_ENDINGS:
                yield path, spelt(os.path.relpath(path, folder)), "it is a folder, and named like a file: name it otherwise"
            if os.path.islink(path):
                yield path, spelt(os.path.relpath(path, folder)), "a link to a folder is not followed: give the folder itself as a PATH"
        for leaf in leaves:
            if not leaf.startswith("."):
                path = os.path.join(parent, leaf)
                yield path, spelt(os.path.relpath(path, folder)), None
    for fault in faults:
        yield fault.filename, spelt(os.path.relpath(fault.filename, folder)), f"the folder cannot be read: {_reason(fault)}"


def read_bytes(path: str, name: str, limit: int = MAX_FILE) -> bytes:
    """The content of a file. Raises GatekitError, with `name` as its file, where it cannot be read or is longer than `limit` bytes."""
    try:
        with open(native(path), "rb") as file:
            content = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise GatekitError(f"the file cannot be read: {_reason(error)}", file=name) from None
    if len(content) > limit:
        raise GatekitError(f"the file is longer than {limit} bytes: split it", file=name)
    return content


def read_lines(path: str | None, name: str, limit: int = MAX_FILE):
    """Yield `(number, line)` of each line of a file, as bytes, split on LF only; `path` None reads the standard input.

    A line that is longer than `limit` comes cut to `limit + 1` bytes, its rest is passed over. Raises GatekitError where the file cannot be read.
    """
    try:
        file = _standard_input(name) if path is None else open(native(path), "rb")
    except (OSError, ValueError) as error:
        raise GatekitError(f"the file cannot be read: {_reason(error)}", file=name) from None
    number = 0
    try:
        while True:
            line = file.readline(limit + 1)
            if not line:
                return
            number += 1
            yield number, line
            if len(line) > limit:
                while line and not line.endswith(b"\n"):
                    line = file.readline(limit)
    except OSError as error:
        raise GatekitError(f"the file cannot be read: {_reason(error)}", file=name, line=number or None) from None
    finally:
        if path is not None:
            file.close()


def read_input(path: str | None, name: str) -> bytes:
    """The content of a file, or of the standard input where `path` is None."""
    if path is not None:
        return read_bytes(path, name)
    content = _standard_input(name).read(MAX_FILE + 1)
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


def _standard_input(name: str):
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise GatekitError("there is no standard input to read: it is closed", file=name)
    return stream


def write_file(path: str, content: bytes, name: str) -> None:
    """Write a file whole, or not at all; what is no regular file (a pipe, a device) is written to as it is. Raises GatekitError where it cannot be written."""
    target = os.path.realpath(native(path))
    beside = None
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as file:
                file.write(content)
            return
        for number in range(100):
            try:
                file = open(f"{target}.{number}.part", "xb")
            except FileExistsError:
                continue
            beside = file.name
            with file:
                file.write(content)
            os.replace(beside, target)
            return
        raise FileExistsError
    except (OSError, ValueError) as error:
        if beside is not None and os.path.exists(beside):
            os.unlink(beside)
        reason = "its folder is not there" if isinstance(error, FileNotFoundError) else _reason(error)
        raise GatekitError(f"the file cannot be written: {reason}", file=name) from None


class LineWriter:
    """Appends lines to a file, each handed to the operating system whole and at once: what was written stays, whatever becomes of this process.

    `cut` is how many bytes of a line that was begun and never finished were taken away from the end of the file, 0 where there were none.
    Raises GatekitError, with `name` as its file, where it cannot be written.
    """

    __slots__ = ("name", "cut", "_file")

    def __init__(self, path: str, name: str, is_whole) -> None:
        """Open a file for appending. `is_whole` says of its last line, as bytes without an end, whether it was finished."""
        self.name = name
        self.cut = 0
        try:
            self._file = open(native(path), "a+b", buffering=0)
            size = self._file.seek(0, os.SEEK_END)
            start = _last_line(self._file, size)
            self._file.seek(start)
            last = self._file.read(size - start)
            if last and not is_whole(last.rstrip(b"\n")):
                self.cut = len(last)
                self._file.truncate(start)
            elif last and not last.endswith(b"\n"):
                self.write(b"")
        except (OSError, ValueError) as error:
            raise GatekitError(f"the file cannot be written: {_reason(error)}", file=name) from None

    def write(self, line: bytes) -> None:
        """Append one line, without its end."""
        left = line + b"\n"
        try:
            while left:
                left = left[self._file.write(left) :]
        except (OSError, ValueError) as error:
            raise GatekitError(f"the file cannot be written: {_reason(error)}", file=self.name) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _last_line(file, size: int) -> int:
    """Where the last line of a file begins."""
    end = size - 1  # the end of the last line is no line of its own
    while end > 0:
        begin = max(0, end - 65536)
        file.seek(begin)
        found = file.read(end - begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0


def files_in(folder: str, name: str) -> list:
    """`(path, name)` of each regular file of a folder, sorted, but for those that begin with a dot. Raises GatekitError where it cannot be read."""
    try:
        leaves = sorted(os.listdir(native(folder)))
    except (OSError, ValueError) as error:
        raise GatekitError(f"the folder cannot be read: {_reason(error)}", file=name) from None
    paths = [(os.path.join(native(folder), leaf), f"{name.rstrip('/')}/{spelt(leaf)}") for leaf in leaves if not leaf.startswith(".")]
    return [(path, shown) for path, shown in paths if os.path.isfile(path)]


def same_file(path: str, other: str) -> bool:
    """Whether two paths lead to one file, there or not."""
    return os.path.realpath(native(path)) == os.path.realpath(native(other))


# What the operating system says, in words that are the same on each.
_REASONS = (
    (FileNotFoundError, "it is not there"),
    (PermissionError, "it may not be opened"),
    (IsADirectoryError, "it is a folder"),
    (NotADirectoryError, "a part of its path is no folder"),
)


def _reason(error: Exception) -> str:
    for kind, words in _REASONS:
        if isinstance(error, kind):
            return words
    return "the operating system refused"
