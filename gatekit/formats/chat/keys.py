"""Which keys of a message are read, which are known to hold no words and no calls, and which of the others may be left alone.

A key that nobody reads stays where it is, in the list as it was given. It is refused where it could hide what the model said or did: where it is
a misspelt known one, or its value holds what looks like words or a call. So nothing is dropped in silence.
"""
from __future__ import annotations

from ...ground.errors import CaseError
from ...text.quoting import quote

# Keys, by the place where they stand, that hold neither words nor calls of the conversation, or repeat what is read elsewhere.
METADATA = frozenset(
    """
    agent agent_name annotations attachments cache_control cacheControl citations context conversation_id cost created created_at createdAt date duration
    elapsed end_time experimental_attachments extra extra_body extra_info finish_reason finishReason functions generation_time_seconds id images index
    info invoke_id is_initial language latency latency_ms locale logprobs loss loss_mask mask meta metadata model model_id model_name name object
    participant phase prefix prompt_version provider provider_metadata providerMetadata providerOptions provider_options provider_specific_fields raw_data
    rating raw_message recipient requestor response_id response_metadata revisionId run_id score seed sender service_tier signature source
    source_documents sources start_time status stop_reason stopReason stop_sequence stop_details streaming_metadata system_fingerprint tags thread_id
    thoughtSignature thought_signature time time_info timestamp tokens tool_choice tools trace_id train training turn turn_id turn_idx ui usage
    usage_metadata user_id uuid version weight weights container container_id context_management message_id assistant_id channel channel_id incomplete_at
    incomplete_details completed_at example moderation_details
    """.split()
)
CALL_METADATA = frozenset(
    """
    index extra_content thought_signature thoughtSignature signature cache_control status namespace caller provider_specific_fields id description
    compare_key created_at timestamp strict providerMetadata providerOptions providerExecuted
    """.split()
)

# What a key that is not known may have been meant for, spelt without `_`, `-` and capitals. They hold words or calls wherever they stand.
_SPEAKING = {
    "content": "content", "contents": "content", "text": "content", "texts": "content", "message": "content", "messages": "content", "body": "content",
    "answer": "content", "response": "content", "reply": "content", "output": "content", "outputtext": "content", "completion": "content",
    "utterance": "content", "value": "content", "part": "parts", "parts": "parts", "blocks": "content", "delta": "content", "refusal": "refusal",
    "reasoning": "reasoning", "reasoningcontent": "reasoning_content", "thinking": "reasoning", "thinkingblocks": "reasoning", "toolcall": "tool_calls",
    "toolcalls": "tool_calls", "calls": "tool_calls", "tooluse": "tool_calls", "tooluses": "tool_calls", "functioncall": "function_call",
    "functioncalls": "tool_calls", "toolinvocations": "tool_calls", "toolresult": "a message of the role tool", "toolresults": "a message of the role tool",
    "toolmessages": "messages of the role tool", "functionresponse": "a message of the role function", "toolcallid": "tool_call_id",
    "callid": "tool_call_id", "tooluseid": "tool_call_id", "arguments": "arguments", "args": "arguments", "params": "arguments", "parameters": "arguments",
    "input": "arguments", "function": "tool_calls", "result": "result", "results": "result", "error": "error", "status": "status",
}
_FUNCTION = frozenset(("name", "function", "toolName", "tool_name", "tool"))
_INPUT = frozenset(("arguments", "args", "input", "parameters", "function", "params"))
_WORDS = frozenset(("text", "content", "arguments"))


def check_keys(mapping: dict, known: frozenset, what: str, calls: bool = False) -> None:
    """Refuse a key of a mapping that is not known and could hide words or calls; where the mapping itself `calls`, anything that could be arguments.

    Raises CaseError, naming what the key was probably meant for.
    """
    if not known.issuperset(mapping):
        for key, value in mapping.items():
            if key not in known and value is not None and value != "" and value != [] and value != {}:
                _unknown(key, value, known, what, calls)


def refuse_words(mapping: dict, known: frozenset, what: str, needed: str) -> None:
    """Refuse a mapping that says nothing by the key that it needs, where one that is not known may hold what should stand there: words, or anything at all
    where the key is missing. Raises CaseError.
    """
    for key, value in mapping.items():
        if key in known or not value or isinstance(value, (int, float)):
            continue
        if needed not in mapping or not isinstance(value, str) or len(value.split()) > 1:
            raise CaseError(f"{what} has no {quote(needed)}, and {_name(key)} is not known: write {quote(needed)}")


def _unknown(key: object, value: object, known: frozenset, what: str, calls: bool) -> None:
    asked = str(key)[:64], known
    if asked not in _meant:
        if len(_meant) >= _MOST_MEANT:
            _meant.clear()
        _meant[asked] = _meanings(*asked)
    word, read = _meant[asked]
    meant = read if isinstance(value, (bool, int, float)) else word or read
    if meant:
        raise CaseError(f"{what} has no key {_name(key)}: did you mean {meant}?")
    if holds_speech(value) or calls and isinstance(value, (dict, list)):
        raise CaseError(f"the key {_name(key)} of {what} is not known and holds words or a call: write the message in a shape that is known (see the README)")


# What keys were found to be meant for, since a log has the same ones in each of its messages.
_meant: dict = {}
_MOST_MEANT = 1000


def _meanings(key: str, known: frozenset) -> tuple:
    """What a key may have been meant for: (one that holds words or calls anywhere, one that is read where it stands), None where there is none."""
    folded = _folded(key)
    word = next((_SPEAKING[word] for word in _SPEAKING if _a_slip(folded, word)), None)
    return word, next((read for read in sorted(known - METADATA - CALL_METADATA) if _a_slip(folded, _folded(read))), None)


def _folded(key: str) -> str:
    return "".join([letter for letter in key.lower() if letter not in "_-. "])


def _a_slip(word: str, meant: str) -> bool:
    """Whether a word is another, or one slip away from it: a letter too many, too few, wrong, or two that changed places."""
    if word == meant:
        return True
    if len(word) < 3 or abs(len(word) - len(meant)) > 1:
        return False
    first = 0
    while first < min(len(word), len(meant)) and word[first] == meant[first]:
        first += 1
    rest, other = word[first:], meant[first:]
    return rest[1:] == other[1:] or rest[1:] == other or rest == other[1:] or rest[:2] == other[1::-1] and rest[2:] == other[2:]


def holds_speech(value: object) -> bool:
    """Whether a value holds, at any depth, what looks like a call, a message or a part with words."""
    left = [value]
    while left:
        value = left.pop()
        if isinstance(value, list):
            left += value
        elif isinstance(value, dict):
            if not _FUNCTION.isdisjoint(value) and not _INPUT.isdisjoint(value):
                return True
            if any(isinstance(value.get(key), str) and value[key].strip() for key in _WORDS):
                return True
            left += value.values()
    return False


def _name(key: object) -> str:
    text = str(key)
    return quote(text if len(text) <= 40 else text[:40] + "...")
