"""Whether a result that carries no flag is an error, by what it says.

A text is one where it begins like one (`Error: ...`, `ValueError: ...`, `Traceback (most recent call last)`), not where it mentions one. A JSON object, as a
value or as a text, is one where its own keys say so: an `error` that is not empty, `"success": false`, an HTTP status of 400 or more. A `status`
such as "failed" counts only where nothing stands beside it but words on it: an order whose payment failed is a good answer to who asked for it; and one
that is an end like any other, "cancelled" or "expired", never does. Of what is wrapped (the parts of a result, an object with nothing in
it but its `result`) the first text, or the value inside, decides. A list of anything else is data.
"""
from __future__ import annotations

import re

from ...ground.errors import GatekitError
from ..strict_json import read_json
from .flags import FAILED

_BEGINNING = r"""(?xi) [\s*#>`"'\[(<\u274c\u26a0\ufe0f]* (?:
    errors? \s* [:*\])>]+ (?! \s* (?: [0-9]+ | none | no | null | false ) \s* (?: $ | [,;.\n] ) )
    | error (?: \s* [!.,;] | \s* $ | \s+-\s | \s* \n
        | \s+ (?: while | when | in | during | on | at | from | with | occurred | executing | calling | running | invoking | reading | writing | parsing
            | loading | fetching | processing | validating | creating | connecting | opening | handling \s+ (?: the | your | this ) \s+ request | not?
            | the | cannot | could | failed | unable | invalid | missing | code | \(? \d+ ) \b )
    | (?: [a-z_][a-z0-9_]* \. )* (?-i: [A-Z][A-Za-z0-9_]* (?:Error|Exception) ) (?: \s* [:(] | \s* $ )
    | exception (?: \s* [:!(] | \s* $ | \s+ (?: in | occurred | while | when | raised ) \b )
    | (?: an | the )? \s* (?: (?: unexpected | internal | unknown | server | execution | api | runtime | validation | tool | fatal | http ) \s+ ){0,2}
        (?: error | exception ) \s+ (?: has \s+ )? (?: occurred | happened | was \s+ (?: encountered | raised | thrown ) )
    | (?: tool | api | runtime | validation | execution | server | internal | fatal | http | network | system | syntax | type | value | key | input | mcp | (?: json-? )? rpc )
        (?: \s+ (?: execution | call | server | use ) )? [\s_-]* (?: error | exception ) \s* (?: [:!\])>] | $ | -?\d+ \s* : )
    | [1-9]\d* \s+ validation \s+ errors? \s+ for \s
    | traceback \s+ \( most \s+ recent
    | fail (?: ed | ure ) (?: \s* [:!] | \s* $ | \s+ to \s )
    | (?: tool | function | api | request ) \s+ (?: (?: execution | call | use ) \s+ )? (?: failed | errored | timed \s+ out ) \b
    | (?: the | your | this ) \s+ (?: (?: tool | function | api ) \s+ )? (?: execution | call | request ) \s+ (?: failed | errored | timed \s+ out ) (?: \s* [:!.,] | \s* $ | \s+ (?: with | because | due | after ) \b )
    | (?: unknown | no \s+ such | unrecognized | invalid ) \s+ (?: tool | function ) \b
    | (?: tool | function ) \s+ \S{1,80} \s+ (?: is \s+ )? (?: not \s+ (?: found | defined | registered ) | does \s+ not \s+ exist ) \b
    | \w [\w.:/-]{0,80} ['"`]? \s+ is \s+ not \s+ a \s+ valid \s+ (?: tool | function ) \b
    | (?: invalid | missing ) \s+ (?: required \s+ )? (?: tool \s+ )? (?: (?: argument | parameter | param ) s? | input ) (?: \s+ (?: for | to ) \s+ (?: the \s+ )? (?: tool | function ) \b
        | (?<! input ) \s* : (?! \s* (?: [0-9]+ | none | no | null ) \s* (?: $ | [,;.\n] ) ) )
    | (?: (?: request | connection | operation | execution | read ) \s+ )? (?: timed \s+ out | timeout ) (?: \s* $ | \s* [:!.] | \s+ after \b )
    | (?: http (?: /\d (?: \.\d )? )? \s* (?: error | status )? \s* :? \s* )? [45]\d\d \s*[:-]?\s* (?: (?: client | server ) \s+ error
        | internal \s+ server \s+ error | bad \s+ request | unauthorized | forbidden | not \s+ found | bad \s+ gateway
        | service \s+ unavailable | gateway \s+ time-?out | too \s+ many \s+ requests )
    | (?: tool_use_ )? error > ) """  # fmt: skip
