"""What a tool or a client raised, as data, and raised again from it.

Recorded are the name of the exception's class and its words; of a class that is not built in also its module, the built-in class that it derives from (`is`),
and those of its attributes that are plain words or numbers. It is raised again as that class where the program has it loaded, else as the built-in one.
"""
from __future__ import annotations

from ..ground.errors import GatekitError
from ..matchers.custom import words

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


def told(error: Exception) -> dict:
    """An exception as data."""
    kind = type(error)
    only = error.args[0] if len(error.args) == 1 else None
    made: dict = {"type": kind.__name__, "message": only if isinstance(only, str) else words(error)}
    if _BUILT_IN.get(kind.__name__) is kind:
        return made
    made["module"] = str(kind.__module__)
    made["is"] = next(parent.__name__ for parent in kind.__mro__ if _BUILT_IN.get(parent.__name__) is parent)
    attributes = {name: value for name, value in getattr(error, "__dict__", {}).items() if name[:1] != "_" and (value is None or isinstance(value, (str, int)))}
    return {**made, "attributes": attributes} if attributes else made


def raised(failure: dict) -> Exception:
    """The exception that was recorded."""
    message = failure["message"]
    known = _loaded(failure["type"], failure["module"]) if "module" in failure else None
    if known is not None:
        try:
            # Without its __init__, which may want what was not recorded.
            error = known.__new__(known, message)
            error.args = (message,)
            for name, value in failure.get("attributes", {}).items():
                setattr(error, name, value)
            str(error)
            return error
        except Exception:
            pass  # it cannot be made of its words
    return _BUILT_IN.get(failure.get("is", failure["type"]), Exception)(message)


def _loaded(name: str, module: str):
    """The class of an exception, where a module that is loaded has it."""
    waiting, seen = [Exception], set()
    while waiting:
        for kind in waiting.pop().__subclasses__():
            if kind.__name__ == name and kind.__module__ == module and not issubclass(kind, GatekitError):
                return kind
            if kind not in seen:
                seen.add(kind)
                waiting.append(kind)
    return None
