"""A sample: one captured run of one case."""
from __future__ import annotations

from ..ground.canonical import canonical, json_copy, json_kind
from ..ground.errors import CaseError, meant, nearest
from ..text.quoting import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .conversation import Conversation

# Field: the types that it may have (null is read as absent everywhere), and their name in a message. None: any JSON value.
FIELDS = {
    "case": (str, "text"),
    "sample": (str, "text"),
    "output": (None, "text or a JSON value"),
    "status": (str, "text"),
    "error": (str, "text"),
    "finish_reason": (str, "text"),
    "messages": (list, "a list of messages"),
    "usage": (dict, "a mapping"),
    "sources": ((list, dict), "a list or a mapping"),
    "model": (str, "text"),
    "prompt_version": (str, "text"),
    "embeddings": (dict, "a mapping"),
    "label": (str, "text"),
    "note": (str, "text"),
    "attempt": (int, "a whole number"),
    "feedback": ((str, list), "text or a list of texts"),
    "source_job_id": (str, "text"),
    "case_verdict": (str, "text"),
    "judge": (dict, "a mapping"),
}
RECORDED_STATUSES = ("ok", "error", "transient", "diverged")
LABELS = ("approved", "rejected")
SUBJECTS = ("output", "messages", "error")


class Sample:
    """One captured run: the output, and what was recorded with it.

    `output` is text or a JSON value; `messages` a conversation, in any shape in use: where there is no `output` beside it, it is what is judged. `status` is what the runner recorded: `ok`, `error` (the agent crashed), `transient` (the
    provider failed) or `diverged` (a replay left its recording). `label` is what a person said: `approved` or `rejected`. The other
    arguments are the fields of the same name in a sample's line (see the README). Raises CaseError for a field that cannot be meant.

    A sample does not change; two with equal fields are equal.
    """

    __slots__ = ("fields", "conversation")

    fields: dict
    conversation: Conversation | None

    if TYPE_CHECKING:  # these are read from `fields`

        @property
        def output(self) -> object: ...
        @property
        def case(self) -> str | None: ...
        @property
        def sample(self) -> str | None: ...
        @property
        def status(self) -> str | None: ...
        @property
        def error(self) -> str | None: ...
        @property
        def model(self) -> str | None: ...
        @property
        def prompt_version(self) -> str | None: ...
        @property
        def label(self) -> str | None: ...
        @property
        def note(self) -> str | None: ...

    def __init__(
        self,
        output: object = None,
        *,
        case: str | None = None,
        sample: str | None = None,
        status: str | None = None,
        error: str | None = None,
        finish_reason: str | None = None,
        messages: list | None = None,
        usage: dict | None = None,
        sources: object = None,
        model: str | None = None,
        prompt_version: str | None = None,
        embeddings: dict | None = None,
        label: str | None = None,
        note: str | None = None,
        attempt: int | None = None,
        feedback: object = None,
        source_job_id: str | None = None,
        case_verdict: str | None = None,
        judge: dict | None = None,
    ) -> None:
        given = dict(locals())
        fields = {name: given[name] for name in FIELDS if given[name] is not None}
        _validate_types(fields)
        self._keep(_copied(fields))

    @classmethod
    def from_dict(cls, mapping: dict) -> Sample:
        """A sample from its mapping, as it stands in a line of a sample file. Raises CaseError, with the field as `path`."""
        return cls._from_mapping(mapping, _copied)

    @classmethod
    def from_json(cls, mapping: dict) -> Sample:
        """As `from_dict`, for a mapping that `read_json` gave: its values are JSON already, and nobody else holds it."""
        if not isinstance(mapping, dict):
            raise CaseError(f"a sample is a mapping, not {json_kind(mapping)}")
        for name, value in mapping.items():
            kind = value.__class__
            if _PLAIN.get(name) is not kind and (name != "output" or kind not in _JSON):
                return cls._from_mapping(mapping, dict)
        if "output" not in mapping:
            return cls._from_mapping(mapping, dict)
        sample = object.__new__(cls)
        object.__setattr__(sample, "fields", mapping)
        object.__setattr__(sample, "conversation", None)
        return sample

    @classmethod
    def _from_mapping(cls, mapping: dict, take) -> Sample:
        if not isinstance(mapping, dict):
            raise CaseError(f"a sample is a mapping, not {json_kind(mapping)}")
        refuse_unknown(mapping)
        fields = {name: value for name, value in mapping.items() if value is not None}
        _validate_types(fields)
        if "output" not in mapping and not any(name in mapping for name in SUBJECTS) and fields.get("status", "ok") == "ok":
            raise CaseError('a sample needs "output" or "messages" (or "error", where the agent crashed)')
        sample = object.__new__(cls)
        sample._keep(take(fields))
        return sample

    def _keep(self, fields: dict) -> None:
        object.__setattr__(self, "fields", fields)
        object.__setattr__(self, "conversation", _conversation(fields["messages"]) if "messages" in fields else None)

    @classmethod
    def of_conversation(cls, conversation: Conversation, usage: dict | None = None) -> Sample:
        """A sample of a conversation that was read already, and of what was recorded of its usage."""
        sample = object.__new__(cls)
        object.__setattr__(sample, "fields", {"messages": conversation.given, **({"usage": usage} if usage is not None else {})})
        object.__setattr__(sample, "conversation", conversation)
        return sample

    @classmethod
    def of(cls, given: object) -> Sample:
        """A sample from what a caller has at hand: a Sample, the mapping of one, text, or a JSON value.

        A mapping is a sample's only if it has `output`, `messages` or `error` and no key that a sample lacks; else it is a JSON output.
        One that looks like a sample with a misspelt key could be meant as either, and is refused.
        """
        if isinstance(given, Sample):
            return given
        if isinstance(given, dict) and any(name in given for name in SUBJECTS):
            unknown = [key for key in given if key not in FIELDS]
            if not unknown or all(isinstance(key, str) and len(key) > 4 and nearest(key, FIELDS) not in (None, *given) for key in unknown):
                return cls.from_dict(given)
        return cls(given)

    @property
    def answer(self) -> object:
        """What facts are sought in: the output, and of a conversation without one the assistant's last words. None where nothing was returned."""
        output = self.fields.get("output")
        return self.conversation.last_words if output is None and self.conversation is not None else output

    @property
    def text(self) -> str:
        """The answer as text: a JSON output as its canonical serialisation, nothing where nothing was returned."""
        output = self.answer
        return output if isinstance(output, str) else "" if output is None else canonical(output)

    @property
    def judged(self) -> str:
        """What the sample is judged by as one text, for its digest: the output, or the messages as canonical JSON."""
        is_conversation = self.conversation is not None and self.fields.get("output") is None
        return canonical(self.fields["messages"]) if is_conversation else self.text

    @property
    def finish_reason(self) -> str | None:
        """How the answer ended: as recorded of the sample, or else in the last message of a conversation that is judged itself."""
        reason = self.fields.get("finish_reason")
        return self.conversation.finish_reason if reason is None and self.conversation is not None and self.fields.get("output") is None else reason

    def __getattr__(self, name):
        if name in FIELDS:
            return self.fields.get(name)
        raise AttributeError(f"a Sample has no field {name!r}")

    def __setattr__(self, name, value):
        raise AttributeError("a Sample does not change: make a new one")

    __delattr__ = __setattr__

    def __eq__(self, other):
        return canonical(self.fields) == canonical(other.fields) if isinstance(other, Sample) else NotImplemented

    def __hash__(self):
        return hash(canonical(self.fields))

    def __repr__(self):
        # The output stays out: it may hold what nobody should see in a log.
        return f"Sample(case={quote(self.case or '')}, sample={quote(self.sample or '')})"

    def __reduce__(self):
        return _sample, (self.fields,)


