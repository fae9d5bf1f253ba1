"""The classes of recorded objects, found again by name among those that the program has loaded. Nothing is imported for a recording."""
from __future__ import annotations

_MOST_MISSED = 20
_found: dict = {}  # (module, name): the class
_missed: dict = {}  # (module, name): how often it was sought in vain


def named(kind: type) -> str:
    """A class by its name, as `module:Name`."""
    return f"{kind.__module__}:{kind.__name__}"


def loaded(name: str, root: type = object):
    """The class of a name, the root's or one below it, where the program has it loaded; else None. One that is not there yet may be loaded later."""
    if name not in _found:
        if _missed.get(name, 0) >= _MOST_MISSED:
            return None
        found = _sought(name, root)
        if found is None:
            _missed[name] = _missed.get(name, 0) + 1
            return None
        _found[name] = found
    return _found[name] if issubclass(_found[name], root) else None


def _sought(name: str, root: type):
    module, _, leaf = name.rpartition(":")
    waiting, seen = [root], {root}
    while waiting:
        for kind in type.__subclasses__(waiting.pop()):
            if kind.__name__ == leaf and kind.__module__ == module:
                return kind
            if kind not in seen:
                seen.add(kind)
                waiting.append(kind)
    return None
