"""Random conversations, told once, and written in each of the shapes in which logs keep them.

A told conversation is a list of events:

    ("user", text)                                     the user speaks
    ("assistant", text, reasoning, calls)              the model acts: text or reasoning may be None; calls are (id, name, arguments, given)
    ("results", [(id, name, value, failed), ...])      what the tools gave to calls of the event before, in any order

What a reader must find in it is worked out from the events alone (`found`), and knows nothing of messages.
"""
import json

NAMES = ("lookup", "book", "cancel", "get_page")
WORDS = ("Hello", "order 4183", "14 days", "done", "caf\u00e9", "", "a\nb", "please \U0001f600", "Error: none of it")
VALUES = (1, -2.5, True, None, "x", "", "4183", [1, [2]], {"a": {"b": []}}, "caf\u00e9", "\ud83d")
GIVEN = ("391", "", "Error: no such order", "{\"ok\": true}", "[]", "ValueError: bad", "{\"error\": \"gone\"}", "an error was found in the log", "x")
FAILING = {"Error: no such order", "ValueError: bad", "{\"error\": \"gone\"}"}


def conversation(rng, ids=True, parallel=True):
    """A told conversation. Without `ids` calls are told apart by name and order alone; without `parallel` a step has one call at the most."""
    events, number = [], 0
    if rng.random() < 0.3:
        events.append(("assistant", "Welcome", None, []))
    for _ in range(rng.randrange(1, 5)):
        events += [("user", rng.choice(WORDS)) for _ in range(rng.choice((1, 1, 1, 2)))]
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            calls = []
            for _ in range(rng.choice((0, 1, 1, 2, 3)) if parallel else rng.choice((0, 1))):
                # An id is used again once its call was answered; those of one step differ.
                id = f"call_{number % 7}" if ids else None
                number += 1
                arguments = {rng.choice("abc"): rng.choice(VALUES) for _ in range(rng.randrange(3))}
                calls.append((id, rng.choice(NAMES), arguments))
            # Words alone, and then calls alone, would be one step in a log of items.
            alone = events[-1][0] == "assistant"
            text = rng.choice(WORDS) if not calls or alone or rng.random() < 0.4 else None
            reasoning = rng.choice((None, None, "Let me think.", "First,\nthen."))
            events.append(("assistant", text, reasoning, calls))
            if calls:
                results = [(id, name, *_given(rng)) for id, name, _ in calls]
                if ids:
                    rng.shuffle(results)
                    if len(results) > 1 and rng.random() < 0.2:
                        results.pop()
                events.append(("results", results))
        if rng.random() < 0.8:
            events.append(("assistant", rng.choice(WORDS), None, []))
    return events


def _given(rng):
    value = rng.choice(GIVEN)
    return value, value in FAILING


def found(events):
    """What is to be found: of each turn the users' texts, the assistant's (text, reasoning, number of calls) and the calls.

    A call is [id, name, arguments, result, failed], the last two None where it was not answered.
    """
    turns, calls = [], []  # and the calls of the last step
    for kind, *event in events:
        if kind == "user":
            if not turns or turns[-1][1]:
                turns.append([[], [], []])
            turns[-1][0].append(event[0])
        elif kind == "assistant":
            text, reasoning, made = event
            if not turns:
                turns.append([[], [], []])
            calls = [[id, name, arguments, None, None] for id, name, arguments in made]
            turns[-1][1].append((text or "", reasoning, len(made)))
            turns[-1][2] += calls
        else:
            for id, name, value, failed in event[0]:
                call = next(call for call in calls if call[:2] == [id, name] and call[4] is None)
                call[3:] = [value, failed]
    return turns


def read(conversation):
    """The same, of a Conversation."""
    return [
        [
            [message.text for message in turn.user],
            [(message.text, message.reasoning, len(message.calls)) for message in turn.assistant],
            [[call.id, call.name, call.arguments, call.result if call.answered else None, call.failed if call.answered else None] for call in turn.tool_calls],
        ]
        for turn in conversation.turns
    ]


def completions(events, rng):
    """Chat completions: calls beside the content, their arguments as JSON text."""
    messages = []
    for kind, *event in events:
        if kind == "user":
            messages.append({"role": "user", "content": _split(event[0], rng, "text")})
        elif kind == "assistant":
            text, reasoning, calls = event
            message = {"role": "assistant", "content": text if text is None else _split(text, rng, "text")}
            if reasoning:
                message[rng.choice(("reasoning_content", "reasoning"))] = reasoning
            if calls or rng.random() < 0.2:
                message["tool_calls"] = [
                    {"id": id, "type": "function", "function": {"name": name, "arguments": _text(arguments, rng)}} for id, name, arguments in calls
                ] or None
            messages.append({**message, **rng.choice(({}, {"refusal": None, "annotations": []}))})
        else:
            messages += [{"role": "tool", "tool_call_id": id, "name": name, "content": _split(value, rng, "text")} for id, name, value, _ in event[0]]
    return messages


