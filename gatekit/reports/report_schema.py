"""The JSON Schema of the JSON report, `gatekit-report/1`: what a program may rely on, and what a report that is read back is held to.

It is made from the tables that the report is written by, and each name of theirs has its line here, or the module does not load: neither says what the
other does not know. Members that are not required say when they are there.
"""
from __future__ import annotations

from ..data.curtain import Where
from ..data.sample import LABELS
from ..data.transcript import KINDS, Line
from ..ground.record import Record
from ..judging.difference import Difference
from ..judging.draws import MOST_DRAWS
from ..judging.rates import EXIT_CODES, LARGEST, WORST_FIRST, Thresholds
from ..judging.report import COUNTED, Stopped
from ..judging.verdict import STATUSES
from ..matchers.outcome import ORDER
from ..text.word_diff import STEPS
from .json_report import ERROR, FINDING, FORMAT, NAMED

_DEPRECATED = "deprecated"
_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_COUNT = {"type": "integer", "minimum": 0, "exclusiveMaximum": LARGEST}
_SOME = {"type": "integer", "minimum": 1, "exclusiveMaximum": LARGEST}
_SOME_OR_NULL = {**_SOME, "type": ["integer", "null"]}
_ONLY_TRUE = {"const": True}
_STATUS = {"enum": list(STATUSES)}
_TIER = {"type": "integer", "minimum": 1, "maximum": 5}
_SHARE = {"type": "string", "pattern": "^([01]([.][0-9]{1,20})?|[0-9]{1,640}/[1-9][0-9]{0,639})$"}
_DRAWN = {"type": ["string", "null"], "pattern": "^[01][.][0-9]{6}$"}


def _list(items: dict, least: int = 0) -> dict:
    return {"type": "array", "items": items, **({"minItems": least} if least else {})}


def _object(required: dict, optional: dict | None = None) -> dict:
    return {"type": "object", "properties": {**required, **(optional or {})}, "required": list(required), "additionalProperties": False}


def _or_null(schema: dict) -> dict:
    """An object, or null."""
    return {**schema, "type": [schema["type"], "null"]}


def _each(names, schemas: dict) -> dict:
    """The schemas of the names of a table, in its order. A name without a schema, or a schema without a name, is a KeyError."""
    names = tuple(names)
    for strange in set(schemas) ^ set(names):
        raise KeyError(strange)
    return {name: schemas[name] for name in names}


def _record(of: type[Record], schemas: dict, optional: tuple = ()) -> dict:
    known = _each(of.__slots__, schemas)
    return _object({name: known[name] for name in known if name not in optional}, {name: known[name] for name in optional})


def _said(words: str, schema: dict) -> dict:
    return {"description": words, **schema}


def _by_name(words: str, schema: dict) -> dict:
    return _said(words, {"type": "object", "additionalProperties": schema, "minProperties": 1})


def _then(name: str, value: object, holds: dict, otherwise: dict | None = None) -> dict:
    """What holds where a member has a value, and otherwise."""
    return {"if": {"properties": {name: {"const": value}}, "required": [name]}, "then": holds, **({"else": otherwise} if otherwise else {})}


