"""YAML: the strict subset, what its scalars mean, where its places are, and how it relates to JSON."""
import json
import os
import random
import time
import unittest

from gatekit.formats import json_places
from gatekit.formats.strict_json import read_json
from gatekit.formats.strict_yaml import place_of, read_yaml
from gatekit.ground.canonical import MAX_DEPTH, same
from gatekit.ground.errors import FormatError
from gatekit.ground.exact import LiteralFloat

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "yaml")
CASE = """\
# One case with most of what a case file has.
id: refund-summary
description: >-
  The agent sums up
  the refund policy.

created_at: "2024-05-02"
tags: [refund, policy, "tier-2"]
input:
  order: {id: A-1007, total: 49.90, items: [{sku: "0042", count: 2}]}
rubric:
  must_include:
    - refund
    - [14 days, 14-day,
       fourteen days]
    - shipping  # who pays
  must_exclude:
  - 'I''m unable to help'
matchers:
  - type: normalized_text_equal
    expected: |
      The item can be sent back.

      We pay the shipping.
  - type: not_regex
    value: "(?i)wire\\\\s+transfer"
gate: {max_failure_rate: 0.01}
"""


def rows(name):
    with open(os.path.join(DATA, name), encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    if not found:
        raise AssertionError(f"{name} holds no cases")
    return found


def alike(left, right):
    """Equal in value and type: 1 is not 1.0, and not True."""
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(alike(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(alike, left, right))
    return type(left) is type(right) and left == right and getattr(left, "literal", None) == getattr(right, "literal", None)


class Reading(unittest.TestCase):
    def test_what_is_read(self):
        for row in rows("read.jsonl"):
            with self.subTest(row["name"]):
                value = read_yaml(row["yaml"])
                self.assertTrue(alike(value, row["value"]), value)
                self.assertTrue(alike(read_yaml(row["yaml"].encode("utf-8")), row["value"]))
                if "\r" not in row["yaml"]:
                    self.assertTrue(alike(read_yaml(row["yaml"].replace("\n", "\r\n")), row["value"]))

    def test_what_is_refused_and_where(self):
        for row in rows("refused.jsonl"):
            for text in (row["yaml"], row["yaml"].replace("\n", "\r\n")):
                with self.subTest(text):
                    with self.assertRaises(FormatError) as caught:
                        read_yaml(text)
                    error = caught.exception
                    self.assertEqual((error.line, error.column, list(error.path)), (row["line"], row["column"], row["path"]))
                    self.assertIn(row["says"], error.message)

    def test_plain_scalars(self):
        for row in rows("scalars.jsonl"):
            for before, after in (("", ""), ("a: ", "\n"), ("- ", " # why"), ("[", "]"), ("{a: ", " }"), ("{a: \n  ", "}")):
                if before != "a: " and (row["scalar"] == "" or "," in row["scalar"]):
                    continue
                with self.subTest(before + row["scalar"] + after):
                    if row.get("refused"):
                        with self.assertRaises(FormatError):
                            read_yaml(before + row["scalar"] + after)
                    else:
                        value = read_yaml(before + row["scalar"] + after)
                        while before and isinstance(value, (list, dict)):
                            (value,) = value.values() if isinstance(value, dict) else value
                        self.assertTrue(alike(value, row["value"]), value)

    def test_in_quotes_every_scalar_is_a_text(self):
        for row in rows("scalars.jsonl"):
            for mark in "\"'":
                self.assertEqual(read_yaml(f"{mark}a{mark}: {mark}{row['scalar']}{mark}"), {"a": row["scalar"]})

    def test_bytes(self):
        self.assertEqual(read_yaml(b"\xef\xbb\xbfa: \xc3\xa9"), {"a": "\u00e9"})
        for data, line, column in ((b"a: 1\nb: \xff", 2, 4), ("a: 1".encode("utf-16"), 1, 1), ("a: 1".encode("utf-32-be"), 1, 1)):
            with self.subTest(data), self.assertRaises(FormatError) as caught:
                read_yaml(data)
            self.assertEqual((caught.exception.line, caught.exception.column), (line, column))
        with self.assertRaises(FormatError) as caught:
            read_yaml(None)
        self.assertIn("YAML is read from text or bytes", caught.exception.message)

    def test_places(self):
        for row in rows("places.jsonl"):
            for place in row["places"]:
                with self.subTest(yaml=row["yaml"], path=place["path"]):
                    self.assertEqual(place_of(row["yaml"], tuple(place["path"])), (place["line"], place["column"]))

    def test_numbers_lose_nothing(self):
        self.assertEqual(read_yaml("a: " + "9" * 600), {"a": int("9" * 600)})
        self.assertEqual(read_yaml("-" + "9" * 600), -int("9" * 600))
        value = read_yaml("[0.1000000000000000055511151231257827, +30000000000000000000001., .1000000000000000055511151231257827e+1]")
        self.assertTrue(all(isinstance(number, LiteralFloat) for number in value))
        self.assertTrue(same(value[1], 30000000000000000000001))
        self.assertEqual(value[2].literal, "0.1000000000000000055511151231257827e+1")
        long = ("9" * 601, "0." + "1" * 600, "0x" + "f" * 500, "0x" + "f" * 5000, "1" + "0" * 5000, "1" + ":1" * 5000)
        for literal in (*long, "-1.5e+999", "1.0e-999"):
            with self.subTest(literal[:20]), self.assertRaises(FormatError):
                read_yaml(literal)
        self.assertEqual(read_yaml("1" * 700 + " pieces"), "1" * 700 + " pieces")

    def test_depth(self):
        for opens, closes in (("[", "]"), ("- ", ""), ('{"a":', "}")):
            deep = opens * MAX_DEPTH + "1" + closes * MAX_DEPTH
            value = read_yaml(deep)
            for _ in range(MAX_DEPTH):
                (value,) = value.values() if isinstance(value, dict) else value
            self.assertEqual(value, 1)
            with self.assertRaises(FormatError) as caught:
                read_yaml(opens + deep + closes)
            self.assertEqual(caught.exception.column, len(opens) * MAX_DEPTH + 1)
        with self.assertRaises(FormatError) as caught:
            read_yaml("\n".join(" " * level + "a:" for level in range(MAX_DEPTH + 1)) + " 1")
        self.assertEqual(caught.exception.line, MAX_DEPTH + 1)

    def test_long_keys(self):
        self.assertEqual(len(read_yaml("k" * 1000 + ": 1")), 1)
        self.assertEqual(len(read_yaml('{"' + "k" * 5000 + '": 1}')), 1)
        for text in ("k" * 1025 + ": 1", '"' + "k" * 1025 + '": 1', "[" + "k" * 1025 + ": 1]"):
            with self.assertRaises(FormatError):
                read_yaml(text)


class Properties(unittest.TestCase):
    def test_json_is_read_as_json(self):
        rng = random.Random(5)
        for _ in range(600):
            value = _value(rng, 4)
            layout = {"indent": rng.choice((None, 0, 1, 4, "\t")), "separators": rng.choice((None, (",", ":"), (" , ", " : ")))}
            text = json.dumps(value, ensure_ascii=rng.random() < 0.5, **layout)
            with self.subTest(text[:200]):
                self.assertTrue(alike(read_yaml(text), read_json(text)))
                self.assertTrue(alike(read_yaml(text.replace("\n", "\r\n")), read_json(text)))

    def test_what_is_read_of_broken_json_is_read_as_json(self):
        rng = random.Random(6)
        held = 0
        for _ in range(3000):
            text = json.dumps(_value(rng, 3), indent=rng.choice((None, 1)))
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice('{}[],:"\\10-+.eE \n\t/\x01\u00e9') + text[at + rng.randrange(2):]
            try:
                value = read_json(text)
                held += 1
                self.assertTrue(alike(read_yaml(text), value), text)
            except FormatError as error:
                self.assertIsInstance(error.line, int)
        self.assertGreater(held, 300)

    def test_places_in_json_are_those_of_json(self):
        rng = random.Random(7)
        for _ in range(150):
            value = _value(rng, 4)
            text = json.dumps(value, indent=rng.choice((None, 2)))
            for path in _paths(value):
                self.assertEqual(place_of(text, path), json_places.place_of(text, path), (text, path))

    def test_what_is_written_in_any_style_is_read(self):
        rng = random.Random(8)
        for _ in range(500):
            value = _value(rng, 4)
            text = "".join(_document(rng, value))
            with self.subTest(text[:300]):
                self.assertTrue(alike(read_yaml(text), value), text)

    def test_each_edit_of_a_case_is_read_or_refused_with_its_line(self):
        value = read_yaml(CASE)
        self.assertEqual(list(value)[-1], "gate")
        refused = 0
        for at in range(len(CASE)):
            for piece in ("", "\t", ":", "'", "\n", " ", "- ", "#", "["):
                text = CASE[:at] + piece + CASE[at + 1:]
                try:
                    read_yaml(text)
                except FormatError as error:
                    refused += 1
                    self.assertTrue(1 <= error.line <= text.count("\n") + 1, text)
                    self.assertTrue(1 <= error.column <= len(text.split("\n")[error.line - 1]) + 1, (error.message, text))
        self.assertGreater(refused, 1000)


class Hostile(unittest.TestCase):
    UNITS = (
        "[", "{", "{a: ", "[a: ", "- ", "-\n", "? ", ": ", "a: ",
        "a:\n", "'", "''", "'a'", '"', '\\"', '"\\', "\\", "x:", "x#", "x\n", "x\n\n",
        " x\n", "#\n", "\n", " ", "\t", "---\n", "...\n", "|", ">\n x\n", "|\n", "1", "1_", "1:1", ".", "-", "+", "1e",
        "[],", "{},", "[1,", '"a",', "a,", "\u2028", "&",
    )  # fmt: skip

    def test_hostile_texts_end(self):
        for unit in self.UNITS:
            for before in ("", "a: ", "[", 'a: "', "a: '", "a: |\n  ", "a: >\n"):
                try:
                    read_yaml(before + unit * (40_000 // len(unit)))
                except FormatError as error:
                    self.assertIsInstance(error.line, int)
                    self.assertLess(len(error.message), 400)

    def test_time_grows_with_the_text_and_no_faster(self):
        for unit in ("- x\n", '"a": ', "'a',", '"\\n" ', "  x\n", "a b ", "x: y\n", "#\n"):
            for before in ("[", "a: |\n", 'a: "', "a:\n  ", ""):
                few, many = (min(self.seconds(before + unit * (size // len(unit))) for _ in range(2)) for size in (4_000, 40_000))
                self.assertLess(many, 40 * max(few, 1e-4), (before, unit))

    @staticmethod
    def seconds(text):
        start = time.process_time()
        try:
            read_yaml(text)
        except FormatError:
            pass
        return time.process_time() - start

    def test_it_reads_where_little_stack_is_left(self):
        def deep(levels):
            return deep(levels - 1) if levels else read_yaml("- " * MAX_DEPTH + "1")

        self.assertIsInstance(deep(700), list)


PLAIN = ("a", "refund", "14 days", "\u00e9\U0001f600", "a#b", "it's")
WORDS = (
    *PLAIN, "", "no", "12:30", "0123", "x: y", "- x", "a #b", " lead", "trail ", "two\nlines", "three\n\nlines\n", "\ttab", "'", '"', "\\",
    "[", "}", "!", "\x7f", "\u2028", "\ud800", "#", "---", "...", "a\n b\n  c", "true", "1e3", "~", "?x", "a,b", "long " * 30,
)  # fmt: skip


def _value(rng, depth):
    kind = rng.randrange(9 if depth else 6)
    if kind < 2:
        return rng.choice(WORDS)
    if kind < 6:
        return rng.choice((0, -7, 12, 3.5, -0.25, 10**20, True, False, None))
    if kind == 6:
        return {rng.choice(WORDS) + str(rng.randrange(9)): _value(rng, depth - 1) for _ in range(rng.randrange(4))}
    return [_value(rng, depth - 1) for _ in range(rng.randrange(4))]


def _paths(value, path=()):
    yield path
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from _paths(item, path + (key,))
    yield path + ("missing",)


def _document(rng, value):
    """The lines of a YAML document for a value, in styles that are drawn: an emitter of its own, which shares nothing with the reader."""
    yield rng.choice(("", "", "---\n", "# begin\n", "\n"))
    if isinstance(value, (dict, list)) and value:
        yield from _block(rng, value, rng.choice((0, 0, 2)))
    else:
        yield _inline(rng, value, 0) + "\n"
    yield rng.choice(("", "", "...\n", "# end\n", "\n"))


def _block(rng, value, indent):
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        head = " " * indent + (_quoted(rng, key) + rng.choice((":", " :")) if isinstance(value, dict) else "-")
        if isinstance(item, (dict, list)) and item and rng.random() < 0.8:
            yield head + rng.choice(("\n", " # below\n", "\n\n"))
            yield from _block(rng, item, indent + rng.choice((1, 2, 4)))
        elif isinstance(item, str) and "\n" in item and item[0] != " ":
            body = item[:-1] if item.endswith("\n") else item
            inner = " " * (indent + rng.choice((1, 3)))
            yield head + (" |" if item.endswith("\n") else " |-") + "\n"
            yield "".join(inner * bool(line) + line + "\n" for line in body.split("\n"))
        else:
            yield head + rng.choice((" ", "  ", "\t")) + _inline(rng, item, indent + 1) + rng.choice(("", " ", " # so")) + "\n"
        yield rng.choice(("", "", "", "\n", "  # between\n"))


def _inline(rng, value, indent):
    if isinstance(value, (dict, list)):
        gap = rng.choice(("", " ", "\n" + " " * (indent + 2), " # c\n" + " " * (indent + 1)))
        if isinstance(value, dict):
            inside = [f"{_quoted(rng, key)}:{gap or ' '}{_inline(rng, item, indent)}" for key, item in value.items()]
            return "{" + gap + ("," + gap).join(inside) + gap + "}"
        return "[" + gap + ("," + gap).join(_inline(rng, item, indent) for item in value) + gap + "]"
    if isinstance(value, str):
        return value if value in PLAIN and rng.random() < 0.5 else _quoted(rng, value)
    return json.dumps(value)


def _quoted(rng, text):
    if "\n" not in text and "\ud800" not in text and rng.random() < 0.5:
        return "'" + text.replace("'", "''") + "'"
    return json.dumps(text, ensure_ascii=rng.random() < 0.5)