_TRUTHY = ("error", "errors", "exception", "error_message", "errorMessage", "errorText", "error_code", "errorCode")
_RAISED = ("is_error", "isError", "failed")
_DENIED = ("success", "ok", "succeeded", "successful", "is_success", "isSuccess")
_STATES = ("status", "state", "outcome", "type")
_HTTP = ("status", "status_code", "statusCode", "http_status", "httpStatus")
_BESIDE_A_STATE = frozenset(
    """
    status state outcome type message msg reason detail details description code error_code errorCode status_code statusCode http_status id request_id requestId
    timestamp time hint suggestion retry retryable tool tool_name name title traceback stack data result output content
    """.split()
)
_SAYS_NOTHING = frozenset(("", "none", "null", "no", "false", "0", "no error", "ok"))
_INSIDE = ("result", "output", "content", "response", "text", "message")  # what stands alone in an object under one of these is the result itself
_ENDS = frozenset(("incomplete", "cancelled", "canceled", "expired"))  # of a call they say that it failed, of a thing that it ended
_FAILED_STATES = FAILED - _ENDS
# What a long text of JSON has in it where it may be an error; one that has none of it is not read. (Words are found much faster than patterns.)
_HINTS = ("rror", "xception", "ucce", '"ok"', '"failed"', '"outcome"', '"http', "\\u")
_STATE_HINT = r'"stat(?:e|us[A-Za-z_]*)"\s*:\s*(?:[45]\d\d|"(?i:%s)")' % "|".join(sorted(_FAILED_STATES))
# Where the first text begins in JSON that may be nothing but a wrapping around it.
_WRAPPING = r'[\s\[{]*(?:"(?:type|%s)"\s*:\s*(?:"text"\s*,\s*|[\s\[{]+)?)+"' % "|".join(_INSIDE)
_LONGEST = 200
_begins_badly = re.compile(_BEGINNING).match
_states_badly = re.compile(_STATE_HINT).search
_is_wrapped = re.compile(_WRAPPING).match


def is_failure(value: object) -> bool:
    """Whether a result is an error, by what it says."""
    if type(value) is str:
        return _text_failed(value)
    if type(value) is dict:
        return _object_failed(value)
    if type(value) is list:
        text = next((part["text"] for part in value if _is_words(part)), None)
        return text is not None and _text_failed(text)
    return False


def _is_words(part: object) -> bool:
    """Whether an element of a list is a part of a result that has words; a record that has a text among other things is data."""
    return type(part) is dict and type(part.get("text")) is str and (part.get("type") == "text" or len(part) == 1)


def _text_failed(text: str) -> bool:
    head = text[:_LONGEST].lstrip()
    if head[:1] == "{" or head[:1] == "[" and head[1:].lstrip()[:1] in ("{", '"'):
        if not _may_say_so(text):
            return False
        try:
            return is_failure(read_json(text))
        except GatekitError:
            return False
    return bool(head) and _begins_badly(head) is not None


def _may_say_so(text: str) -> bool:
    if len(text) < _LONGEST:
        return True
    for hint in _HINTS:
        if hint in text:
            return True
    if '"stat' in text and _states_badly(text) is not None:
        return True
    wrapping = _is_wrapped(text)
    return wrapping is not None and _begins_badly(text[wrapping.end() : wrapping.end() + _LONGEST]) is not None


def _object_failed(value: dict) -> bool:
    if any(_says_something(value.get(key)) for key in _TRUTHY):
        return True
    if any(value.get(key) is True for key in _RAISED) or any(value.get(key) is False for key in _DENIED):
        return True
    if any(type(value.get(key)) is int and 400 <= value[key] < 600 for key in _HTTP):
        return True
    for key in _STATES:
        state = value.get(key)
        if type(state) is str and (state.lower() in _FAILED_STATES or key == "type" and state.endswith("_error")):
            return _BESIDE_A_STATE.issuperset(value)
    if len(value) == 1:
        [(key, inner)] = value.items()
        return key in _INSIDE and is_failure(inner)
    return False


def _says_something(error: object) -> bool:
    if isinstance(error, str):
        return error.strip().lower() not in _SAYS_NOTHING
    return error is True or isinstance(error, (dict, list)) and bool(error)
