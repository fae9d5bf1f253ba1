"""Conversations: from messages of every shape the same turns, calls and results, and nothing dropped in silence."""
import copy
import json
import os
import pickle
import random
import time
import unittest

from gatekit import CaseError, Conversation

from . import chat_shapes

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "conversations")
FILES = {"blocks.json", "completions.json", "failures.json", "items.json", "kits.json", "own.json", "refused.json"}


def cases(leaf):
    with open(os.path.join(HERE, leaf), encoding="utf-8") as file:
        return json.load(file)


def shown(conversation):
    """A conversation as the data files write it: what is empty is left out."""
    turns = []
    for turn in conversation.turns:
        told = {"user": [message.text for message in turn.user], "assistant": [message.text for message in turn.assistant]}
        told["refusals"] = [message.refusal for message in turn.assistant if message.refusal]
        told["reasoning"] = [message.reasoning for message in turn.assistant if message.reasoning]
        told["calls"] = [call_shown(call) for call in turn.tool_calls]
        turns.append({key: value for key, value in told.items() if value})
    return turns


def call_shown(call):
    told = {"id": call.id} if call.id is not None else {}
    told.update(name=call.name, arguments=call.arguments)
    if call.malformed is not None:
        told["malformed"] = call.malformed
    if call.answered:
        told.update(result=call.result, failed=call.failed)
    return told


class Shapes(unittest.TestCase):
    def test_the_data_is_there(self):
        self.assertEqual(set(os.listdir(HERE)), FILES)
        self.assertTrue(all(len(cases(leaf)) >= 5 for leaf in FILES))

    def test_what_is_read(self):
        for leaf in sorted(FILES - {"failures.json", "refused.json"}):
            for case in cases(leaf):
                with self.subTest(file=leaf, why=case["why"]):
                    conversation = Conversation.from_messages(case["messages"])
                    self.assertEqual(shown(conversation), case["turns"])
                    self.assertEqual([[orphan.id, orphan.name, orphan.value] for orphan in conversation.orphans], case.get("orphans", []))
                    system = [message.text for message in conversation.messages if message.role == "system"]
                    self.assertEqual(system, case.get("system", []))
                    if "steps" in case:
                        steps = [
                            [message.role, message.message, message.step, *sorted({call.result_step for call in message.calls} - {None})]
                            for message in conversation.messages
                        ]
                        self.assertEqual(steps, case["steps"])
                    self.assertEqual(Conversation.from_messages(conversation.to_messages()), conversation)

    def test_what_is_refused(self):
        for case in cases("refused.json"):
            with self.subTest(why=case["why"]):
                with self.assertRaises(CaseError) as caught:
                    Conversation.from_messages(case["messages"])
                self.assertEqual(list(caught.exception.path), case["path"])
                for words in case["says"]:
                    self.assertIn(words, caught.exception.message)

    def test_which_results_are_failures(self):
        for case in cases("failures.json"):
            for result in case["results"]:
                with self.subTest(why=case["why"], result=result):
                    messages = [{"role": "assistant", "tool_calls": [{"name": "f", "args": {}, "result": result}]}]
                    [call] = Conversation.from_messages(messages).calls
                    self.assertIs(call.failed, case["failed"])
                    if isinstance(result, str):
                        messages[0]["tool_calls"][0]["result"] = " \n" + result + " " * 300
                        self.assertIs(Conversation.from_messages(messages).calls[0].failed, case["failed"], "long, and with blanks before it")