# The fields of most samples, whose type is all that is to be checked.
_TEXTS = ("case", "sample", "output", "error", "finish_reason", "model", "prompt_version", "note", "source_job_id", "case_verdict")
_PLAIN = {**dict.fromkeys(_TEXTS, str), "usage": dict}
_JSON = (dict, list, int, float, bool)
# How others call a field, and which one it is. And what stands elsewhere than in a sample, and where.
_MEANT = {
    "text response answer completion content result generation generated reply prediction predicted actual actual_output model_output output_text": "output",
    "id run run_id sample_id name uid uuid": "sample",
    "case_id test test_id test_case scenario": "case",
    "conversation history turns transcript chat dialog dialogue": "messages",
    "context contexts documents retrieval_context": "sources",
    "tokens cost latency latency_ms metrics": "usage",
    "stop_reason": "finish_reason",
    "exception traceback": "error",
    "comment comments notes remark": "note",
}
_ELSEWHERE = {
    "prompt input question query instruction system inputs": 'what the agent was given is the "input" of its case',
    "expected expected_output reference golden ideal target ground_truth gold": 'what is expected are the rules of its case: "rubric", "matchers"',
}


def refuse_unknown(mapping: dict) -> None:
    """Refuse the first key that a sample does not have, naming the one that is meant, or all that it has."""
    for key in mapping:
        if key not in FIELDS:
            near = meant(str(key), _MEANT) or nearest(str(key), FIELDS)
            where = meant(str(key), _ELSEWHERE) or f"it has {', '.join(FIELDS)}"
            raise CaseError(f"a sample has no field {shown(str(key))}: " + (f"did you mean {quote(near)}?" if near else where))


def shown(value: str) -> str:
    """A value in a message: in quotes where it is a short word; what is longer may be a secret, and is only measured."""
    return quote(value) if len(value) < 16 else f"a text of {len(value)} characters"


def _sample(fields: dict) -> Sample:
    return Sample(**fields)


def _conversation(messages: list) -> Conversation:
    from .conversation import Conversation  # many runs have none

    try:
        return Conversation.of_json(messages)
    except CaseError as error:
        raise error.located(path=("messages",)) from None


def _copied(fields: dict) -> dict:
    """The fields with values of the sample's own. Raises CaseError for what is no JSON, with its place."""
    own = {}
    for name, value in fields.items():
        try:
            own[name] = json_copy(value)
        except CaseError as error:
            raise error.located(path=(name,)) from None
    return own


def _validate_types(fields: dict) -> None:
    for name, value in fields.items():
        kinds, words = FIELDS[name]
        if kinds is not None and type(value) is not kinds and (not isinstance(value, kinds) or isinstance(value, bool)):
            raise CaseError(f"{quote(name)} of a sample must be {words}, not {json_kind(value)}", path=(name,))
    if "status" in fields:
        _one_of("status", fields["status"], RECORDED_STATUSES)
    if "label" in fields:
        _one_of("label", fields["label"], LABELS)
    if fields.get("attempt", 1) < 1:
        raise CaseError('"attempt" of a sample counts from 1: the first attempt is 1, its first retry 2', path=("attempt",))
    for model, vectors in fields.get("embeddings", {}).items():
        if not isinstance(vectors, dict):
            raise CaseError('"embeddings" maps a model to its vectors by name, as {"m": {"output": [...]}}', path=("embeddings", model))


def _one_of(name: str, value: str, known: tuple) -> None:
    if value not in known:
        near = nearest(value, known)
        raise CaseError(
            f"{quote(name)} of a sample is one of {', '.join(known)}, not {shown(value)}" + (f": did you mean {near}?" if near else ""), path=(name,)
        )
