"""How what was expected and what came differ: in words, by path, bounded, and without a piece of a key."""
import html
import json
import os
import random
import unittest

from gatekit import Case, Gate, Matcher, Sample
from gatekit.ground.canonical import same
from gatekit.judging.json_difference import differences
from gatekit.judging.tally import TRANSCRIPTS
from gatekit.matchers.contract import equal_to, subset_difference
from gatekit.reports.catalogue import FORMATS, Style, renderer
from gatekit.text.sameness import only_difference
from gatekit.text.word_diff import GONE, KEPT, NEW, word_steps

from .test_invariants import messages

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
FIELD = {"exact_text": "value", "exact_json": "value", "normalized_text_equal": "expected", "json_equal": "expected", "json_subset": "expected"}
KEY = "gh" + "p_" + "Zk7Qw2Lm9Xv4" + "Rt6Yb3Nc8Hd5" + "Jf1Gs0Pa2We4"


def difference(type, expected, actual, **fields):
    [finding] = Gate(Matcher(type, **{FIELD[type]: expected}, **fields)).check(Sample(actual)).findings
    return finding.difference


class Table(unittest.TestCase):
    def test_each_row(self):
        with open(os.path.join(HERE, "differences.json"), encoding="utf-8") as file:
            rows = json.load(file)
        for row in rows:
            matcher = row.get("matcher") or {"type": row["type"], FIELD[row["type"]]: row["expected"], **row.get("fields", {})}
            [finding] = Gate(Matcher.from_dict(matcher)).check(Sample(row["actual"])).findings
            self.assertEqual(finding.outcome, "fail", row)
            found = finding.difference
            if found is None or not {"note", "words", "paths"} & set(row):
                self.assertEqual((found, {"note", "words", "paths"} & set(row)), (None, set()), row)
                continue
            self.assertEqual((found.note, found.words, found.paths), (row.get("note"), tuple(map(tuple, row.get("words", ()))), tuple(row.get("paths", ()))), row)

    def test_what_compares_in_another_way_has_none(self):
        for type, fields in (("contains", {"value": "x"}), ("json_field", {"field": "a", "op": "eq", "value": 1}), ("is_json", {}), ("starts_with", {"value": "x"})):
            [finding] = Gate(Matcher(type, **fields)).check(Sample("nothing")).findings
            self.assertEqual((finding.outcome, finding.difference), ("fail", None), type)
        self.assertIsNone(difference("json_equal", {"a": 1}, "no JSON"))
        self.assertIsNone(difference("exact_text", "x", "x"))

    def test_what_a_reader_sees(self):
        text = str(Gate(Matcher("exact_text", value="The refund takes 14 days.")).check("The refund takes 14 weeks."))
        self.assertIn("    expected and got: The refund takes 14 [-days.-] {+weeks.+}", text)
        self.assertNotIn("got: '", text)
        self.assertIn("got: 'No'", str(Gate(Matcher("exact_text", value="The refund takes 14 days.")).check("No")))
        paths = str(Gate(Matcher("json_equal", expected={f"k{place}": 1 for place in range(9)})).check("{}"))
        self.assertEqual(paths.count("and it is missing"), 5)
        self.assertIn("and 4 more places", paths)


class Sameness(unittest.TestCase):
    def test_each_row(self):
        with open(os.path.join(HERE, "sameness.json"), encoding="utf-8") as file:
            rows = json.load(file)
        for left, right, words in rows:
            self.assertEqual((only_difference(left, right), only_difference(right, left)), (words, words), (left, right))

    def test_any_two_evened_out(self):
        changes = {
            "white space": lambda text: text.replace(" ", "  "), "line ends": lambda text: text.replace("\n", "\r\n"), "invisible characters": lambda text: text.replace("w", "w\u2060"),
            "the Unicode form": lambda text: text.replace("\u00e9", "e\u0301"), "typography": lambda text: text.replace("'", "\u2019"),
            "full-width characters": lambda text: text.replace("5", "\uff15"), "letters that look alike": lambda text: text.replace("o", "\u043e"), "case": lambda text: text.replace("It", "IT"),
        }  # fmt: skip
        text = "It's a caf\u00e9, of 5,\nwe know"
        for one, first in changes.items():
            for other, second in changes.items():
                alone = only_difference(text, first(text))
                self.assertTrue(alone, one)
                both = only_difference(text, second(first(text)))
                if {one, other} == {"white space", "line ends"}:
                    self.assertEqual(both, "only white space differs")
                else:
                    self.assertTrue(one == other or one in both and other in both, (one, other, both))

    def test_the_first_place_is_one_of_the_text_as_it_is(self):
        found = difference("exact_text", f"{KEY} It is so", f"{KEY} it is so")
        self.assertEqual(found.note, "only upper and lower case differ, first at line 1, column 42: expected I and got i")


