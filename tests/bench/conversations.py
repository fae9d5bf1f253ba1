"""Conversations of a support agent, as the benches read them, and the invariants that they are held to."""
import json
import random

from .measure import answer

RULES = [
    {"type": "never_reask", "given": "order id is \\d+", "ask": "order (id|number)", "what": "an order id"},
    {"type": "confirm_before", "tool": ["refund", "cancel"], "confirm": "\\b(yes|go ahead)\\b", "deny": "\\b(no|wait)\\b"},
    {"type": "claim_needs_call", "claim": "(has|have) been (refunded|cancelled)", "call": ["refund", "cancel"]},
    {"type": "no_repeat_call", "retries": True},
    {"type": "every_call_answered"},
    {"type": "args_from_conversation"},
    {"type": "carry_forward", "given": "in euros", "forbid": "\\$[0-9]"},
    {"type": "max_calls", "value": 40},
    {"type": "absence", "event": {"assistant": "wire transfer"}},
    {"type": "response", "first": {"tool_failed": ["refund", "cancel"]}, "then": {"assistant": "sorry|did not work"}},
]


def conversations(count, length):
    """So many conversations of so many chat messages each, as JSON texts: the user asks, the assistant looks something up and answers."""
    rng = random.Random(11)
    words = [answer(rng, 160) for _ in range(50)]
    return [json.dumps(_conversation(rng, words, length)) for _ in range(count)]


def _conversation(rng, words, length):
    order = str(rng.randrange(1000, 9999))
    messages = [{"role": "system", "content": "You are the support agent of a shop. " + rng.choice(words)}]
    while len(messages) + 4 <= length:
        place = len(messages)
        user = f"My order id is {order}, prices in euros please. " if place == 1 else "Yes. " if place == 9 else ""
        call = {"name": "refund" if place == 9 else "lookup", "arguments": json.dumps({"order": order, "item": place})}
        result = {"order": order, "item": place, "next": place + 4, "text": rng.choice(words)}
        messages += [
            {"role": "user", "content": f"{user}{rng.choice(words)} Item 1."},
            {"role": "assistant", "content": None, "tool_calls": [{"id": f"call_{place}", "type": "function", "function": call}]},
            {"role": "tool", "tool_call_id": f"call_{place}", "content": json.dumps(result)},
            {"role": "assistant", "content": rng.choice(words) + (" It has been refunded." if place == 9 else "")},
        ]
    return messages + [{"role": "user", "content": "Thanks."}] * (length - len(messages))