def legacy(events, rng):
    """One call beside the content, told apart by its name."""
    messages = []
    for kind, *event in events:
        if kind == "user":
            messages.append({"role": "user", "content": event[0]})
        elif kind == "assistant":
            message = {"role": "assistant", "content": event[0], "reasoning": event[1]}
            for _, name, arguments in event[2]:
                message["function_call"] = {"name": name, "arguments": _text(arguments, rng)}
            messages.append(message)
        else:
            messages += [{"role": "function", "name": name, "content": value} for _, name, value, _ in event[0]]
    return messages


def items(events, rng):
    """Items: each word, call, result and reasoning a record of its own."""
    written = []
    for kind, *event in events:
        if kind == "user":
            written.append({"role": "user", "content": _split(event[0], rng, "input_text"), **rng.choice(({}, {"type": "message"}))})
        elif kind == "assistant":
            text, reasoning, calls = event
            if reasoning:
                written.append({"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": reasoning}], "encrypted_content": None})
            if text is not None or not calls:
                parts = [{"type": "output_text", "text": part, "annotations": []} for part in _pieces(text or "", rng)]
                written.append({"type": "message", "id": "msg", "role": "assistant", "status": "completed", "content": parts})
            written += [
                {"type": "function_call", "id": "fc", "call_id": id, "name": name, "arguments": _text(arguments, rng), "status": "completed"}
                for id, name, arguments in calls
            ]
        else:
            written += [{"type": "function_call_output", "call_id": id, "output": _split(value, rng, "input_text")} for id, _, value, _ in event[0]]
    return written


def blocks(events, rng):
    """Content blocks: results stand in a message of the user, before the words that he says next."""
    messages = []
    for kind, *event in events:
        if kind == "user":
            text = {"type": "text", "text": event[0]}
            if messages and messages[-1]["role"] == "user" and type(messages[-1]["content"]) is list and messages[-1]["content"][-1]["type"] == "tool_result":
                messages[-1]["content"].append(text)
            else:
                messages.append({"role": "user", "content": rng.choice((event[0], [text]))})
        elif kind == "assistant":
            text, reasoning, calls = event
            content = [{"type": "thinking", "thinking": reasoning, "signature": "c2ln"}] if reasoning else []
            content += [{"type": "text", "text": part} for part in _pieces(text, rng)] if text is not None else []
            content += [{"type": "tool_use", "id": id, "name": name, "input": arguments} for id, name, arguments in calls]
            messages.append({"role": "assistant", "content": content})
        else:
            messages.append({
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": id, "content": _split(value, rng, "text"), **rng.choice(({}, {"is_error": failed}))}
                    for id, _, value, failed in event[0]
                ],
            })
    return messages


def keyed(events, rng):
    """Parts that are told apart by their one key, with a role `model`; calls have no ids."""
    contents = []
    for kind, *event in events:
        if kind == "user":
            contents.append({"role": "user", "parts": [{"text": event[0]}]})
        elif kind == "assistant":
            text, reasoning, calls = event
            parts = [{"text": reasoning, "thought": True}] if reasoning else []
            parts += [{"text": text}] if text is not None else []
            parts += [{"functionCall": {"name": name, "args": arguments}} for _, name, arguments in calls]
            contents.append({"role": "model", "parts": parts})
        else:
            key = rng.choice(("functionResponse", "function_response"))
            contents.append({"role": rng.choice(("user", "function")), "parts": [{key: {"name": name, "response": value}} for _, name, value, _ in event[0]]})
    return contents


def cased(events, rng):
    """Blocks in camel case, each told apart by its one key."""
    messages = []
    for kind, *event in events:
        if kind == "user":
            messages.append({"role": "user", "content": [{"text": event[0]}]})
        elif kind == "assistant":
            text, reasoning, calls = event
            content = [{"reasoningContent": {"reasoningText": {"text": reasoning, "signature": "c2ln"}}}] if reasoning else []
            content += [{"text": text}] if text is not None else []
            content += [{"toolUse": {"toolUseId": id, "name": name, "input": arguments}} for id, name, arguments in calls]
            messages.append({"role": "assistant", "content": content})
        else:
            messages.append({
                "role": "user",
                "content": [
                    {"toolResult": {"toolUseId": id, "content": [{"text": value}], "status": "error" if failed else "success"}}
                    for id, _, value, failed in event[0]
                ],
            })
    return messages


def toolkit(events, rng):
    """Parts with dashes: tool-call and tool-result."""
    messages = []
    for kind, *event in events:
        if kind == "user":
            messages.append({"role": "user", "content": [{"type": "text", "text": event[0]}]})
        elif kind == "assistant":
            text, reasoning, calls = event
            content = [{"type": "reasoning", "text": reasoning}] if reasoning else []
            content += [{"type": "text", "text": text}] if text is not None else []
            key = rng.choice(("input", "args"))
            content += [{"type": "tool-call", "toolCallId": id, "toolName": name, key: arguments} for id, name, arguments in calls]
            messages.append({"role": "assistant", "content": content})
        else:
            content = []
            for id, name, value, failed in event[0]:
                given = {"output": {"type": "error-text" if failed else "text", "value": value}} if rng.random() < 0.5 else {"result": value, "isError": failed}
                content.append({"type": "tool-result", "toolCallId": id, "toolName": name, **given})
            messages.append({"role": "tool", "content": content})
    return messages


