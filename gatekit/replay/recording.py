"""A recording: what a scenario's agent asked its model and its tools, and what it was answered, as a file that people read and programs check.

    {"format": "gatekit-recording/1", "digest": "sha256:...", "scenario": name, "source": "module:name", "case": id,
     "turns": [{"user": words, "assistant": words}],
     "positions": names of the client's parameters,
     "model_calls": [{"turn", "key", "ordinal", "request", "settings", "usage", "response"}],
     "tool_calls": [{"turn", "after", "name", "arguments", "ordinal", "result"}],
     "trajectory": messages, "rekeyed": [...], "judge": {...}}

- A request is data: `model`, `system`, `messages`, `tools`. One that goes on with an earlier one says so: `as_in_call` names that call, `messages_added`
  are the messages that came after its own, and a component that is given takes the place of that call's.
- `properties` are what the properties of the answer's object gave, `classes` the names of its objects' classes: a mapping for the answer, or one for each chunk.
- In the place of `response` (or `result`) a call has a `stream` of chunks (`ended` where the agent read it to its end), or `failed`: what was raised.
  `awaited` says that the answer was awaited. `after` counts the model calls before a tool call: those with equal counts are parallel.
- `digest` is that of the canonical JSON of all else, and each key that of its request. So what was changed by hand, torn or merged is refused, and so is a file
  that holds a secret: no reader goes on with it.
- There are no times in it: the same run gives the same bytes.
"""
from __future__ import annotations

import json

from ..data.sample import Sample
from ..formats.strict_json import read_json
from ..ground.canonical import canonical, digest, json_kind, same
from ..ground.errors import CaseError, GatekitError, nearest
from ..text.quoting import quote
from .requests import COMPONENTS, Spellings
from .scrubbing import Scrubber, holds_secret, stream_holds_secret

FORMAT = "gatekit-recording/1"
ENDING = ".recording.json"
_FIELDS = {
    "format": str, "digest": str, "scenario": str, "source": str, "case": str, "turns": list, "positions": list, "model_calls": list, "tool_calls": list,
    "trajectory": list, "rekeyed": list, "judge": dict,
}
_NEEDED = ("format", "digest", "scenario", "turns", "model_calls", "tool_calls", "trajectory")
_ANSWER = {"properties": list, "classes": list, "stream": list, "ended": bool, "failed": dict, "awaited": bool, "added": str}
_MODEL = {"turn": int, "key": str, "ordinal": int, "request": dict, "settings": dict, "usage": dict, "response": None, **_ANSWER}
_TOOL = {"turn": int, "after": int, "name": str, "arguments": dict, "ordinal": int, "result": None, **_ANSWER}
_REKEYED = {"call": int, "old_key": str, "key": str, "changed": list, "reason": str, "date": str}
_FAILED = {"type": str, "message": str, "module": str, "is": str, "args": list, "attributes": dict}
_JUDGE = {"source": str, "of": str, "scores": dict}
_ROUNDS = 5
_LOOKED_BACK = 20
_LARGEST = 256 * 1024 * 1024  # characters of all requests, written out in full


