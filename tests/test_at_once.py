"""What an assistant does at once: calls beside calls, and words beside calls."""
import unittest

from gatekit import CaseError, Matcher, Sample
from gatekit.data.reading import Reading

USER = {"role": "user", "content": "hello"}


def said(content, *names):
    """A message of the assistant, with calls of the named tools."""
    calls = [{"id": f"{name}{at}", "function": {"name": name, "arguments": "{}"}} for at, name in enumerate(names)]
    return {"role": "assistant", "content": content, "tool_calls": calls}


def answers(message):
    return [{"role": "tool", "tool_call_id": call["id"], "content": "done"} for call in message["tool_calls"]]


def talk(*messages):
    spelt = [USER]
    for message in messages:
        spelt += [message, *answers(message)] if message.get("tool_calls") else [message]
    return spelt


DONE = {"role": "assistant", "content": "Done."}
ITEM = {"type": "function_call", "call_id": "i", "name": "a", "arguments": "{}"}
RESULT = {"type": "function_call_output", "call_id": "i", "output": "done"}

# rule, messages, outcome, reason
CASES = [
    ({"type": "max_parallel", "value": 1}, talk(said(None, "a"), said(None, "b"), DONE), "pass", "never more than 1 at once"),
    ({"type": "max_parallel", "value": 1}, talk(said(None, "a", "b"), DONE), "fail", "turn 0: 2 calls at once (a, b), at most 1 allowed"),
    (
        {"type": "max_parallel", "value": 1},
        talk(DONE, USER, said(None, "a", "a"), DONE, USER, said(None, "b", "a"), DONE),
        "fail",
        "turn 1: 2 calls at once (a), at most 1 allowed; again on turn 2",
    ),
    ({"type": "max_parallel", "value": 2}, talk(said(None, "a", "b"), DONE), "pass", "never more than 2 at once"),
    ({"type": "max_parallel", "value": 1, "tool": "a"}, talk(said(None, "a", "b"), DONE), "pass", "never more than 1 at once"),
    ({"type": "max_parallel", "value": 1, "tool": ["a", "b"]}, talk(said(None, "a", "b"), DONE), "fail", "turn 0: 2 calls at once (a, b), at most 1 allowed"),
    ({"type": "max_parallel", "value": 1}, talk(DONE), "pass", "no tool was called"),
    (
        {"type": "max_parallel", "value": 1},
        [USER, ITEM, {**ITEM, "call_id": "j"}, RESULT, {**RESULT, "call_id": "j"}],
        "fail",
        "turn 0: 2 calls at once (a), at most 1 allowed",
    ),
    ({"type": "calls_alone"}, talk(said(None, "a"), DONE), "pass", "no answer beside a call"),
    ({"type": "calls_alone"}, talk(said("", "a"), DONE), "pass", "no answer beside a call"),
    ({"type": "calls_alone"}, talk(said(" \n", "a"), DONE), "pass", "no answer beside a call"),
    ({"type": "calls_alone"}, talk(said("One moment.", "a"), DONE), "fail", "turn 0: an answer stands beside the call of a, and must not"),
    (
        {"type": "calls_alone"},
        talk(DONE, USER, said("One moment.", "a"), said("And now.", "b"), DONE),
        "fail",
        "turn 1: an answer stands beside the call of a, and must not; again on turn 1",
    ),
    ({"type": "calls_alone", "tool": "b"}, talk(said("One moment.", "a"), said(None, "b"), DONE), "pass", "no answer beside a call"),
    ({"type": "calls_alone"}, talk(said("<think>Which tool?</think>", "a"), DONE), "pass", "no answer beside a call"),
    ({"type": "calls_alone"}, [USER, {"role": "assistant", "content": "One moment."}, ITEM, RESULT], "fail", "turn 0: an answer stands beside the call of a, and must not"),
    ({"type": "calls_alone"}, talk({**said(None, "a"), "refusal": "I will not."}), "fail", "turn 0: an answer stands beside the call of a, and must not"),
    ({"type": "calls_alone"}, talk(DONE), "pass", "no tool was called"),
]


class AtOnce(unittest.TestCase):
    def test_each(self):
        for number, (rule, messages, state, reason) in enumerate(CASES):
            with self.subTest(number=number, rule=rule):
                outcome = Matcher.from_dict(rule).check(Reading.of(Sample(messages=messages), explains=True))
                self.assertEqual((outcome.state, outcome.reason), (state, reason))

    def test_the_words_are_shown(self):
        outcome = Matcher("calls_alone").check(Reading.of(Sample(messages=talk(said("One moment.", "a")))))
        self.assertEqual(outcome.actual, "One moment.")

    def test_no_messages(self):
        for rule in ({"type": "calls_alone"}, {"type": "max_parallel", "value": 1}):
            self.assertEqual(Matcher.from_dict(rule).check(Reading.of(Sample("text"))).state, "unknown")

    def test_refused(self):
        for rule, words in (
            ({"type": "max_parallel"}, "needs 'value'"),
            ({"type": "max_parallel", "value": 0}, "max_calls"),
            ({"type": "max_parallel", "value": True}, "whole number"),
            ({"type": "max_parallel", "value": 1, "tools": "a"}, "did you mean 'tool'"),
            ({"type": "calls_alone", "tool": []}, "a tool has a name"),
            ({"type": "calls_alne"}, "did you mean 'calls_alone'"),
        ):
            with self.assertRaises(CaseError) as caught:
                Matcher.from_dict(rule)
            self.assertIn(words, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