_SUBJECTS = _said(
    "the models and prompt versions that were judged; there where any was recorded",
    _list(_object({"model": _TEXT_OR_NULL, "prompt_version": _TEXT_OR_NULL}), 1),
)
_GROUP = _object({"passed": _COUNT, "check_failed": _COUNT}, {name: _SOME for name in COUNTED if name not in ("passed", "check_failed", _DEPRECATED)})
_WHERE = _or_null(_record(Where, {"line": _SOME, "column": _SOME, "before": _TEXT, "hit": _TEXT, "after": _TEXT, "inside": _TEXT_OR_NULL}))
_STEP = {"type": "array", "prefixItems": [{"enum": list(STEPS)}, _TEXT], "minItems": 2, "items": False}
_DIFFERENCE = _record(
    Difference,
    {
        "note": _said("in words, where only white space, case, the Unicode form or the like differs", _TEXT),
        "words": _said("the steps from the expected text to the actual one: kept, gone, new, left out", _list(_STEP, 1)),
        "paths": _said("each place of JSON that differs, as a sentence that begins with its JSON Pointer", _list(_TEXT, 1)),
    },
    Difference.__slots__,
)
_LINE = _record(
    Line,
    {
        "kind": {"enum": list(KINDS)},
        "turn": _COUNT,
        "message": _COUNT,
        "text": _TEXT,
        "name": _said("the tool; of a call or a result whose tool is known", _TEXT),
        "failed": _said("there where a call failed", _ONLY_TRUE),
    },
    ("name", "failed"),
)
_FINDING = _object(
    _each(
        FINDING,
        {
            "rule": _TEXT,
            "type": _TEXT,
            "tier": _TIER,
            "outcome": {"enum": list(ORDER)},
            "reason": _TEXT,
            "expected": _said("any JSON value, cut where it is long", {}),
            "actual": _said("any JSON value, cut where it is long", {}),
            "where": {"$ref": "#/$defs/where"},
            "review_required": {"type": "boolean"},
            "veto": {"type": "boolean"},
        },
    ),
    {
        "difference": _said("how expected and actual differ; there where the rule holds the one against the other", {"$ref": "#/$defs/difference"}),
        "turns": _said("the turns of a conversation that show it, from 0; there where any do", _list(_COUNT, 1)),
    },
)
_RECORDED = {
    "model": _TEXT,
    "prompt_version": _TEXT,
    "label": {"enum": list(LABELS)},
    "note": _TEXT,
    "reasoning": _said("what was done with reasoning that stood in the output", _TEXT),
    "output_sha256": _said("the digest of an output that a person may decide about", {"type": "string", "pattern": "^[0-9a-f]{64}$"}),
    "answer": _said("what the agent answered, cut where it is long; of a sample that is no conversation and that did not pass or a person rejected", _TEXT),
}
_SAMPLE = _object(
    {"sample": _TEXT, "status": _STATUS, "findings": _said("those that did not pass; with --verbose all", _list({"$ref": "#/$defs/finding"}))},
    {
        "excluded": _said("there where the sample does not gate", _ONLY_TRUE),
        **_each(NAMED, _RECORDED),
        "transcript": _said("the conversation, of the first samples that did not pass", _list({"$ref": "#/$defs/line"}, 1)),
        "retries": _said("the attempts that do not count, there where there are any", _list(_object({"attempt": _SOME, "status": _STATUS}), 1)),
    },
)
_HELD_TO = {"max_failure_rate": _SHARE, "max_transient": _SHARE, "min_judged": _SOME, "rounding": {"type": "boolean"}, "confidence": _SHARE}
_JUDGED = {
    "reason": _said("why it did not pass", _TEXT_OR_NULL),
    "rate": _said("the failure rate; null where nothing was judged", _or_null(_object({"failures": _COUNT, "judged": _SOME}))),
    "gate": _said("what the case was held to; confidence where it was asked for", _record(Thresholds, _HELD_TO, ("confidence",))),
}
_JUDGED_TOO = {
    "evidence": _said("what so many samples show of the rate; of a batch", _TEXT),
    "draws": _said("pass@k and pass^k, with --pass-k", _list(_object({"k": {**_SOME, "maximum": MOST_DRAWS}, "pass_at_k": _DRAWN, "pass_hat_k": _DRAWN}), 1)),
    "vetoed": _said("there where a rule with a veto failed", _ONLY_TRUE),
    "findings_left_out": _said("how many samples did not pass and have no findings here", _SOME),
    "lines": _said("by the name of a rule that did not hold, its line in the file; of the first such rules", {"$ref": "#/$defs/lines"}),
}
_CASE = {
    **_object(
        {
            "id": _TEXT,
            "file": _TEXT_OR_NULL,
            "level": {**_TIER, "type": ["integer", "null"]},
            "outcome": {"enum": [*(outcome for outcome in WORST_FIRST if outcome != "error"), _DEPRECATED]},
            "samples": _list({"$ref": "#/$defs/sample"}),
        },
        {
            **_JUDGED,
            **_JUDGED_TOO,
            _DEPRECATED: _said("how many samples there were; of a case that is deprecated", _COUNT),
            "description": _TEXT,
            "tags": _list(_TEXT, 1),
            "owner": _TEXT,
            "subjects": _SUBJECTS,
            "planned": _said("how many samples there would have been; of a batch that stopped before", _COUNT),
        },
    ),
    **_then(
        "outcome",
        _DEPRECATED,
        {"required": [_DEPRECATED], "properties": {"samples": {"type": "array", "maxItems": 0}, **dict.fromkeys((*_JUDGED, *_JUDGED_TOO), False)}},
        {"required": list(_JUDGED), "properties": {_DEPRECATED: False, "level": _TIER}},
    ),
}
_STOPPED = _object(
    {
        **_each(
            Stopped.__slots__,
            {
                "max_failures": _said("so many failures end the run", _SOME),
                "failures": _SOME,
                "judged": _said("how many samples were, without those that do not gate", _SOME),
                "cases_not_judged": _said("the ids of the cases of which no sample was, which are none of `cases`", _list(_TEXT)),
            },
        ),
        "reason": _TEXT,
    }
)
_PLACES = {
    "file": _TEXT_OR_NULL,
    "line": _SOME_OR_NULL,
    "column": _SOME_OR_NULL,
    "path": _said("keys and indexes", _list({"type": ["string", "integer"], "minimum": 0})),
    "message": _TEXT,
}
_DEFINED = {
    "group": _GROUP,
    "case": _CASE,
    "sample": _SAMPLE,
    "finding": _FINDING,
    "where": _WHERE,
    "difference": _DIFFERENCE,
    "line": _LINE,
    "lines": {"type": "object", "additionalProperties": _SOME, "minProperties": 1},
    "error": _object(_each(ERROR, _PLACES)),
}