class Recording:
    """A recording. `turns` are [user, assistant], `model_calls` and `tool_calls` entries as in the file, but that each request stands in full.

    Made by `Recording.from_text`, or by a Recorder.
    """

    __slots__ = ("scenario", "source", "case", "turns", "positions", "model_calls", "tool_calls", "rekeyed", "judge", "_models", "_tools")

    def __init__(self, scenario, source, case, turns, positions, model_calls, tool_calls, rekeyed=(), judge=None) -> None:
        self.scenario = scenario
        self.source = source
        self.case = case
        self.turns = turns
        self.positions = positions
        self.model_calls = model_calls
        self.tool_calls = tool_calls
        self.rekeyed = list(rekeyed)
        self.judge = judge
        self._models = {(call["key"], call["ordinal"]): place for place, call in enumerate(model_calls)}
        self._tools = {(call["name"], canonical(call["arguments"]), call["ordinal"]): place for place, call in enumerate(tool_calls)}

    @classmethod
    def of_log(cls, scenario: str, source: str | None, case: str | None, turns: list, positions: list, model_calls: list, tool_calls: list) -> Recording:
        """A recording of what a Recorder wrote down, with the secrets taken out and each key made anew. Raises GatekitError where one cannot be taken out."""
        for call in (*model_calls, *tool_calls):
            if not call.keys() & {"response", "result", "stream", "failed"}:
                raise GatekitError(
                    f"turn {call['turn']}: a call was begun and never answered, so it cannot be replayed: await every call, and record where none is broken off "
                    "(by a timeout, or since another answer came first)"
                )
        scrubber = Scrubber()
        for _ in range(_ROUNDS):
            known = scrubber.known
            asked, made = _with_keys(_scrubbed(model_calls, scrubber)), _with_ordinals(_scrubbed(tool_calls, scrubber))
            recording = cls(scenario, source, case, scrubber.clean(turns), positions, asked, made)
            if scrubber.known == known and not scrubber.learn(recording.text()):
                return recording
        raise GatekitError("a secret cannot be taken out of what is to be recorded: keep it out of the agent's requests and answers")

    @property
    def trajectory(self) -> list:
        """The conversation as messages."""
        return trajectory_of(self.turns, [call for call in self.tool_calls if "added" not in call])

    @property
    def usage(self) -> dict:
        """The sum of the usages of the model calls."""
        return usage_of(self.model_calls)

    def model_place(self, key: str, ordinal: int) -> int | None:
        """Which model call has a key for that many times before; None where none has."""
        return self._models.get((key, ordinal))

    def tool_place(self, name: str, arguments: str, ordinal: int) -> int | None:
        """Which tool call has a name and arguments (as canonical JSON) for that many times before; None where none has."""
        return self._tools.get((name, arguments, ordinal))

    def teach(self, scrubber: Scrubber) -> None:
        """Let a scrubber know what stands in the requests and calls: the reader found no secret in it."""
        spellings = Spellings()
        for call in self.model_calls:
            for component, value in call["request"].items():
                each = spellings.each(value) if component == "messages" else None
                for spelt in [spellings.of(value)] if each is None else each:
                    scrubber.trust(spelt)
            scrubber.trust(canonical(call.get("settings", {})))
        for call in self.tool_calls:
            scrubber.trust(canonical(call["arguments"]))

    def text(self) -> str:
        """The file's content."""
        return json.dumps(self._document(), indent=1, ensure_ascii=False) + "\n"

    def _document(self) -> dict:
        fields = {
            "format": FORMAT,
            "digest": "",
            "scenario": self.scenario,
            "source": self.source,
            "case": self.case,
            "turns": [{"user": user, "assistant": assistant} for user, assistant in self.turns],
            "positions": self.positions,
            "model_calls": _folded(self.model_calls),
            "tool_calls": self.tool_calls,
            "trajectory": self.trajectory,
            "rekeyed": self.rekeyed,
            "judge": self.judge,
        }
        fields = {name: value for name, value in fields.items() if value not in (None, []) or name in _NEEDED}
        fields["digest"] = _seal(fields)
        return fields

    @classmethod
    def from_text(cls, text: str) -> Recording:
        """The recording in a text. Raises GatekitError, with the place as `path`, for one that does not hold, was changed, or has a secret in it."""
        kind = holds_secret(text)
        if kind is not None:
            raise CaseError(f"the recording holds a secret ({kind}): nothing reads it; take the secret out of the agent's requests, and record again")
        document = read_json(text)
        if not isinstance(document, dict):
            raise CaseError(f"a recording is an object, not {json_kind(document)}")
        if document.get("format") != FORMAT:
            at = ("format",) if "format" in document else ()
            raise CaseError(f'the file is no recording that this version reads: its "format" is not {quote(FORMAT)}', path=at)
        _check(document, _FIELDS, _NEEDED, "a recording")
        if document["digest"] != _seal(document):
            raise CaseError("the recording is not as it was written (its digest is another): record again, nothing in it is changed by hand", path=("digest",))
        turns = _turns(document["turns"])
        model_calls = _unfolded(document["model_calls"], len(turns))
        tool_calls = _tool_calls(document["tool_calls"], len(turns))
        if not all(isinstance(name, str) for name in document.get("positions", ())):
            raise CaseError("the names of the client's parameters are texts", path=("positions",))
        for place, decision in enumerate(document.get("rekeyed", ())):
            _check(decision, _REKEYED, tuple(_REKEYED), "a rekeying", ("rekeyed", place))
        if "judge" in document:
            _check_judge(document["judge"])
        made = cls(
            document["scenario"], document.get("source"), document.get("case"), turns, document.get("positions", []), model_calls, tool_calls,
            document.get("rekeyed", []), document.get("judge"),
        )
        for call in (*model_calls, *tool_calls):
            kind = stream_holds_secret(call.get("stream", ())) or stream_holds_secret(call.get("properties", ()))
            if kind is not None:
                raise CaseError(f"the recording holds a secret ({kind}) in the pieces of a stream: nothing reads it; record again")
        if not same(made.trajectory, document["trajectory"]):
            raise CaseError("the trajectory is not that of the turns and the tool calls: record again", path=("trajectory",))
        return made


