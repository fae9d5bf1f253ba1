"""JSON found in a text that a model wrote: the whole of it, a fenced block, or a value in running prose. Never repaired, never guessed.

`find_json` looks for the one value that the answer means, in stages; the first stage that has a candidate decides:

1. the whole text, trimmed, is JSON (a scalar counts here only);
2. fenced blocks tagged `json`; a broken or unclosed one is a candidate too, since the model meant it;
3. untagged fenced blocks that are JSON as a whole, and unclosed ones that begin as JSON;
4. values in the text as it runs, each as large as it can be.

A candidate is a value of the kind that is asked for. Two at one stage are ambiguous, even where they are equal. In stage 4:
- a broken value is broken as a whole: none of its inner values takes its place. It reaches to where its brackets close, or to the end;
- a broken value that a lax parser would read (a key that stands twice, NaN), and one that is cut off, count as candidates;
- what looks like brackets of prose is no value: `{placeholder}`, `{x in A}`, `[text](link)`, `[0, 1)`, `items[0]`, `\\{`; unless the first
  bracket of the whole text closes at its very end: then the text is one value, or broken;
- what may as well be prose counts only where nothing else is found: first lists of small integers, `[1, 2]`, then `[7]`, `{}`, `[]`.
"""
from __future__ import annotations

import re

from ..formats.json_lexis import Fault, line_and_column
from ..formats.strict_json import ValueReader
from ..ground.canonical import json_kind
from ..ground.record import Record
from .fences import BLANKS, Block, fenced_blocks

_MAX_STRETCHES = 1000  # a text of more is no answer, and a hostile one costs no more
_MAX_BLOCKS = 20_000
_MAX_NAMED = 5
_JSON_TAGS = ("json", "application/json")
_KINDS = {"object": (dict,), "array": (list,), "any": (dict, list)}
_OPENERS = {"object": "{", "array": "[", "any": "{["}
_NOUNS = {"object": "object", "array": "array", "any": "object or array"}

# A bracket that opens JSON, or what was meant as JSON, by what stands around it.
# What begins with a key and a value was meant as an object, whatever is wrong with it further on; `{"a": <n>}` is a template.
_KEYED = r"\{\s{0,99}\"[^\"\\\n]{0,200}\"\s{0,9}:\s{0,9}(?:[\"\[{0-9-]|true|false|null)"
_OPENER = r"""(?xa)
    (?<!\\) (?:
        \{ (?= \s* (?: \Z | \\?["'\u2018\u2019\u201c\u201d] | [{}\[,] | // | /\* | [\w$-]+ \s* : ) )
      | (?<![A-Za-z0-9_)\]]) \[
        (?= \s* (?: \Z | \\?["'\u2018\u2019\u201c\u201d] | [{\[\],] | -?[0-9] | // | /\*
                   | (?:true|false|null|NaN|-?Infinity|None|True|False)\b ) )
        (?! [^\[\]\n]* \] \( )                                              # [text](link)
        (?! \s* -? [0-9.]+ \s* , \s* [^\s,\[\](){}]+ \s* [)\[] )                # [0, 1)
    )"""
_UNKNOWN = Fault(0, "broken, and not yet asked why")
_CLOSER = r"[ \t\r\n]*([}\]])"


class Found(Record):
    """The value that was found, and where in the text it stands."""

    __slots__ = ("value", "start", "end")
    failed = False

    def __init__(self, value, start: int, end: int) -> None:
        self._set(value, start, end)


class Failure(Record):
    """Why there is no value: the reason in words, and the offsets of what it speaks of, or None."""

    __slots__ = ("reason", "start", "end")
    failed = True

    def __init__(self, reason: str, start: int | None = None, end: int | None = None) -> None:
        self._set(reason, start, end)


