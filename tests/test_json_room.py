"""JSON: read strictly, spelt in one way, found in prose, and looked into by paths."""
import json
import os
import pickle
import random
import unittest

from gatekit.formats.field_path import FieldPath
from gatekit.formats.json_faults import check_document
from gatekit.formats.json_lexis import Fault, escaped_places, nests_within, string_places
from gatekit.formats.strict_json import read_json, scan_value
from gatekit.ground.canonical import canonical, digest, same
from gatekit.ground.errors import CaseError, FormatError
from gatekit.ground.exact import Exact, LiteralFloat, exact, parse_rate
from gatekit.text.json_in_prose import Failure, Found, all_json, find_json

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "json")


def rows(name):
    with open(os.path.join(DATA, name), encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    if not found:
        raise AssertionError(f"{name} holds no cases")
    return found


class Reading(unittest.TestCase):
    def test_what_is_refused_and_where(self):
        for row in rows("refused.jsonl"):
            with self.subTest(text=row["text"][:60]):
                with self.assertRaises(FormatError) as caught:
                    read_json(row["text"])
                error = caught.exception
                self.assertEqual((error.line, error.column, list(error.path)), (row["line"], row["column"], row["path"]))
                self.assertIn(row["says"], error.message)

    def test_bytes(self):
        self.assertEqual(read_json(b'\xef\xbb\xbf{"a": "\xc3\xa9"}'), {"a": "\u00e9"})
        self.assertEqual(read_json("\ufeff 1"), 1)
        for data, line, column in (
            (b'{"a":\n "\xc3\xa9\xff"}', 2, 4),
            (b'"\xed\xa0\x80"', 1, 2),
            ('"a"'.encode("utf-16"), 1, 1),
            ('"a"'.encode("utf-16-be"), 1, 1),
            ('"a"'.encode("utf-32-le"), 1, 1),
        ):
            with self.subTest(data=data), self.assertRaises(FormatError) as caught:
                read_json(data)
            self.assertEqual((caught.exception.line, caught.exception.column), (line, column))
        with self.assertRaises(FormatError):
            read_json(7)

    def test_what_is_read(self):
        self.assertEqual(read_json('"\\ud800"'), "\ud800")
        self.assertEqual(read_json("9" * 600), int("9" * 600))
        self.assertEqual(read_json("-" + "9" * 600), -int("9" * 600))
        deep = read_json("[" * 200 + "]" * 200)
        for _ in range(199):
            (deep,) = deep
        self.assertEqual(deep, [])
        brackets = '["' + "[" * 5000 + '"]'
        self.assertEqual(read_json(brackets), ["[" * 5000])

    def test_a_long_literal_is_a_float_that_remembers_it(self):
        value = read_json("0.1000000000000000055511151231257827")
        self.assertIsInstance(value, LiteralFloat)
        self.assertEqual(value, 0.1)
        self.assertFalse(same(value, 0.1))
        self.assertEqual(exact(value), Exact(1000000000000000055511151231257827, 10**34))
        self.assertEqual(pickle.loads(pickle.dumps(value)).literal, value.literal)
        self.assertIs(type(read_json("0.10000000000000000000")), float)

    def test_a_value_at_an_offset(self):
        self.assertEqual(scan_value('x = {"a": [1]}, y', 4), ({"a": [1]}, 14))
        with self.assertRaises(FormatError) as caught:
            scan_value("x\n= {]", 4)
        self.assertEqual((caught.exception.line, caught.exception.column), (2, 4))

    def test_the_walk_and_the_scanner_agree(self):
        """On mutated documents, the json module with the house's hooks refuses exactly what the walk finds a fault in."""
        rng = random.Random(11)
        pieces = [*'{}[],:"\\10-. \n/\x01\u00e9', "e5", "true", "nul", '"a"', "NaN"]
        refused = 0
        for _ in range(4000):
            text = json.dumps(_value(rng, 3))
            for _ in range(rng.randrange(3)):
                at = rng.randrange(len(text) + 1)
                text = text[:at] + rng.choice(pieces) + text[at + rng.randrange(2):]
            try:
                check_document(text)
                holds = True
            except Fault:
                holds = False
            try:
                value = read_json(text)
                self.assertTrue(holds, text)
                self.assertTrue(same(read_json(canonical(value)), value), text)
            except FormatError as error:
                refused += 1
                self.assertFalse(holds, text)
                self.assertNotIn("stack", error.message)
        self.assertGreater(refused, 1000)

    def test_hostile_texts_end(self):
        size = 100_000
        brackets = ("[", '{"a":', "[[],", '{"', '"', "[]", "{}", '{"a"} ', "[1,", "[0, 1 ")
        for unit in (*brackets, '\\"', "```\n", "```json\n[\n", "{'", '["\\u0041",', "{k: 1"):
            text = unit * (size // len(unit))
            with self.subTest(unit=unit):
                with self.assertRaises(FormatError):
                    read_json(text)
                self.assertIsInstance(find_json(text, "object"), Failure)
                self.assertIsInstance(find_json("5\" pipe " + text, "any"), (Failure, Found))
                string_places(text)
                escaped_places(text)

    def test_depth(self):
        self.assertTrue(nests_within("[[]]" * 300, 2))
        self.assertFalse(nests_within("[[[]]]" * 300, 2))
        self.assertTrue(nests_within("[" * 20 + "]" * 20 + "[]" * 300, 20))
        self.assertFalse(nests_within("[" * 21 + "]" * 21 + "[]" * 300, 20))
        self.assertFalse(nests_within('["]", ' * 30, 20))


class Spelling(unittest.TestCase):
    def test_one_spelling(self):
        for row in rows("canonical.jsonl"):
            with self.subTest(text=row["text"]):
                value = read_json(row["text"])
                self.assertEqual(canonical(value), row["canonical"])
                self.assertTrue(same(read_json(row["canonical"]), value))

    def test_what_is_no_json_value(self):
        for value, path in (
            ({"a": [1, float("nan")]}, ("a", 1)),
            ({"a": {1: 2}}, ("a",)),
            ([b"x"], (0,)),
            ({"a": {2}}, ("a",)),
            (float("inf"), ()),
            ([10**640], (0,)),
        ):
            with self.subTest(value=repr(value)[:40]), self.assertRaises(CaseError) as caught:
                canonical(value)
            self.assertEqual(caught.exception.path, path)
        loop = []
        loop.append(loop)
        with self.assertRaises(CaseError):
            canonical(loop)

    def test_equality_is_that_of_json(self):
        for left, right in ((1, 1.0), ([1], (1,)), ({"a": 1, "b": 2}, {"b": 2.0, "a": 1}), (0, -0.0), (10**23, 1e23), (0.5, 5e-1)):
            self.assertTrue(same(left, right), (left, right))
        for left, right in (
            (True, 1), (False, 0), (None, False), ("1", 1), ({"a": None}, {}), (9007199254740993, 9007199254740992), ([], {}),
            (9007199254740993, 9007199254740992.0), ("", None), ([1, 2], [2, 1]), ("\\ud800", "\ud800"),
        ):  # fmt: skip
            self.assertFalse(same(left, right), (left, right))

    def test_digest(self):
        self.assertEqual(digest("abc"), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        self.assertEqual(digest({"b": 1.0, "a": None}), digest('{"a": null, "b": 1}'))
        self.assertTrue(digest("\ud800").startswith("sha256:"))


class Numbers(unittest.TestCase):
    def test_exact(self):
        for value, numerator, denominator in (
            (7, 7, 1), (-0.0, 0, 1), (0.1, 1, 10), (1e22, 10**22, 1), ("0.01", 1, 100), ("1e-2", 1, 100), ("-12.50", -25, 2), (".5", 1, 2),
            ("0e99999", 0, 1),
        ):  # fmt: skip
            self.assertEqual(exact(value), Exact(numerator, denominator), value)
        outside = (10**640, "1e641", "1e-401", "1e999999999", "1" * 641, float("nan"), float("inf"))
        for value in (*outside, True, None, [], "", "5%", "1.", "x", "1_0", "\u0661", "+1"):
            with self.subTest(value=str(value)[:20]), self.assertRaises(CaseError):
                exact(value)

    def test_arithmetic(self):
        self.assertEqual(Exact(2, -4), Exact(-1, 2))
        self.assertTrue(exact("0.1") < exact(0.2) <= exact("2e-1"))
        self.assertTrue(exact("0.3") > exact("0.2") >= exact("0.2"))
        self.assertEqual(abs(exact("0.1") - exact("0.3")), exact("0.2"))
        self.assertTrue(exact(4.02).is_multiple_of(exact(0.01)))
        self.assertTrue(exact("1e308").is_multiple_of(exact("0.5")))
        self.assertFalse(exact("0.0075").is_multiple_of(exact("0.0002")))
        self.assertTrue(exact(3).is_multiple_of(exact(-1.5)))
        rng = random.Random(3)
        for _ in range(300):
            a, b, c, d = (rng.randrange(-50, 50) for _ in range(4))
            left, right = Exact(a, b or 1), Exact(c, d or 1)
            self.assertEqual(left < right, a / (b or 1) < c / (d or 1) and left != right)
            self.assertEqual(pickle.loads(pickle.dumps(left)), left)

    def test_decimals(self):
        for value, places, rounding, shown in (
            (Exact(1, 98), 2, "half_up", "1.02%"), (Exact(1, 98), 2, "up", "1.03%"), (Exact(1, 98), 2, "down", "1.02%"),
            (Exact(1, 98), 0, "up", "2%"), (Exact(1, 100), 2, "up", "1.00%"), (Exact(1), 0, "half_up", "100%"),
            (Exact(5, 10000), 1, "half_up", "0.1%"), (Exact(49, 100000), 1, "half_up", "0.0%"),
        ):  # fmt: skip
            self.assertEqual(value.percent(places, rounding), shown)
        self.assertEqual(Exact(-1, 3).decimal(4), "-0.3333")
        self.assertEqual(Exact(-1, 30000).decimal(4), "0.0000")
        self.assertEqual([str(Exact(1, 100)), str(Exact(1, 98)), str(Exact(-5))], ["0.01", "1/98", "-5"])

    def test_rates(self):
        for value in ("1%", "0.01", 0.01, " 1 % ", "1e-2", "1.0%"):
            self.assertEqual(parse_rate(value), Exact(1, 100))
        self.assertEqual([parse_rate(0), parse_rate(1), parse_rate("100%")], [Exact(0), Exact(1), Exact(1)])
        for value in ("", "%", "5", 5, "101%", "-1%", -0.1, float("nan"), float("inf"), True, None, [], "1%%", "a"):
            with self.subTest(value=value), self.assertRaises(CaseError) as caught:
                parse_rate(value)
            self.assertIn("write a rate from 0 to 1", caught.exception.message)


class InProse(unittest.TestCase):
    def test_what_is_found(self):
        for row in rows("found.jsonl"):
            with self.subTest(text=row["text"]):
                found = find_json(row["text"], row["kind"])
                self.assertIsInstance(found, Found, found)
                self.assertTrue(same(found.value, row["value"]), found)
                self.assertTrue(same(read_json(row["text"][found.start:found.end]), row["value"]))
                if row["at"] is not None:
                    self.assertEqual(found.start, row["at"])

    def test_what_is_not_found_and_why(self):
        for row in rows("not_found.jsonl"):
            with self.subTest(text=row["text"]):
                found = find_json(row["text"], row["kind"])
                self.assertIsInstance(found, Failure, found)
                for words in row["says"]:
                    self.assertIn(words, found.reason)

    def test_a_value_in_any_wrapping_is_the_value_and_its_prefix_is_none(self):
        rng = random.Random(5)
        for _ in range(300):
            value = {"k": _value(rng, 3), "more": 1}
            text = json.dumps(value, indent=rng.choice((None, 1)))
            in_fences = (("```json\n", "\n```"), ("So\n\n~~~\n", "~~~\nbye"), ("```\n", "\n```\n"))
            for before, after in (("", ""), ("Here it is:\n", "\nAny questions?"), *in_fences):
                found = find_json(before + text + after, "object")
                self.assertIsInstance(found, Found, found)
                self.assertTrue(same(found.value, value))
                cut = before + text[:rng.randrange(2, len(text) - 1)].rstrip("`")
                self.assertIsInstance(find_json(cut, "object"), Failure, cut)

    def test_all_json(self):
        text = 'a {"x": [1]} ```json\n["b"]\n``` {"y": 1, "y": 2} {z} [1]'
        self.assertEqual([value for _, _, value in all_json(text)], [{"x": [1]}, ["b"], [1]])
        start, end, _ = all_json(text)[0]
        self.assertEqual(text[start:end], '{"x": [1]}')

    def test_strings(self):
        text = 'x {"k\\u0061": "say \\"hi\\"", "n": NaN, "cut": "off\\u00e9'
        places = string_places(text, 2)
        self.assertEqual([decoded for _, _, decoded in places], ["ka", 'say "hi"', "n", "cut", "off\u00e9"])
        self.assertEqual([text[start:end] for start, end, _ in places][:2], ["k\\u0061", 'say \\"hi\\"'])
        self.assertEqual(string_places('["\\ud83d\\ude00\\q"]')[0][2], "\U0001f600\\q")

    def test_no_escape_hides_behind_what_is_broken_around_it(self):
        for text in (
            '{"a": "\\u0073ecret"}', '{"a": 1, "a": "\\u0073ecret"}', '5" pipe {"a": "\\u0073ecret"', '{"a": "5" x", "b": "\\u0073ecret"}',
            '{"a": "{\\"b\\": \\"\\\\u0073ecret\\"}"}', "{'a': '\\u0073ecret'}", '```json\n{"a": "\\u0073ecr', '["\\q\\u0073ecret"]',
        ):  # fmt: skip
            with self.subTest(text=text):
                decoded = [string for _, _, string in escaped_places(text)]
                self.assertTrue(any("secr" in string for string in decoded), decoded)
        self.assertEqual(escaped_places('{"a": "plain"}'), [])


class Paths(unittest.TestCase):
    def test_where_a_path_leads(self):
        head, *cases = rows("paths.jsonl")
        for row in cases:
            with self.subTest(path=row["path"]):
                places = FieldPath(row["path"]).find(head["document"])
                self.assertEqual([list(pair) for pair in places.values], row["values"])
                self.assertEqual((places.missing, places.only_last_step), (row["says"] is not None, row["only_last_step"]))
                self.assertIn(row["says"] or "", places.reason or "")
                for place, value in places.values:
                    self.assertEqual(FieldPath(place).find(head["document"]).values, ((place, value),))

    def test_bad_paths(self):
        for row in rows("bad_paths.jsonl"):
            with self.subTest(path=row["path"]), self.assertRaises(CaseError) as caught:
                FieldPath(row["path"])
            self.assertEqual(caught.exception.column, row["column"])
            self.assertIn(row["says"], caught.exception.message)

    def test_a_path_is_a_value(self):
        path = FieldPath("order.items[*].price")
        self.assertEqual(pickle.loads(pickle.dumps(path)), path)
        self.assertEqual(repr(path), "FieldPath('order.items[*].price')")
        self.assertEqual([FieldPath(spelt).wants_object for spelt in ("a", "[0]", "/a/0", "/0", '["a"]')], [True, False, True, False, True])


def _value(rng, depth):
    kind = rng.randrange(8 if depth else 6)
    if kind == 0:
        return rng.choice((None, True, False))
    if kind == 1:
        return rng.choice((0, -1, 10**15, rng.randrange(-(10**30), 10**30)))
    if kind == 2:
        return rng.choice((0.5, -1e-7, 1e300, 0.1, 123456.789, 5e-324))
    if kind < 6:
        return "".join(rng.choice(["a", '"', "\\", "{", "]", "\n", "\u00e9", "\U0001f600", "`", "'", " "]) for _ in range(rng.randrange(6)))
    if kind == 6:
        return [_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {str(number): _value(rng, depth - 1) for number in range(rng.randrange(4))}


if __name__ == "__main__":
    unittest.main()