def read_recording(path: str, name: str, redaction=None) -> Recording:
    """The recording in a file that is shown as `name`; `redaction` is that of the run.

    Raises GatekitError, with the file and the place, where it is not to be used.
    """
    from ..data.redaction import Redaction
    from ..ground.files import read_bytes, text_of

    text = text_of(read_bytes(path, name), name)
    try:
        return Recording.from_text(text)
    except GatekitError as error:
        if error.path and error.line is None:
            from ..formats.json_places import place_of

            line, column = place_of(text, error.path)
            error = type(error)(error.message, line=line, column=column, path=error.path)
        raise (redaction or Redaction()).of_text(text).error(error).located(file=name) from None


def write_recording(path: str, recording: Recording, name: str) -> None:
    """Write a recording to a file that is shown as `name`, once it was read back. Raises GatekitError where it cannot be written, or would not be read."""
    from ..ground.files import write_file

    text = recording.text()
    Recording.from_text(text)
    write_file(path, text.encode("utf-8", "backslashreplace"), name)


def recorded_sample(path: str, name: str, redaction=None) -> Sample | None:
    """The conversation of a recording as a sample of its case, called as its file; None where it names no case. Raises GatekitError as `read_recording` does."""
    recording = read_recording(path, name, redaction)
    if recording.case is None:
        return None
    usage = {"usage": recording.usage} if recording.usage else {}
    return Sample.from_dict({"case": recording.case, "sample": name[: -len(ENDING)] or name, "messages": recording.trajectory, **usage})


def usage_of(model_calls: list) -> dict:
    """The sum of the usages of model calls: of each count that stands at the top of them. Nothing where one call's was not recorded: a part is no sum."""
    total: dict = {}
    for call in model_calls:
        if "usage" not in call and "failed" not in call:
            return {}
        for name, count in call.get("usage", {}).items():
            if isinstance(count, int) and not isinstance(count, bool):
                total[name] = total.get(name, 0) + count
    return total


def trajectory_of(turns: list, tool_calls: list) -> list:
    """A conversation as messages: the words of the two sides, and between them the tool calls, those after the same model call in one message."""
    calls: dict = {}  # turn: count of model calls before: the calls
    for place, call in enumerate(tool_calls):
        calls.setdefault(call["turn"], {}).setdefault(call["after"], []).append(_call_message(place, call))
    messages = []
    for number, (user, assistant) in enumerate(turns):
        messages.append({"role": "user", "content": user})
        groups = calls.get(number, {})
        messages += [{"role": "assistant", "content": None, "tool_calls": groups[after]} for after in sorted(groups)]
        if assistant is not None:
            messages.append({"role": "assistant", "content": assistant})
    return messages


def _call_message(place: int, call: dict) -> dict:
    made = {"id": f"call_{place}", "name": call["name"], "arguments": call["arguments"]}
    if "failed" in call:
        return {**made, "result": f"{call['failed']['type']}: {call['failed']['message']}", "failed": True}
    if "result" in call or "stream" in call:
        return {**made, "result": call["result"] if "result" in call else call["stream"], "failed": False}
    return made


# --- secrets and keys