class _Stretch(Record):
    """A stretch of the text that is a JSON value, or a broken one (then `fault` says why)."""

    __slots__ = ("start", "end", "value", "fault")

    def __init__(self, start: int, end: int, value=None, fault: Fault | None = None) -> None:
        self._set(start, end, value, fault)

    def doubt(self) -> int:
        """How much a value looks like brackets of prose: 0 not, 1 a list of small integers, 2 empty or a lone small integer."""
        if not self.value:
            return 2
        if isinstance(self.value, dict) or not all(type(item) is int and 0 <= item < 10000 for item in self.value):
            return 0
        return 1 if len(self.value) > 1 else 2


def find_json(text: str, kind: str = "any"):
    """The one JSON value that a text gives: Found, or a Failure that says why there is none.

    Args:
        text: an output.
        kind: `object`, `array`, or `any` of both (then a text that is a scalar as a whole counts too).
    """
    reader = ValueReader(text)
    return _whole(reader, kind) or _fenced(reader, kind) or _in_prose(reader, kind)


def all_json(text: str) -> list:
    """Every JSON object and array of a text, in fences or not, each as large as it can be: (start, end, value).

    Broken ones are left out: what never-rules must not miss is in `escaped_places`.
    """
    return [(found.start, found.end, found.value) for found in _stretches(ValueReader(text)) if found.fault is None]


def _whole(reader: ValueReader, kind: str):
    """Stage 1, or None where the text is not meant as one value."""
    text = reader.text
    start, end = len(text) - len(text.lstrip(BLANKS)), len(text.rstrip(BLANKS))
    if start >= end:
        return Failure("the text is empty: there is no JSON in it")
    value, stop = reader.attempt(start, end) or (None, None)
    if stop is None and _is_meant_whole(reader, start, end):
        return _failure(text, start, end, reader.fault(start, end))
    if stop != end:
        return None
    if kind == "any" or isinstance(value, _KINDS[kind]):
        return Found(value, start, end)
    return Failure(f"the JSON is {json_kind(value)}, not an {_NOUNS[kind]}", start, end)


def _is_meant_whole(reader: ValueReader, start: int, end: int) -> bool:
    """Whether a broken text is meant as one value: its first bracket closes at its end, or it is one word that begins as a scalar."""
    first = reader.text[start]
    if first in "{[":
        return reader.stretch_end(start) == end
    return first in '"-0123456789' and len(reader.text[start:end].split(None, 1)) == 1


def _fenced(reader: ValueReader, kind: str):
    """Stages 2 and 3, or None where no fenced block is meant as the answer."""

    def value_end(start, stop):
        found = reader.attempt(start, stop)
        return None if found is None else found[1]

    meant = []
    for count, block in enumerate(fenced_blocks(reader.text, value_end)):
        if count == _MAX_BLOCKS:
            return Failure(f"the text has more than {_MAX_BLOCKS} fenced blocks: that is no answer", block.start, block.end)
        if block.tag in _JSON_TAGS or not block.tag and reader.text[block.start:block.start + 1] in ("{", "["):
            if len(meant) == _MAX_STRETCHES:
                return Failure(f"ambiguous: more than {_MAX_STRETCHES} fenced blocks look like JSON", block.start, block.end)
            meant.append(block)
    for tags in (_JSON_TAGS, ("",)):
        contents = [_content(reader, block) for block in meant if block.tag in tags]
        candidates = [found for found in contents if found and (found.fault is not None or isinstance(found.value, _KINDS[kind]))]
        if candidates:
            return _decide(reader.text, candidates, "fenced JSON blocks")
    return None


def _content(reader: ValueReader, block: Block) -> _Stretch | None:
    """The content of a block, or None where an untagged one is not JSON as a whole."""
    found = reader.attempt(block.start, block.end)
    if found is None or found[1] != block.end:
        if block.closed and not block.tag:
            return None
        return _Stretch(block.start, block.end, fault=reader.fault(block.start, block.end))
    if block.closed:
        return _Stretch(block.start, block.end, found[0])
    fault = Fault(block.opened, "this fence is never closed: look whether the text was cut off", cut=True)
    return _Stretch(block.start, block.end, fault=fault)


