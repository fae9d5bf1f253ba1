"""The calls of a conversation against expected ones: behaviour as a data file, and the pairing against all that is possible.

A line of the data holds `why`, the fields of the `rule`, the `calls` that were made (a list of steps, each a list of `[name, arguments]`, the arguments as a
value or as the text of one; "user" stands for the user's words between) and the `outcome` with its `reason`. `blind` is a failure that could not look.
`malformed` asks for a reason that says so. `refused` in the place of an outcome has what the message `says` and the `path`.
"""
import json
import os
import random
import unittest
from itertools import permutations

from gatekit import Case, CaseError, Matcher, Sample
from gatekit.data.reading import Reading
from gatekit.ground.canonical import canonical, same
from gatekit.ground.errors import path_text
from gatekit.matchers.contract import subset_difference
from gatekit.matchers.pairing import paired, pairs_all

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "tool_calls", "cases.jsonl")


def reading_of(steps):
    """What a check reads of a sample with these calls, as chat messages; None: of one without messages."""
    return Reading.of(Sample("a text") if steps is None else Sample(messages=messages_of(steps)), explains=True)


def messages_of(steps):
    messages, number = [{"role": "user", "content": "hello"}], 0
    for step in steps:
        if step == "user":
            messages.append({"role": "user", "content": "go on"})
            continue
        calls = []
        for name, arguments in step if isinstance(step[0], list) else [step]:
            number += 1
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            calls.append({"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": text}})
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages += [{"role": "tool", "tool_call_id": call["id"], "content": "done"} for call in calls]
    return [*messages, {"role": "assistant", "content": "Done."}]


def judged(rule, steps):
    return Matcher("tool_calls", **rule).check(reading_of(steps))


def lines():
    with open(DATA, encoding="utf-8") as data:
        return [json.loads(line) for line in data]


class Cases(unittest.TestCase):
    def test_each_line(self):
        for number, line in enumerate(lines(), 1):
            with self.subTest(line=number, why=line["why"]):
                if line["outcome"] == "refused":
                    self.refused(line)
                else:
                    self.held_against(line)

    def refused(self, line):
        with self.assertRaises(CaseError) as caught:
            Matcher("tool_calls", **line["rule"])
        self.assertEqual(path_text(caught.exception.path), line["path"])
        for words in line["says"]:
            self.assertIn(words, caught.exception.message)

    def held_against(self, line):
        outcome = judged(line["rule"], line["calls"])
        self.assertEqual(("fail", True) if line["outcome"] == "blind" else (line["outcome"], False), (outcome.state, outcome.blind), outcome.reason)
        self.assertTrue(outcome.reason)
        if "reason" in line:
            self.assertEqual(outcome.reason, line["reason"])
        if line.get("malformed"):
            self.assertIn("its arguments are malformed: ", outcome.reason)

    def test_every_mode_passes_and_fails_somewhere(self):
        seen = {(line["rule"].get("mode", "strict"), line["outcome"]) for line in lines()}
        for mode in ("strict", "in_order", "unordered", "subset", "superset"):
            self.assertLessEqual({(mode, "pass"), (mode, "fail")}, seen)


class Findings(unittest.TestCase):
    def test_expected_and_actual_have_one_form(self):
        expected = [[{"name": "a", "args": {"x": 1}}, {"name": "b"}], {"name": "c", "args": {}}]
        outcome = judged({"expected": expected}, [["a", {"x": 2}], [["b", {}], ["c", {}]]])
        self.assertEqual(outcome.expected, expected)
        self.assertEqual(outcome.actual, [{"name": "a", "args": {"x": 2}}, [{"name": "b", "args": {}}, {"name": "c", "args": {}}]])

    def test_what_is_ignored_is_not_shown_as_a_difference(self):
        outcome = judged({"mode": "unordered", "args": {"a": "ignore"}, "expected": [{"name": "a"}, {"name": "b"}]}, [["a", {"x": 2}], ["a", {}]])
        self.assertEqual(outcome.actual, [{"name": "a"}, {"name": "a"}])

    def test_in_a_case(self):
        case = Case.from_dict({"id": "c", "level": 3, "matchers": [{"type": "tool_calls", "name": "the calls", "expected": [{"name": "a"}]}]})
        verdict = case.check({"messages": messages_of([["b", {"token": "ghp" + "_" + "a1B2" * 9}]])})
        self.assertEqual(verdict.status, "check_failed")
        [finding] = verdict.findings
        self.assertEqual((finding.rule, finding.type, finding.tier, finding.expected), ("the calls", "tool_calls", 3, [{"name": "a"}]))
        self.assertIn("missing call: a(...); unexpected call on turn 0: b(token:", finding.reason)
        self.assertNotIn("a1B2", str(finding))
        self.assertEqual(case.check({"messages": messages_of([["a", {}]])}).status, "passed")
        self.assertEqual(case.check("a text").status, "inconclusive")

    def test_calls_that_never_came_are_no_success_of_the_negation_of_subset(self):
        rule = {"type": "tool_calls", "mode": "subset", "expected": [{"name": "a"}]}
        self.assertEqual(Matcher("not", matcher=rule).check(reading_of([])).state, "fail")
        self.assertEqual(Matcher("not", matcher={**rule, "mode": "superset"}).check(reading_of([])).state, "pass")