class Shown(unittest.TestCase):
    """What acts or cannot be seen is spelt out in every format."""

    def test_inert_in_every_format(self):
        acting = "a/~<b>\u202e\x1b[31m\n::error::x"
        expected, actual = ({acting: number, "t": f"It was said that the refund would take {span} \u202e\x1b<i> at the most, and so it did not."} for number, span in ((1, "a day"), (2, "a week")))
        rules = Matcher("exact_json", value=expected), Matcher("exact_text", field="t", value=expected["t"])
        report = Gate(*rules).judge([Sample(actual)])
        for format in FORMATS:
            shown = renderer(format)(report, Style())
            for character in "\u202e\x1b":
                self.assertNotIn(character, shown, format)
            self.assertNotIn("\n::error::x", shown, format)
            self.assertIn("a~1~0", html.unescape(shown), format)
            self.assertIn("week", shown, format)
            if format in ("html", "junit", "markdown"):
                self.assertNotIn("~0<b>", shown, format)
                self.assertNotRegex(shown, "1b<i>", format)


class Bounds(unittest.TestCase):
    def test_a_long_text_is_cut_around_the_first_difference(self):
        before, after = "word " * 5000, " tail" * 5000
        found = difference("exact_text", f"{before}old{after}", f"{before}new{after}")
        self.assertEqual(found.words, (("~", ""), ("=", "word word word word"), ("-", "old"), ("+", "new"), ("=", "tail tail tail tail"), ("~", "")))

    def test_texts_without_a_word_in_common(self):
        found = difference("exact_text", "a " * 50000, "b " * 50000)
        self.assertEqual([kind for kind, _ in found.words], ["-", "+", "~"])
        self.assertLess(sum(len(words) for _, words in found.words), 1000)

    def test_many_places(self):
        found = difference("exact_json", list(range(5000)), [-1 - number for number in range(5000)])
        self.assertEqual((len(found.paths), found.paths[-1]), (21, "and more than 980 more places"))
        found = difference("exact_json", {f"k{number:03}": 1 for number in range(30)}, {})
        self.assertEqual((len(found.paths), found.paths[-1]), (21, "and 10 more places"))

    def test_long_lists(self):
        rng = random.Random(6)
        long = [{"sku": f"K{number}", "qty": number % 7} for number in range(3000)]
        self.assertEqual(difference("exact_json", long, [*long[:1500], 9, *long[1500:]]).paths, ("/1500: not expected: 9 (integer)",))
        other = [*long[:1500], {"sku": "K1500", "qty": 9}, *long[1501:]]
        self.assertEqual(difference("exact_json", long, other).paths, ("/1500/qty: expected 2 (integer), got 9 (integer)",))
        rng.shuffle(other)
        place = next(place for place, one in enumerate(other) if one["qty"] == 9)
        words = f"/1500/qty: expected 2 (integer), and at /{place}/qty got 9 (integer)"
        self.assertEqual(difference("json_equal", long, other, unordered=True).paths, (words,))
        self.assertEqual(difference("exact_json", long, other).paths, ("the value: some elements stand in another order", words))

    def test_deep_values(self):
        deep, other = 1, 2
        for _ in range(150):
            deep, other = [deep], [other]
        self.assertEqual(difference("exact_json", deep, other).paths, ("/0" * 150 + ": expected 1 (integer), got 2 (integer)",))


