"""What a tool or a client raised, as data, and raised again from it.

Recorded are the name of the exception's class, the built-in class that it is or derives from, and its words. It is raised again as the class of that name,
where the tool's own module knows it and it can be made from its words, else as the built-in one.
"""
from __future__ import annotations

from ..matchers.custom import words
from ..ground.errors import GatekitError

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
    only = error.args[0] if len(error.args) == 1 else None
    made = {"type": type(error).__name__, "message": only if isinstance(only, str) else words(error)}
    built_in = next(kind.__name__ for kind in type(error).__mro__ if _BUILT_IN.get(kind.__name__) is kind)
    return made if built_in == made["type"] else {**made, "is": built_in}


def raised(failure: dict, function: object = None) -> Exception:
    """The exception that was recorded. `function` is the tool that raised it: its module may know a class that is not built in."""
    message = failure["message"]
    known = getattr(getattr(function, "__wrapped__", function), "__globals__", {}).get(failure["type"]) if "is" in failure else None
    if isinstance(known, type) and issubclass(known, Exception) and not issubclass(known, GatekitError):
        try:
            error = known(message)
            if words(error) == words(Exception(message)):
                return error
        except Exception:
            pass  # it wants other arguments than its words
    return _BUILT_IN.get(failure.get("is", failure["type"]), Exception)(message)
