"""An agent that asks a model twenty times, from 2 messages to 40, with eight tools: what replay puts between the two is measured on it."""
import hashlib
import json
import time

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": f"tool_{number}",
            "description": "Look up what the user asked for, by its id.",
            "parameters": {"type": "object", "properties": {"id": {"type": "string"}, "count": {"type": "integer", "minimum": 1}}, "required": ["id"]},
        },
    }
    for number in range(8)
]
CALLS = 20


def ask(*, model, messages, tools, temperature):
    """The model."""
    call = {"id": f"call_{len(messages)}", "type": "function", "function": {"name": "tool_1", "arguments": '{"id": "A-%d", "count": 2}' % len(messages)}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def agent(client, tools):
    """An agent that does as the model says, for twenty rounds."""
    messages = [{"role": "system", "content": "You help whoever asks, and are brief. " * 12}, {"role": "user", "content": "Find all that is mine, please, and tell me where it is. " * 3}]

    def respond(text):
        for number in range(CALLS):
            message = client(model="m-1", messages=messages, tools=TOOLS, temperature=0)
            messages.append(message)
            messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": f"What you looked for is there, number {number} on the list, and it is in good order."})
        return "done"

    return respond


def seconds_a_call(recording, runs=30):
    """(the processor seconds that replay adds to one call, those of a bare `json.dumps` and `sha256` of its request): the fewest of some runs."""
    from gatekit import Recorder
    from gatekit.replay.recording import Recording

    text = recording.text()
    requests = [call["request"] for call in recording.model_calls]
    ours = plain = None
    for _ in range(runs):
        recorder = Recorder(ask, recording=Recording.from_text(text))
        recorder.user("x")
        with_it, without = _taken(lambda: agent(recorder.client, {})("x")), _taken(lambda: agent(ask, {})("x"))
        ours = min(ours or 1, with_it - without)
        plain = min(plain or 1, _taken(lambda: [hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest() for request in requests]))
        if recorder.departure is not None:
            raise SystemExit("replay: the bench left its recording")
    return ours / CALLS, plain / CALLS


def _taken(function):
    start = time.process_time()
    function()
    return time.process_time() - start