def report_schema() -> dict:
    """The schema of a JSON report, as a JSON value (draft 2020-12)."""
    groups = {"$ref": "#/$defs/group"}
    levels = {"type": "object", "properties": {str(level): groups for level in range(1, 6)}, "additionalProperties": False}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"a JSON report of gatekit ({FORMAT})",
        **_object(
            {
                "format": {"const": FORMAT},
                "outcome": {"enum": list(WORST_FIRST)},
                "exit_code": {"enum": sorted(EXIT_CODES.values())},
                "counts": _object({"samples": _COUNT, **dict.fromkeys(COUNTED, _COUNT)}, {"retries": _said("there where there were any", _SOME)}),
                "levels": _said("by the level of the case, how many samples had which status", levels),
                "cases": _list({"$ref": "#/$defs/case"}),
                "errors": _said("what could not be read or judged", _list({"$ref": "#/$defs/error"})),
            },
            {
                "shard": _said("the part of a run that this is the report on, as 2/4", {"type": "string", "pattern": "^[1-9][0-9]{0,8}/[1-9][0-9]{0,8}$"}),
                "files": _by_name("of a shard: the ways to files from where the program was started, by the names that they have here, where the two differ", _TEXT),
                "stopped": _said("of a run that was ended by its failures: the rest is of what was judged before", _STOPPED),
                "subjects": _SUBJECTS,
                "tags": _by_name("as levels, by tag; there where cases have any", groups),
                "owners": _by_name("as levels, by owner; there where cases have any", groups),
                "overrides": _said("the decisions of persons that let a failure pass", _list(_TEXT, 1)),
                "reviews": _said("the decisions of persons that were waited for", _list(_TEXT, 1)),
            },
        ),
        "allOf": [_then("outcome", outcome, {"properties": {"exit_code": {"const": code}}}) for outcome, code in EXIT_CODES.items()]
        + [{"if": {"required": ["stopped"]}, "then": {"properties": {"outcome": {"enum": ["error", "fail"]}, "shard": False}}}],
        "$defs": _DEFINED,
    }