def _in_prose(reader: ValueReader, kind: str):
    """Stage 4."""
    text = reader.text
    ranked, broken, others = ([], [], []), None, None
    for count, found in enumerate(_stretches(reader)):
        if count == _MAX_STRETCHES:
            return Failure(f"ambiguous: more than {_MAX_STRETCHES} stretches of the text look like JSON", found.start, found.end)
        if found.fault is not None:
            fault = reader.fault(found.start) if found.fault is _UNKNOWN else found.fault
            found = _Stretch(found.start, found.end, fault=fault)
            broken = broken or found
            meant = fault.cut or fault.readable or re.compile(_KEYED).match(text, found.start)
            if meant and text[found.start] in _OPENERS[kind]:
                ranked[0].append(found)
        elif isinstance(found.value, _KINDS[kind]):
            doubt = found.doubt()
            if doubt < 2 or _stands_alone(text, found):
                ranked[doubt].append(found)
        else:
            others = others or found
    for candidates in ranked:
        if candidates:
            return _decide(text, candidates, f"{_NOUNS[kind]}s in the text".replace("object or arrays", "JSON values"))
        if broken is not None:
            return _failure(text, broken.start, broken.end, broken.fault)
    if others is not None:
        return Failure(f"the JSON in the text is {json_kind(others.value)}, not an {_NOUNS[kind]}", others.start, others.end)
    return Failure(f"there is no JSON {_NOUNS[kind]} in the text")


def _stands_alone(text: str, found: _Stretch) -> bool:
    """Whether a value has its line, or code ticks, for itself: in running prose `[1]` is a citation and `{}` a placeholder."""
    before = text[max(0, found.start - 1000) : found.start].rpartition("\n")[2].strip()
    after = text[found.end : found.end + 1000].partition("\n")[0].strip()
    return not before and not after or before[-1:] == "`" and after[:1] == "`"


def _stretches(reader: ValueReader):
    """Each stretch of a text that is JSON or was meant as such, in order; a broken one may have the fault `_UNKNOWN`."""
    text, position = reader.text, 0
    opener, closer = re.compile(_OPENER), re.compile(_CLOSER)
    prose = {"}": 0, "]": 0}  # brackets of prose that are open, by what closes them
    while True:
        bracket = opener.search(text, position)
        if bracket is None:
            return
        start = bracket.start()
        for close, open_ in (("}", "{"), ("]", "[")):
            prose[close] = max(0, prose[close] + text.count(open_, position, start) - text.count(close, position, start))
        found = reader.attempt(start)
        if found is None:
            position = reader.stretch_end(start) or len(text)
            yield _Stretch(start, position, fault=_UNKNOWN)
            continue
        value, position = found
        behind = closer.match(text, position)
        if behind and not prose[behind[1]]:
            fault = Fault(behind.start(1), f"'{behind[1]}' closes nothing: a bracket is missing or one too many", readable=True)
            yield _Stretch(start, position, fault=fault)
        else:
            yield _Stretch(start, position, value)


def _decide(text: str, candidates: list, noun: str):
    """The only candidate of a stage; a Failure where it is broken, or is one of several."""
    first = candidates[0]
    if len(candidates) == 1:
        return Found(first.value, first.start, first.end) if first.fault is None else _failure(text, first.start, first.end, first.fault)
    lines = list(dict.fromkeys(str(line_and_column(text, found.start)[0]) for found in candidates[:_MAX_NAMED]))
    more = ", ..." if len(candidates) > _MAX_NAMED else ""
    return Failure(f"ambiguous: {len(candidates)} {noun}, on line{'s' * (len(lines) > 1)} {', '.join(lines)}{more}", first.start, candidates[-1].end)


def _failure(text: str, start: int, end: int, fault: Fault) -> Failure:
    line, column = line_and_column(text, fault.offset)
    return Failure(f"the JSON does not hold (line {line}, column {column}): {fault.message}", start, end)