def _scrubbed(calls: list, scrubber: Scrubber) -> list:
    """Calls without secrets. What several requests share is looked through once, and shared again."""
    done: dict = {}

    def clean(value):
        known = done.get(id(value))
        if known is None:
            known = done[id(value)] = value, scrubber.clean(value)
        return known[1]

    made = []
    for call in calls:
        entry = {}
        for name, value in call.items():
            if name == "request":
                entry[name] = {part: [clean(item) for item in each] if _is_list(part, each) else clean(each) for part, each in value.items()}
            elif name == "stream" or name == "properties" and "stream" in call:
                entry[name] = scrubber.clean_stream(value)
            else:
                entry[name] = value if name in ("key", "ordinal") else scrubber.clean(value)
        made.append(entry)
    return made


def _is_list(component: str, value: object) -> bool:
    return component == "messages" and isinstance(value, list)


def _with_keys(calls: list) -> list:
    asked: dict = {}
    made = []
    spellings = Spellings()
    for call in calls:
        key = spellings.key(call["request"])
        asked[key] = asked.get(key, -1) + 1
        made.append(_in_order({**call, "key": key, "ordinal": asked[key]}, _MODEL))
    return made


def _with_ordinals(calls: list) -> list:
    made_before: dict = {}
    made = []
    for call in calls:
        known = call["name"], canonical(call["arguments"])
        made_before[known] = made_before.get(known, -1) + 1
        made.append(_in_order({**call, "ordinal": made_before[known]}, _TOOL))
    return made


def _in_order(call: dict, fields: dict) -> dict:
    return {name: call[name] for name in fields if name in call}


def _seal(document: dict) -> str:
    return digest({name: value for name, value in document.items() if name != "digest"})


# --- requests, written so that no message stands there twice


def _folded(calls: list) -> list:
    spellings = Spellings()
    spelt = [spellings.each(call["request"].get("messages")) for call in calls]
    return [{**call, "request": _shorter(place, calls, spelt, spellings)} for place, call in enumerate(calls)]


def _shorter(place: int, calls: list, spelt: list, spellings: Spellings) -> dict:
    """A request, written as what it adds to the one of the last calls that it shares the most messages with."""
    request, own = calls[place]["request"], spelt[place]
    best, shared = None, 1
    for other in range(max(place - _LOOKED_BACK, 0), place if own else 0):
        known = spelt[other]
        if known and shared <= len(known) <= len(own) and known == own[: len(known)]:
            best, shared = other, len(known)
    if best is None:
        return request
    base = calls[best]["request"]
    changed = {name: request.get(name) for name in COMPONENTS if name != "messages" and spellings.of(request.get(name)) != spellings.of(base.get(name))}
    return {"as_in_call": best, **changed, "messages_added": request["messages"][shared:]}


def _unfolded(calls: list, turns: int) -> list:
    made: list = []
    sizes: list = []
    total = 0
    seen: set = set()
    spellings = Spellings()
    for place, call in enumerate(calls):
        at = ("model_calls", place)
        _check_call(call, _MODEL, ("turn", "key", "ordinal", "request"), "response", at, turns)
        try:
            request, size = _longer(call["request"], made, sizes)
        except CaseError as error:
            raise error.located(path=(*at, "request")) from None
        total += size
        if total > _LARGEST:
            raise CaseError("the requests are too long to be held to their keys: record a shorter scenario", path=at)
        sizes.append(size)
        if spellings.key(request) != call["key"]:
            raise CaseError("the key is not that of its request: record again, nothing in it is changed by hand", path=(*at, "key"))
        if (call["key"], call["ordinal"]) in seen or call["ordinal"] and (call["key"], call["ordinal"] - 1) not in seen:
            raise CaseError("the ordinals of a key count from 0, in order", path=(*at, "ordinal"))
        seen.add((call["key"], call["ordinal"]))
        made.append({**call, "request": request})
    return made