class EveryShapeTellsTheSame(unittest.TestCase):
    def compare(self, seed, count, writers, *, without=(), **kind):
        rng = random.Random(seed)
        for number in range(count):
            events = chat_shapes.conversation(rng, **kind)
            expected = chat_shapes.found(events)
            read = []
            for write in writers:
                messages = write(events, rng)
                with self.subTest(number=number, shape=write.__name__, messages=messages):
                    conversation = Conversation.from_messages(messages)
                    self.assertEqual(chat_shapes.read(conversation), expected)
                    self.assertEqual(conversation.orphans, ())
                    read.append(conversation)
                    back = Conversation.from_messages(conversation.to_messages())
                    self.assertEqual(back, conversation)
                    self.assertEqual([call.result_step for call in back.calls], [call.result_step for call in conversation.calls])
            self.assertEqual(len(set(read)), 1)
            self.assertTrue(all(one == read[0] for one in read))

    def test_calls_with_ids(self):
        self.compare(4, 60, chat_shapes.WITH_IDS)

    def test_calls_in_order(self):
        self.compare(5, 50, chat_shapes.IN_ORDER, ids=False)

    def test_one_call_at_a_time(self):
        self.compare(6, 50, chat_shapes.ONE_BY_ONE, ids=False, parallel=False)

    def test_shapes_mixed_in_one_list(self):
        rng = random.Random(7)
        for number in range(40):
            first, second = (chat_shapes.conversation(rng) for _ in range(2))
            second = [event for event in second if event[0] == "user" or second.index(event) > 0]
            one, other = rng.choice(chat_shapes.WITH_IDS), rng.choice(chat_shapes.WITH_IDS)
            if second[0][0] != "user":
                continue
            with self.subTest(number=number, shapes=(one.__name__, other.__name__)):
                read = chat_shapes.read(Conversation.from_messages(one(first, rng) + other(second, rng)))
                self.assertEqual(read, chat_shapes.found(first + second))


class Facts(unittest.TestCase):
    def test_a_conversation_is_a_value(self):
        messages = chat_shapes.completions(chat_shapes.conversation(random.Random(3)), random.Random(1))
        conversation = Conversation.from_messages(messages)
        self.assertEqual(pickle.loads(pickle.dumps(conversation)), conversation)
        self.assertEqual(len({conversation, Conversation.from_messages(copy.deepcopy(messages))}), 1)
        with self.assertRaises(AttributeError):
            conversation.turns = ()
        kept = conversation.to_messages()
        messages[0]["content"] = "changed"
        kept[0]["content"] = "changed"
        self.assertNotEqual(conversation.given[0]["content"], "changed")
        self.assertNotEqual(conversation.to_messages()[0]["content"], "changed")

    def test_conversations_differ(self):
        base = {"role": "assistant", "content": "a", "tool_calls": [{"id": "c", "name": "f", "arguments": {"x": 1}, "result": "r", "failed": False}]}
        call = base["tool_calls"][0]
        changed = [{"content": "b"}, {"refusal": "no"}, {"reasoning": "r"}] + [
            {"tool_calls": [{**call, **change}]}
            for change in (
                {"id": "d"}, {"name": "g"}, {"arguments": {"x": True}}, {"arguments": '"x"'},
                {"result": 1}, {"result": "1"}, {"result": None}, {"failed": True},
            )
        ]  # fmt: skip
        made = [Conversation.from_messages([{**base, **change}]) for change in [{}, *changed]]
        self.assertEqual(len(set(made)), len(made))
        same = Conversation.from_messages([{**base, "tool_calls": [{**call, "arguments": '{"x": 1.0}'}]}])
        self.assertEqual(same, made[0])

    def test_results_as_values(self):
        given = {'{"a": [1]}': {"a": [1]}, " 3 ": 3, "{bad": "{bad", "plain": "plain", '{"a": 1, "a": 2}': '{"a": 1, "a": 2}'}
        for text, value in given.items():
            [call] = Conversation.from_messages([{"role": "assistant", "tool_calls": [{"name": "f", "result": text}]}]).calls
            self.assertEqual(call.result_value, value)
            self.assertEqual(call.result, text)

    def test_what_is_no_json_is_refused(self):
        class Message:
            pass

        for messages, path in (
            ([{"role": "user", "content": "x"}, Message()], (1,)),
            ([{"role": "user", "content": {1, 2}}], (0, "content")),
            ([{"role": "user", "content": "x", 3: "y"}], (0,)),
            ([{"role": "assistant", "tool_calls": [{"name": "f", "args": {"x": float("nan")}}]}], (0, "tool_calls", 0, "args", "x")),
            ([{"role": "assistant", "tool_calls": [{"name": "f", "args": {"x": b"y"}}]}], (0, "tool_calls", 0, "args", "x")),
        ):
            with self.subTest(path=path), self.assertRaises(CaseError) as caught:
                Conversation.from_messages(messages)
            self.assertEqual(caught.exception.path, path)
        for messages in (None, "x", {"messages": []}, 3):
            with self.assertRaises(CaseError):
                Conversation.from_messages(messages)

    def test_tuples_are_lists(self):
        conversation = Conversation.from_messages(({"role": "user", "content": ({"type": "text", "text": "x"},)},))
        self.assertEqual(conversation.turns[0].user[0].text, "x")