class Secrets(unittest.TestCase):
    def test_no_piece_at_any_cut(self):
        rng = random.Random(7)
        for before in (0, 190, 199, 205, 2765, 2790, 2799, 2806, 2975, 2990, 3001):
            filler = "".join(rng.choice("ab ") for _ in range(before))
            for expected, actual in ((f"x{filler} {KEY} tail", f"y{filler} {KEY[:20]}Z{KEY[20:]} tail"), (f"{filler}x {KEY}", f"{filler}y {KEY}"), (KEY, KEY.lower())):
                shown = repr(difference("exact_text", expected, actual)) + repr(difference("exact_json", {"a": expected, KEY: 1}, {"a": actual}))
                for at in range(len(KEY) - 7):
                    self.assertNotIn(KEY[at : at + 8].lower(), shown.lower(), (before, at))


    def test_no_piece_whatever_compares(self):
        odd = f"{KEY[:25]}x{KEY[25:]}"
        calls = [{"role": "user", "content": KEY}, *messages([f"call a book {json.dumps({'key': odd, 'n': 1})}"])]
        for matcher, output in (
            (Matcher("json_equal", expected=[{"k": KEY, "n": 1}, 2], unordered=True), [{"k": odd, "n": 1}, 3, KEY]),
            (Matcher("exact_json", value=[KEY, 1, 2]), [1, 2, odd]),
            (Matcher("json_subset", expected={f"{KEY}a": 1}), {KEY: 1}),
            (Matcher("contains", value="3 keys"), f"30 {KEY} and 4 keys {KEY}"),
            (Matcher("one_of", value=[f"the key {KEY} is", "no"]), f"the key {odd} is {KEY}"),
            (Matcher("json_field", field="k", op="eq", value={"a": KEY}), {"k": {"a": odd}, "b": KEY}),
            (Matcher("json_schema", schema={"additionalProperties": {"enum": [1]}}), {f"{KEY}{number}": KEY for number in range(8)}),
            (Matcher("tool_calls", expected=[{"name": "book", "args": {"key": KEY, "n": 2}}, {"name": "pay", "args": {"key": KEY}}]), Sample(messages=calls)),
        ):
            [finding] = Gate(matcher).check(output if isinstance(output, Sample) else Sample(output)).findings
            self.assertEqual(finding.outcome, "fail", matcher)
            self.assertIsNotNone(finding.difference, matcher)
            for at in range(len(KEY) - 7):
                self.assertNotIn(KEY[at : at + 8].lower(), repr(finding).lower(), (matcher.type, at))


class Properties(unittest.TestCase):
    def value(self, rng, depth=3):
        if not depth or rng.random() < 0.4:
            return rng.choice([None, True, 1, "1", "a", 2])
        if rng.random() < 0.5:
            return [self.value(rng, depth - 1) for _ in range(rng.randrange(4))]
        return {rng.choice("abc"): self.value(rng, depth - 1) for _ in range(rng.randrange(4))}

    def test_json_differs_where_it_is_said_and_nowhere_else(self):
        rng = random.Random(3)
        for _ in range(1500):
            left, right = self.value(rng), self.value(rng)
            for unordered in (False, True):
                found = list(differences(left, right, unordered=unordered))
                alike = equal_to(left, True)(right) is None if unordered else same(left, right)
                self.assertEqual(not found, alike, (left, right, unordered))
                for steps, kind, expected, actual, there in found:
                    if kind in ("unlike", "missing"):
                        self.assertTrue(same(at(left, steps), expected), (left, right))
                    if kind in ("unlike", "more"):
                        self.assertTrue(same(at(right, there), actual), (left, right))

    def test_a_subset_differs_where_the_rule_says_so(self):
        rng = random.Random(5)
        for _ in range(1500):
            left, right, unordered = self.value(rng), self.value(rng), rng.random() < 0.5
            self.assertEqual(not list(differences(left, right, True, unordered)), subset_difference(left, right, unordered) is None, (left, right, unordered))

    def test_the_steps_give_back_both_texts(self):
        rng = random.Random(4)
        for _ in range(1000):
            left, right = (" ".join(rng.choice("abcd") for _ in range(rng.randrange(1, 9))) for _ in range(2))
            steps = word_steps(left, right)
            if left != right:
                self.assertEqual(" ".join(words for kind, words in steps if kind != NEW), left)
                self.assertEqual(" ".join(words for kind, words in steps if kind != GONE), right)
                kept = sum(len(words.split()) for kind, words in steps if kind == KEPT)
                self.assertEqual(kept, common(left.split(), right.split()), (left, right))


def at(root, steps):
    for step in steps:
        root = root[step]
    return root


def common(left, right):
    """The length of the longest common sequence, by the table that every textbook has."""
    row = [0] * (len(right) + 1)
    for one in left:
        row = next_row(row, one, right)
    return row[-1]


def next_row(row, one, right):
    made = [0]
    for place, other in enumerate(right):
        made.append(row[place] + 1 if one == other else max(row[place + 1], made[place]))
    return made


