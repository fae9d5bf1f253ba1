"""What a tool or a client raised, as data, and raised again from it.

Recorded are the name of the exception's class and its words; its arguments where they are not just these words and are plain; those of its attributes that
are plain words or numbers; of a class that is not built in also its module, and the built-in class that it derives from (`is`). It is raised again as that
class where the program has it loaded, else as the built-in one.
"""
from __future__ import annotations

from ..ground.errors import GatekitError
from ..matchers.custom import words
from .classes import loaded

_BUILT_IN = {
    kind.__name__: kind
    for kind in (
        Exception, ArithmeticError, AssertionError, AttributeError, BlockingIOError, BrokenPipeError, BufferError, ChildProcessError,
        ConnectionAbortedError, ConnectionError, ConnectionRefusedError, ConnectionResetError, EOFError, FileExistsError, FileNotFoundError,
        FloatingPointError, ImportError, IndexError, InterruptedError, IsADirectoryError, KeyError, LookupError, MemoryError, ModuleNotFoundError,
        NameError, NotADirectoryError, NotImplementedError, OSError, OverflowError, PermissionError, ProcessLookupError, RecursionError, ReferenceError,
        RuntimeError, TimeoutError, TypeError, UnboundLocalError, ValueError, ZeroDivisionError,
    )
}


# What an OSError knows, in places of its own.
_OF_THE_SYSTEM = ("errno", "strerror", "filename")


def told(error: Exception) -> dict:
    """An exception as data."""
    kind = type(error)
    only = error.args[0] if len(error.args) == 1 else None
    made: dict = {"type": kind.__name__, "message": only if isinstance(only, str) else words(error)}
    if not isinstance(only, str) and all(map(_is_plain, error.args)):
        made["args"] = list(error.args)
    if _BUILT_IN.get(kind.__name__) is not kind:
        made["module"] = str(kind.__module__)
        made["is"] = next(parent.__name__ for parent in kind.__mro__ if _BUILT_IN.get(parent.__name__) is parent)
    attributes = {name: value for name, value in getattr(error, "__dict__", {}).items() if name[:1] != "_" and _is_plain(value)}
    if isinstance(error, OSError):
        attributes.update({name: getattr(error, name) for name in _OF_THE_SYSTEM if getattr(error, name) is not None and _is_plain(getattr(error, name))})
    return {**made, "attributes": attributes} if attributes else made


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, (str, int)) or isinstance(value, float) and value - value == 0


def raised(failure: dict) -> Exception:
    """The exception that was recorded."""
    known = loaded(f"{failure['module']}:{failure['type']}", Exception) if "module" in failure else None
    if known is not None and issubclass(known, GatekitError):
        known = None
    parent = _BUILT_IN.get(failure.get("is", failure["type"]), Exception)
    return (_made(known, failure) if known is not None else None) or _made(parent, failure) or Exception(failure["message"])


def _made(kind: type, failure: dict) -> Exception | None:
    """The exception as one of a class, None where it cannot be made of what was recorded."""
    message = failure["message"]
    try:
        error = _filled(kind, failure)
        if _says(error) or not message:
            return error
        # Its words come from what was not recorded.
        return _filled(type(kind.__name__, (kind,), {"__module__": kind.__module__, "__str__": lambda self: message}), failure)
    except Exception:
        return None


def _filled(kind: type, failure: dict) -> Exception:
    message = failure["message"]
    # Without its __init__, which may want what was not recorded.
    error = kind.__new__(kind, message)
    error.args = tuple(failure["args"]) if "args" in failure else (message,)
    for name, value in failure.get("attributes", {}).items():
        setattr(error, name, value)
    return error


def _says(error: Exception) -> bool:
    try:
        return str(error) not in ("", "None")
    except Exception:
        return False