def screen(events, rng):
    """Messages of a user interface: each call is a part that holds its result, and a part begins each step."""
    messages, results = [], {}
    for place, (kind, *event) in enumerate(events):
        if kind == "user":
            messages.append({"id": "m", "role": "user", "parts": [{"type": "text", "text": event[0]}]})
        elif kind == "assistant":
            text, reasoning, calls = event
            results = {id: (value, failed) for id, _, value, failed in events[place + 1][1]} if calls else {}
            parts = [{"type": "step-start"}]
            parts += [{"type": "reasoning", "text": reasoning, "state": "done"}] if reasoning else []
            parts += [{"type": "text", "text": text}] if text is not None else []
            for id, name, arguments in calls:
                part = {"type": "tool-" + name, "toolCallId": id, "state": "input-available", "input": arguments}
                if id in results:
                    value, failed = results[id]
                    part.update({"state": "output-error", "errorText": value} if failed else {"state": "output-available", "output": value})
                parts.append(part)
            if messages and messages[-1]["role"] == "assistant":
                messages[-1]["parts"] += parts
            else:
                messages.append({"id": "m", "role": "assistant", "parts": parts})
    return messages


def classes(events, rng):
    """Messages named for their class, with flat calls; some wrapped."""
    messages = []
    for kind, *event in events:
        if kind == "user":
            messages.append({"type": "human", "content": event[0], "additional_kwargs": {}, "response_metadata": {}, "name": None, "id": None})
        elif kind == "assistant":
            text, reasoning, calls = event
            message = {
                "type": "ai", "content": text or "", "additional_kwargs": {"reasoning_content": reasoning} if reasoning else {}, "invalid_tool_calls": [],
                "tool_calls": [{"name": name, "args": arguments, "id": id, "type": "tool_call"} for id, name, arguments in calls], "usage_metadata": None,
            }  # fmt: skip
            if calls and rng.random() < 0.5:  # the vendor's own blocks stand in the content, and say the calls a second time
                message["content"] = [{"type": "text", "text": text}] if text else []
                message["content"] += [{"type": "tool_use", "id": id, "name": name, "input": arguments} for id, name, arguments in calls]
            messages.append(message)
        else:
            messages += [
                {"type": "tool", "content": value, "tool_call_id": id, "name": name, "status": "error" if failed else "success", "artifact": None}
                for id, name, value, failed in event[0]
            ]
    names = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}
    wrap = rng.choice((
        lambda message: message,
        lambda message: {"type": message["type"], "data": message},
        lambda message: {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", names[message["type"]]], "kwargs": message},
    ))
    return [wrap(message) for message in messages]


def own(events, rng):
    """Our own form, with the results inside the calls."""
    messages = []
    for place, (kind, *event) in enumerate(events):
        if kind == "user":
            messages.append({"role": "user", "content": event[0]})
        elif kind == "assistant":
            text, reasoning, calls = event
            results = {id: (value, failed) for id, _, value, failed in events[place + 1][1]} if calls else {}
            made = []
            for id, name, arguments in calls:
                made.append({"id": id, "name": name, rng.choice(("arguments", "args")): arguments})
                if id in results:
                    made[-1].update(result=results[id][0], failed=results[id][1])
            messages.append({"role": "assistant", "content": text, "reasoning": reasoning, "tool_calls": made})
    return messages


def lines(events, rng):
    """from and value; a call is a line of its own, the JSON text of it, and its result is the next."""
    messages = []
    for kind, *event in events:
        if kind == "user":
            messages.append({"from": "human", "value": event[0]})
        elif kind == "assistant":
            for _, name, arguments in event[2]:
                messages.append({"from": "function_call", "value": json.dumps({"name": name, "arguments": arguments})})
            if not event[2]:
                messages.append({"from": "gpt", "value": event[0]})
        else:
            messages += [{"from": "observation", "value": value} for _, _, value, _ in event[0]]
    return messages


# With ids, any number of calls in a step; by name and order; one call in a step, and by nothing but the order.
WITH_IDS = (completions, items, blocks, cased, toolkit, screen, classes, own)
IN_ORDER = (keyed,)
ONE_BY_ONE = (legacy, completions, keyed, own)


def _text(arguments, rng):
    return rng.choice(("", " \n", "{}")) if not arguments else json.dumps(arguments, ensure_ascii=rng.random() < 0.5)


def _pieces(text, rng):
    if rng.random() < 0.6 or len(text) < 2:
        return [text]
    at = rng.randrange(1, len(text))
    return [text[:at], text[at:]]


def _split(text, rng, kind):
    """A text as it is, or as parts that begin and end anywhere."""
    return text if rng.random() < 0.6 else [{"type": kind, "text": piece} for piece in _pieces(text, rng)]