class Turns(unittest.TestCase):
    SAID = [
        {"role": "user", "content": "My order is order 4183."},
        {"role": "assistant", "content": "Fine."},
        {"role": "user", "content": "Refund it."},
        {"role": "assistant", "content": "What is your order id?", "tool_calls": [{"id": "1", "function": {"name": "find", "arguments": '{"key": "%s"}' % KEY}}]},
        {"role": "tool", "tool_call_id": "1", "content": "ValueError: no order"},
    ]
    CASE = Case.from_dict(
        {
            "id": "c",
            "invariants": [
                {"type": "never_reask", "given": r"\border \d+", "ask": "order id"},
                {"type": "absence", "event": {"tool": "find"}},
                {"type": "max_calls", "value": 0},
                {"type": "calls_alone"},
            ],
            "matchers": [{"type": "not_contains", "value": "order id"}, {"type": "contains", "value": "9", "target": "tool:find.args"}, {"type": "contains", "value": "Sure"}],
        }
    )

    def test_which_turns_show_it(self):
        verdict = self.CASE.check({"messages": self.SAID})
        self.assertEqual({finding.rule: finding.turns for finding in verdict.findings}, {
            "invariants[0]": (0, 1), "invariants[1]": (1,), "invariants[2]": (1,), "invariants[3]": (1,), "matchers[0]": (1,), "matchers[1]": (1,), "matchers[2]": (),
        })  # fmt: skip

    def test_each_rule_names_its_turns(self):
        with open(os.path.join(HERE, "turns.json"), encoding="utf-8") as file:
            table = json.load(file)
        for part in (table, table["order"]):
            said = messages(part["says"])
            for row in part["rules"]:
                [kind] = {"invariants", "matchers"} & set(row)
                case = Case.from_dict({"id": "c", kind: [row[kind]]})
                [finding] = case.check({"messages": said}).findings
                self.assertEqual((finding.outcome, list(finding.turns)), ("fail", row["turns"]), row)
                if "paths" in row:
                    self.assertEqual(list(finding.difference.paths), row["paths"])
                if row["turns"]:
                    words = r"\bturns? [0-9, and]*\b(?:%s)\b" % "|".join(map(str, row["turns"]))
                    report = case.judge([Sample(messages=said)])
                    for format in FORMATS:
                        self.assertRegex(html.unescape(renderer(format)(report, Style())), words if format != "json" else '"turns": ', (format, row))

    def told(self, messages):
        return Gate(Matcher("contains", value="zzz"), Matcher("no_secrets")).judge([Sample(messages=messages)])

    def test_the_transcript(self):
        [verdict] = self.told(self.SAID).cases[0].verdicts
        self.assertEqual(
            [(line.kind, line.turn, line.message, line.name, line.text, line.failed) for line in verdict.transcript],
            [
                ("user", 0, 0, None, "My order is order 4183.", False),
                ("assistant", 0, 1, None, "Fine.", False),
                ("user", 1, 2, None, "Refund it.", False),
                ("assistant", 1, 3, None, "What is your order id?", False),
                ("call", 1, 3, "find", '{"key": "[secret 1: github token, 40 characters]"}', False),
                ("result", 1, 4, "find", "ValueError: no order", True),
            ],
        )
        self.assertEqual(self.CASE.check({"messages": self.SAID}).transcript, ())

    def test_a_long_one_is_told_in_part(self):
        long = [{"role": role, "content": f"{role} {turn} " + "x" * 1000} for turn in range(120) for role in ("user", "assistant")]
        long[121]["content"] = f"the key {KEY}"
        [verdict] = self.told(long).cases[0].verdicts
        lines = verdict.transcript
        self.assertEqual([(line.turn, line.text) for line in lines if line.kind == "gap"], [(5, "110 more"), (61, "98 more")])
        self.assertIn(("assistant", 60), [(line.kind, line.turn) for line in lines])
        self.assertLess(max(len(line.text) for line in lines), 640)

    def test_the_first_are_told_in_whatever_order_they_come(self):
        messages = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]
        gate = Gate(Matcher("contains", value="zzz"))
        samples = [Sample(messages=messages, sample=f"s{number:03}") for number in range(3 * TRANSCRIPTS)]
        shuffled = samples[:]
        random.Random(1).shuffle(shuffled)
        for given in (samples, samples[::-1], shuffled):
            told = [verdict.sample for verdict in gate.judge(given).cases[0].verdicts if verdict.transcript]
            self.assertEqual(told, [f"s{number:03}" for number in range(TRANSCRIPTS)])


if __name__ == "__main__":
    unittest.main()