def _longer(request: dict, before: list, sizes: list) -> tuple:
    """A request in full, and how long it is at least."""
    known = {*COMPONENTS, "as_in_call", "messages_added"}
    for name in request:
        if name not in known:
            raise CaseError(f"a request has no {quote(name)}", path=(name,))
    base = request.get("as_in_call")
    if base is None:
        if "messages_added" in request:
            raise CaseError('"messages_added" goes with "as_in_call"', path=("messages_added",))
        return request, len(canonical(request))
    added = request.get("messages_added")
    if isinstance(base, bool) or not isinstance(base, int) or not 0 <= base < len(before) or not isinstance(added, list) or "messages" in request:
        raise CaseError('"as_in_call" names an earlier call, and goes with "messages_added"', path=("as_in_call",))
    whole = {**before[base]["request"], **{name: value for name, value in request.items() if name in COMPONENTS}}
    messages = whole.get("messages")
    if not isinstance(messages, list):
        raise CaseError("the call that it goes on with has no list of messages", path=("as_in_call",))
    size = sizes[base] + len(canonical(request))
    if size > _LARGEST:
        raise CaseError("the request is too long", path=("as_in_call",))
    whole["messages"] = messages + added
    return {name: value for name, value in whole.items() if value is not None}, size


# --- the reader's checks


def _check(mapping: object, fields: dict, needed: tuple, what: str, at: tuple = ()) -> None:
    if not isinstance(mapping, dict):
        raise CaseError(f"{what} is an object, not {json_kind(mapping)}", path=at)
    for name, value in mapping.items():
        if name not in fields:
            near = nearest(name, fields)
            raise CaseError(f"{what} has no {quote(name)}" + (f": did you mean {near}?" if near else ""), path=(*at, name))
        kind = fields[name]
        if kind is not None and (not isinstance(value, kind) or isinstance(value, bool) and kind is not bool):
            raise CaseError(f"{quote(name)} of {what} cannot be {json_kind(value)}", path=(*at, name))
    for name in needed:
        if name not in mapping:
            raise CaseError(f"{what} has a {quote(name)}", path=at)


def _check_call(call: object, fields: dict, needed: tuple, answer: str, at: tuple, turns: int) -> None:
    _check(call, fields, needed, "a recorded call", at)
    if not 0 <= call["turn"] < max(turns, 1) or call["ordinal"] < 0:
        raise CaseError("a recorded call is one of a turn, and counted from 0", path=at)
    for name in ("properties", "classes"):
        if not all(isinstance(each, dict) for each in call.get(name, ())):
            raise CaseError(f"the {name} of an answer are a list of mappings", path=(*at, name))
    if not all(isinstance(kind, str) for each in call.get("classes", ()) for kind in each.values()):
        raise CaseError("a class is named by a text", path=(*at, "classes"))
    if "failed" in call:
        _check(call["failed"], _FAILED, ("type", "message"), "what failed", (*at, "failed"))
    if sum(name in call for name in (answer, "stream")) + ("failed" in call and "stream" not in call) != 1:
        raise CaseError(f"a recorded call has a {answer}, a stream, or what failed", path=at)


def _check_judge(judge: dict) -> None:
    _check(judge, _JUDGE, tuple(_JUDGE), "a judge's verdict", ("judge",))
    for dimension, score in judge["scores"].items():
        if isinstance(score, bool) or not isinstance(score, (int, float)) or not 0 <= score <= 1:
            raise CaseError("a judge's score is a number from 0 to 1", path=("judge", "scores", dimension))


def _turns(turns: list) -> list:
    made = []
    for place, turn in enumerate(turns):
        _check(turn, {"user": str, "assistant": None}, ("user", "assistant"), "a turn", ("turns", place))
        if turn["assistant"] is not None and not isinstance(turn["assistant"], str):
            raise CaseError("what the assistant said is text", path=("turns", place, "assistant"))
        made.append([turn["user"], turn["assistant"]])
    if not made:
        raise CaseError("a recording has at least one turn", path=("turns",))
    return made


def _tool_calls(calls: list, turns: int) -> list:
    seen: set = set()
    for place, call in enumerate(calls):
        _check_call(call, _TOOL, ("turn", "after", "name", "arguments", "ordinal"), "result", ("tool_calls", place), turns)
        known = call["name"], canonical(call["arguments"])
        if (*known, call["ordinal"]) in seen or call["ordinal"] and (*known, call["ordinal"] - 1) not in seen:
            raise CaseError("the ordinals of equal calls count from 0, in order", path=("tool_calls", place, "ordinal"))
        seen.add((*known, call["ordinal"]))
    return calls
