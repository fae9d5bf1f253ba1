"""Immutable values: comparable, hashable, printable, picklable.

A record names its fields in `__slots__`, in the order of its `__init__`, and sets them there through `_set`. Slots that begin with an underscore
come last and hold what is worked out from the others: they are neither compared nor shown nor pickled. (The standard library's
dataclasses would do the same, and double the time that the program takes to start.)
"""
from __future__ import annotations

import re

_COMMAND = "##(?=[A-Za-z]{0,40}\\[)"  # in the log of a build, where a test prints what went wrong


class Record:
    """A value that never changes. Two records of one class with equal fields are equal."""

    __slots__ = ()

    def _set(self, *values) -> None:
        for name, value in zip(self.__slots__, values):
            object.__setattr__(self, name, value)

    def _values(self) -> tuple:
        return tuple(getattr(self, name) for name in self._names())

    @classmethod
    def _names(cls) -> list:
        return [name for name in cls.__slots__ if name[0] != "_"]

    def __setattr__(self, name, value):
        raise AttributeError(f"a {type(self).__name__} does not change: make a new one")

    def __delattr__(self, name):
        raise AttributeError(f"a {type(self).__name__} does not change: make a new one")

    def __eq__(self, other):
        return self._values() == other._values() if type(self) is type(other) else NotImplemented

    def __hash__(self):
        return hash((type(self).__name__, self._values()))

    def __repr__(self):
        inside = ", ".join(f"{name}={getattr(self, name)!a}" for name in self._names())
        return re.sub(_COMMAND, r"#\\x23", f"{type(self).__name__}({inside})")

    def __reduce__(self):
        return type(self), self._values()
