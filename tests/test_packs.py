"""The packs: shapes of secrets, what looks like a key, and refusals.

A planted key is spelt in pieces in the data, so that no file of this repository holds one.
"""
import json
import os
import random
import re
import string
import time
import unittest

from gatekit.packs.refusal_phrases import LANGUAGES, find_refusals
from gatekit.packs.refusals import REFUSALS
from gatekit.packs.secret_shapes import Secret, find_key_like, find_secrets, looks_like_key
from gatekit.packs.secrets import ANNOUNCEMENTS, FAMILIES, KNOWN_EXAMPLES, PLACEHOLDER_WORDS

_DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "packs")
_LETTERS_AND_DIGITS = string.ascii_letters + string.digits
# Seconds. A slow machine needs one for the slowest of these; a pattern that backtracks, or a pass that is quadratic, needs minutes.
_PATIENCE = 8


def _rows(name, at_least):
    with open(os.path.join(_DATA, name), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    if len(rows) < at_least:
        raise AssertionError(f"{name} holds {len(rows)} rows where at least {at_least} were written")
    return rows


def _folded(text):
    """As the wide view folds plain English: lower case, one space for white space."""
    return " ".join(text.replace("\u2019", "'").replace("\u201c", '"').replace("\u201d", '"').casefold().split())


class SecretsTest(unittest.TestCase):
    def test_planted(self):
        for row in _rows("secrets_found.jsonl", 110):
            text, secret = "".join(row["text"]), "".join(row["secret"])
            with self.subTest(kind=row["kind"], why=row.get("why")):
                start = text.index(secret)
                found = find_secrets(text)
                self.assertEqual([(start, start + len(secret))], [(hit.start, hit.end) for hit in found])
                self.assertEqual(row["kind"], found[0].kind)

    def test_planted_within_prose(self):
        for row in _rows("secrets_found.jsonl", 110):
            text = "".join(row["text"])
            for context in ("Sure, here it is: {} Let me know.", "a\n{}\nb", "({})", "\u5bc6\u94a5\uff1a{}\u3002"):
                with self.subTest(kind=row["kind"], context=context):
                    self.assertTrue(find_secrets(context.format(text)))

    def test_absent(self):
        for row in _rows("secrets_absent.jsonl", 60):
            text = "".join(row["text"])
            with self.subTest(text=text):
                self.assertEqual([], find_secrets(text))

    def test_several_are_in_order_and_apart(self):
        rows = _rows("secrets_found.jsonl", 110)
        text = "\n".join("".join(row["text"]) for row in rows)
        found = find_secrets(text)
        self.assertEqual(len(rows), len(found))
        for one, next_one in zip(found, found[1:]):
            self.assertLess(one.start, one.end)
            self.assertLessEqual(one.end, next_one.start)

    def test_overlapping_shapes_are_one(self):
        key = "sk" + "-proj-" + "a1B2c3D4e5" * 4
        text = f'api_key = "{key}"'
        self.assertEqual([Secret(11, 11 + len(key), "openai key")], find_secrets(text))

    def test_random_keys_of_each_alphabet(self):
        generator = random.Random(20)
        shapes = (
            ("sk" + "-", 48, _LETTERS_AND_DIGITS),
            ("sk" + "-", 32, "0123456789abcdef"),
            ("sk" + "-ant-api03-", 93, _LETTERS_AND_DIGITS + "-_"),
            ("gh" + "p_", 36, _LETTERS_AND_DIGITS),
            ("AK" + "IA", 16, string.ascii_uppercase + "234567"),
            ("np" + "m_", 36, _LETTERS_AND_DIGITS),
            ("xa" + "i-", 80, _LETTERS_AND_DIGITS),
            ("h" + "f_", 34, string.ascii_letters),
            ("AI" + "za", 35, _LETTERS_AND_DIGITS),
        )
        for prefix, length, alphabet in shapes:
            for _ in range(300):
                key = prefix + "".join(generator.choice(alphabet) for _ in range(length))
                self.assertTrue(find_secrets(f"use {key}."), key[:6])

    def test_plain_words_of_any_kind_are_no_secrets(self):
        generator = random.Random(21)
        words = sorted(PLACEHOLDER_WORDS) + "task risk desk refund order 14 2024 v2 Q3 the and is: = - :".split()
        for _ in range(3000):
            text = " ".join(generator.choice(words) for _ in range(12))
            self.assertEqual([], find_secrets(text), text)

    def test_every_shape_is_planted_and_hinted_at(self):
        # The mark, the hint and a literal must stand wherever a shape does: else it is never looked for.
        texts = ["".join(row["text"]) for row in _rows("secrets_found.jsonl", 110)]
        for family in FAMILIES + tuple(announcement.family for announcement in ANNOUNCEMENTS):
            self.assertTrue(re.match(family.hint, family.mark) or re.search(family.hint, "\n".join(texts)), family.mark)
            for shape in family.shapes:
                standing = [text for text in texts if re.search(shape.pattern, text)]
                with self.subTest(kind=shape.kind, pattern=shape.pattern):
                    self.assertTrue(standing)
                    for text in standing:
                        self.assertIn(family.mark, text)
                        self.assertRegex(text, family.hint)
                        self.assertTrue(any(literal in text for literal in shape.literals))

    def test_only_exact_examples_are_excused(self):
        for example in KNOWN_EXAMPLES:
            if example.startswith(("AKIA", "ASIA")):
                self.assertEqual([], find_secrets(f"see {example}."))
                self.assertTrue(find_secrets("see " + example[:8] + "Q2" + example[10:]))

    def test_no_file_of_the_packs_holds_a_key(self):
        here = os.path.dirname(os.path.abspath(__file__))
        packs = os.path.join(os.path.dirname(here), "gatekit", "packs")
        files = [os.path.join(folder, name) for folder in (packs, _DATA) for name in sorted(os.listdir(folder))]
        files = [path for path in files if path.endswith((".py", ".jsonl"))]
        self.assertGreaterEqual(len(files), 9)
        named = {"password", "secret value", "authorization header", "password in a url"}
        for path in files:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            self.assertEqual([], [hit.kind for hit in find_secrets(text) if hit.kind not in named], path)

    def test_time_is_linear(self):
        size = 200_000
        for unit in (
            "sk-", "sk-ant-", "sk-1", "-----BEGIN ", "-----BEGIN RSA PRIVATE KEY-----", "-----BEGIN PRIVATE KEY----- Version: a ", "eyJ",
            "-eyJ", "_eyJ", "eyJ.", "://", "://a:b", "://:a", "password=", 'password="', "password: a1b2c3 ", "token='", "_a", "a.", "Aa1",
            "AKIA", "xoxb-", "hooks.slack.com/services/T", "-----BEGIN PRIVATE KEY----- " + "A1b2" * 8 + " ",
        ):
            with self.subTest(unit=unit):
                text = (unit * (size // len(unit) + 1))[:size]
                started = time.process_time()
                find_secrets(text)
                find_key_like(text)
                self.assertLess(time.process_time() - started, _PATIENCE)

    def test_a_secret_is_a_value(self):
        self.assertEqual("Secret(start=1, end=4, kind='npm token')", repr(Secret(1, 4, "npm token")))


class KeyLikeTest(unittest.TestCase):
    def test_bodies(self):
        for row in _rows("key_bodies.jsonl", 25):
            body = "".join(row["body"])
            with self.subTest(body=body):
                self.assertIs(row["key"], looks_like_key(body))

    def test_random_bodies(self):
        generator = random.Random(22)
        for alphabet, length in ((_LETTERS_AND_DIGITS, 32), (string.ascii_lowercase + string.digits, 32)):
            bodies = ["".join(generator.choice(alphabet) for _ in range(length)) for _ in range(500)]
            self.assertGreaterEqual(sum(map(looks_like_key, bodies)), 498)

    def test_tokens_to_redact(self):
        for row in _rows("key_like.jsonl", 10):
            text = "".join(row["text"])
            known = find_secrets(text) if row.get("known") else ()
            with self.subTest(text=text):
                self.assertEqual(["".join(token) for token in row["tokens"]], [text[hit.start:hit.end] for hit in find_key_like(text, known)])


class RefusalsTest(unittest.TestCase):
    def test_labelled_sentences(self):
        rows = _rows("refusals_en.jsonl", 300)
        for refusal in (True, False):
            self.assertGreaterEqual(sum(row["refusal"] is refusal for row in rows), 120)
        for row in rows:
            with self.subTest(text=row["text"]):
                self.assertIs(row["refusal"], bool(find_refusals(_folded(row["text"]))))

    def test_sentences_together(self):
        # Every refusal is still found between look-alikes, and the look-alikes add none.
        rows = [row for row in _rows("refusals_en.jsonl", 300) if '"' not in row["text"] and "'" != row["text"][0]]
        refusals = [row["text"] for row in rows if row["refusal"]]
        harmless = [row["text"] for row in rows if not row["refusal"] and ": '" not in row["text"]]
        self.assertEqual([], find_refusals(_folded(" ".join(harmless))))
        generator = random.Random(23)
        for text in refusals:
            before, after = generator.choice(harmless), generator.choice(harmless)
            self.assertTrue(find_refusals(_folded(f"{before}\n\n{text} {after}")), text)

    def test_places(self):
        for row in _rows("refusal_places.jsonl", 12):
            with self.subTest(text=row["text"]):
                self.assertEqual(row["phrases"], [row["text"][start:end] for start, end in find_refusals(row["text"])])

    def test_spans_are_in_order_and_apart(self):
        text = "\n".join(_folded(row["text"]) for row in _rows("refusals_en.jsonl", 300))
        spans = find_refusals(text)
        for one, next_one in zip(spans, spans[1:]):
            self.assertLessEqual(one[1], next_one[0])

    def test_languages(self):
        self.assertEqual(tuple(REFUSALS), LANGUAGES)
        self.assertIn("en", LANGUAGES)
        self.assertEqual([], find_refusals("i can't help with that", ()))

    def test_time_is_linear(self):
        size = 100_000
        for unit in (
            "i can't help ", "i can't ", "sorry ", "sorry but ", "as an ai ", "as an ai i ", "i can't help 'a ", 'i can\'t help "a ', "'",
            '"', " '", '"i can\'t help" ', '"i can\'t help" a\n', "my rules really ", "i am an ai and ", "i won't help your a b ",
            "beyond the scope of ", "i can't help a b c d e f g h i j k l m n o p q r s t ",
        ):
            with self.subTest(unit=unit):
                text = (unit * (size // len(unit) + 1))[:size]
                started = time.process_time()
                find_refusals(text)
                self.assertLess(time.process_time() - started, _PATIENCE)


if __name__ == "__main__":
    unittest.main()