class Modes(unittest.TestCase):
    """Each mode against its definition, over all that can be called in up to three steps."""

    def test_by_definition(self):
        made = list(sequences(("a", "b"), 3))
        for expected in (("a",), ("a", "b"), ("a", "a"), ("b", "a", "b")):
            rules = {mode: Matcher("tool_calls", mode=mode, expected=[{"name": name} for name in expected]) for mode in DEFINITIONS}
            for steps in made:
                reading = reading_of([[[name, {}] for name in step] for step in steps])
                for mode, holds in DEFINITIONS.items():
                    outcome = rules[mode].check(reading)
                    self.assertEqual(outcome.state == "pass", holds(expected, steps), (mode, expected, steps))
                    self.assertTrue(outcome.reason)


def sequences(names, longest):
    """All sequences of up to `longest` steps of one call or two."""
    steps = [(name,) for name in names] + [(one, two) for one in names for two in names]
    level = [()]
    for _ in range(longest + 1):
        yield from level
        level = [(*before, step) for before in level for step in steps]


def counted(names):
    return {name: sum(other == name for other in names) for name in ("a", "b")}


def flat(steps):
    return [name for step in steps for name in step]


def is_subsequence(expected, steps):
    if not expected:
        return True
    return any(expected[0] in step and is_subsequence(expected[1:], steps[at + 1 :]) for at, step in enumerate(steps))


DEFINITIONS = {
    "strict": lambda expected, steps: [(name,) for name in expected] == list(steps),
    "in_order": is_subsequence,
    "unordered": lambda expected, steps: sorted(expected) == sorted(flat(steps)),
    "subset": lambda expected, steps: bool(steps) and all(count <= counted(expected)[name] for name, count in counted(flat(steps)).items()),
    "superset": lambda expected, steps: all(count <= counted(flat(steps))[name] for name, count in counted(expected).items()),
}


class Equality(unittest.TestCase):
    def test_same_is_equality_of_spellings(self):
        """All pairs of some values and of what can be made of them: `same` says what their one spelling says."""
        plain = [None, True, False, 0, 1, 1.0, -1, "1", "", "a", 10**20, 1e20, 0.5, 10**15, 1e15]
        values = plain + [[], {}, [1], [1.0], [True], [1, 1], {"a": 1}, {"a": 1.0}, {"a": True}, {"b": 1}, {"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": [1]}]
        values += [{"a": [{}]}, [[1]], [{"a": 1}]]
        for left in values:
            for right in values:
                self.assertIs(same(left, right), canonical(left) == canonical(right), (left, right))

    def test_what_is_no_json_value_is_not_compared(self):
        for left, right in ((float("nan"), float("nan")), ({1: "a"}, {1: "a"}), (10**700, 10**700), ([{1}], [{1}])):
            with self.assertRaises(CaseError):
                same(left, right)


class Pairing(unittest.TestCase):
    def test_as_many_as_can_be(self):
        """All graphs of three and three elements: the number of pairs is the largest there is, and no element is in two."""
        spots = [(one, other) for one in range(3) for other in range(3)]
        for number in range(2**9):
            edges = {spot for at, spot in enumerate(spots) if number >> at & 1}
            partners = paired(list(range(3)), list(range(3)), lambda one, other: (one, other) in edges)
            found = [(one, other) for one, other in enumerate(partners) if other is not None]
            self.assertLessEqual(set(found), edges)
            self.assertEqual(len({other for _, other in found}), len(found))
            self.assertEqual(len(found), largest(edges))
            self.assertEqual(pairs_all(list(range(3)), list(range(3)), lambda one, other: (one, other) in edges), largest(edges) == 3)

    def test_a_subset_in_any_order_is_what_some_order_shows(self):
        """Random values near each other, against the definition: there is an order of each list in which the expected value stands in the actual one."""

        def stands(one, other):
            if isinstance(one, dict) and isinstance(other, dict):
                return all(key in other and stands(item, other[key]) for key, item in one.items())
            if isinstance(one, list) and isinstance(other, list):
                return len(one) == len(other) and any(all(map(stands, one, order)) for order in permutations(other))
            return same(one, other)

        def value(depth):
            if not depth or rng.random() < 0.3:
                return rng.choice([0, 1, True, None, "a", 1.0])
            if rng.random() < 0.5:
                return {key: value(depth - 1) for key in rng.sample("abc", rng.randrange(4))}
            return [value(depth - 1) for _ in range(rng.randrange(5))]

        def near(given):
            if isinstance(given, dict):
                return {**{key: near(item) for key, item in given.items()}, **({rng.choice("abcd"): value(1)} if rng.random() < 0.4 else {})}
            if isinstance(given, list):
                return rng.sample([near(item) for item in given], len(given))
            return given if rng.random() < 0.95 else value(0)

        rng, seen = random.Random(5), set()
        for _ in range(3000):
            one = value(3)
            other = near(one)
            holds = stands(one, other)
            self.assertEqual(subset_difference(one, other, True) is None, holds, (one, other))
            seen.add(holds)
        self.assertEqual(seen, {True, False})

    def test_more_than_there_are(self):
        self.assertEqual(paired([1, 1, 1], [1, 1], lambda one, other: one == other).count(None), 1)
        self.assertFalse(pairs_all([1, 1, 1], [1, 1], lambda one, other: one == other))
        self.assertTrue(pairs_all([], [1], lambda one, other: False))

    def test_a_long_chain_needs_no_stack(self):
        length = 1100
        partners = paired(list(range(length)), list(range(length)), lambda one, other: other in (one, one + 1) if one < length - 1 else other == 0)
        self.assertNotIn(None, partners)


def largest(edges):
    """The size of the largest pairing, by trying all."""
    return max((1 + largest({edge for edge in edges if edge[0] != one and edge[1] != other}) for one, other in edges), default=0)


if __name__ == "__main__":
    unittest.main()