class Hostile(unittest.TestCase):
    def test_depth(self):
        many = "[" * 200_000
        [call] = Conversation.from_messages([{"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": many}}]}]).calls
        self.assertIn("deeper than 200", call.malformed)
        self.assertEqual(call.arguments, many)
        value = []
        for _ in range(100_000):
            value = [value]
        call = {"role": "assistant", "tool_calls": [{"name": "f", "args": value}]}
        for message in ({"role": "user", "content": value}, {"role": "user", "content": "x", "more": value}, call):
            with self.assertRaises(CaseError):
                Conversation.from_messages([message])
        while value:
            value = value.pop()  # from the outside: no recursion when it goes

    def test_the_deepest_arguments_are_told_and_compared(self):
        arguments = '{"a":' * 199 + "1" + "}" * 199
        made = Conversation.from_messages([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": arguments}}]}])
        self.assertIsNone(made.calls[0].malformed)
        self.assertEqual(made, Conversation.of_json(made.given))
        hash(made)

    def test_linear(self):
        def seconds(messages):
            start = time.process_time()
            conversation = Conversation.from_messages(messages)
            hash(conversation), conversation.repeated, conversation.unanswered
            return time.process_time() - start

        def call(number, **more):
            return {"role": "assistant", "content": None, "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": "{}"}, **more}]}

        def result(**more):
            return {"role": "tool", "content": "x", **more}

        def many(count):
            texts, calls = [{"type": "text", "text": "x"}], [{"type": "tool_use", "id": f"b{number}", "name": "f", "input": {}} for number in range(count)]
            yield "unanswered, one id", [call(number, id="a") for number in range(count)]
            yield "unanswered, then answered", [call(number, id="a") for number in range(count)] + [result(tool_call_id="a")] * count
            yield "by name", [call(number) for number in range(count)] + [result(name="f")] * count
            yield "by nothing", [message for number in range(count) for message in (call(number), result())]
            yield "items", [{"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}] * count
            yield "reasoning", [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "x"}]}] * count
            users = [{"role": "user", "content": "x", "id": f"m{number}"} for number in range(count)]
            yield "references", users + [{"type": "item_reference", "id": "m0"}] * count
            yield "parts", [{"role": "assistant", "content": (texts + calls[:1]) * count}]
            yield "both", [{"role": "assistant", "content": calls, "tool_calls": [{"id": call["id"], "name": "f", "args": {}} for call in calls]}]
            yield "keys", [{"role": "user", "content": "x", **{f"key_{number}": "v" for number in range(count // 10)}}]

        for (name, few), (_, lots) in zip(many(150), many(1500)):
            with self.subTest(name=name):
                short = min(seconds(few) for _ in range(2))
                self.assertLess(seconds(lots), 40 * max(short, 0.002))

    def test_mutations_are_read_or_refused(self):
        rng = random.Random(12)
        writers = [*chat_shapes.WITH_IDS, chat_shapes.keyed, chat_shapes.legacy, chat_shapes.lines]
        written = [case["messages"] for leaf in sorted(FILES - {"failures.json"}) for case in cases(leaf)]
        read = refused = 0
        for number in range(900):
            write = rng.choice(writers)
            one = write in (chat_shapes.legacy, chat_shapes.lines)
            messages = copy.deepcopy(rng.choice(written)) if number % 3 else write(chat_shapes.conversation(rng, ids=not one, parallel=not one), rng)
            messages = json.loads(json.dumps(messages))
            for _ in range(rng.choice((1, 1, 2, 4))):
                mutate(messages, rng)
            try:
                conversation = Conversation.from_messages(messages)
                self.assertEqual(Conversation.from_messages(conversation.to_messages()), conversation, messages)
                read += 1
            except CaseError as error:
                self.assertTrue(error.message)
                self.assertTrue(error.path == () or type(error.path[0]) is int, error.path)
                refused += 1
        self.assertGreater(read, 100)
        self.assertGreater(refused, 100)


    def test_a_slip_in_a_key_is_refused_or_changes_nothing(self):
        rng = random.Random(8)
        seen = 0
        for leaf in sorted(FILES - {"failures.json", "refused.json"}):
            for case in cases(leaf):
                told = Conversation.from_messages(case["messages"])
                for number in range(len(list(keys_in(case["messages"])))):
                    messages = copy.deepcopy(case["messages"])
                    mapping, key = list(keys_in(messages))[number]
                    at = rng.randrange(len(key))
                    turned = key[:at] + key[at + 1:at + 2] + key[at] + key[at + 2:]
                    slip = rng.choice((key + "s", key[:at] + key[at + 1:], key.title().replace("_", ""), turned))
                    if key in DATA or len(slip) < 3 or slip in mapping:
                        continue
                    members = list(mapping.items())
                    mapping.clear()
                    mapping.update((slip if name == key else name, value) for name, value in members)
                    seen += 1
                    with self.subTest(why=case["why"], key=key, slip=slip):
                        try:
                            self.assertEqual(Conversation.from_messages(messages), told)
                        except CaseError:
                            pass
        self.assertGreater(seen, 400)


# Keys of what a tool was given or gave, which is kept whole; and ids and names, whose loss shows as a result that goes to no call.
DATA = {
    "id", "name", "tool_call_id", "x", "y", "order", "query", "queries", "title", "url", "image_url", "media_type", "source", "data",
    "result", "output", "value", "error", "error_code", "json", "language", "file_id", "logs", "command", "path", "text", "type", "encrypted_content",
}  # fmt: skip
GARBAGE = (None, True, False, 0, -1.5, "", "x", "assistant", "tool", [], {}, [[]], [None], ["x"], {"x": 1})
GARBAGE += ([{"type": "text"}], {"name": "f", "arguments": "{"}, {"text": {}}, {"type": []})
KEYS = (
    "role", "type", "content", "parts", "tool_calls", "function_call", "id", "call_id", "name", "arguments", "args", "input", "output", "result", "failed",
    "is_error", "status", "error", "summary", "thinking", "reasoning", "text", "tool_use_id", "data", "lc", "from", "value", "kwargs", "orphan", "requestor",
    "toolInvocations", "audio", "additional_kwargs", "x",
)  # fmt: skip


def keys_in(value):
    """Each key in a value, with the mapping in which it stands."""
    if isinstance(value, dict):
        for key in value:
            yield value, key
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys_in(item)


def mutate(value, rng):
    """Change one thing, anywhere: drop it, put garbage in its place, rename a key, or say it twice."""
    places = []
    left = [value]
    while left:
        container = left.pop()
        for key in range(len(container)) if isinstance(container, list) else list(container):
            places.append((container, key))
            if isinstance(container[key], (list, dict)):
                left.append(container[key])
    if not places:
        return
    container, key = rng.choice(places)
    how = rng.randrange(4)
    if how == 0:
        del container[key]
    elif how == 1:
        container[key] = copy.deepcopy(rng.choice(GARBAGE))
    elif isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key] if how == 2 else rng.choice(GARBAGE)))
    else:
        container[rng.choice(KEYS)] = copy.deepcopy(container[key] if how == 2 else rng.choice(GARBAGE))


if __name__ == "__main__":
    unittest.main()
