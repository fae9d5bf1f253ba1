"""Counts of what a text holds, where its sentences end, and the sentence around a hit."""
from __future__ import annotations

import json
import os
import random
import time
import unittest

from gatekit.ground.errors import CaseError
from gatekit.text.blocks import blocks
from gatekit.text.counts import COUNTED, count
from gatekit.text.sentences import sentence_around, sentences

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "counts")
PIECES = [
    "word", "Dr", "e.g", ".", "!", "? ", "...", " ", "\n", "\n\n", "\r\n", "- ", "1. ", "> ", "# ", "```", "~~~\n", "---\n", "===\n",
    "| ", "\u2022", "\u3002", "\u9000", "\u0301", "\u00e9", "\ud800", "\U0001f642", "(", ")", "\"", "[1]", "*", "`", "14", "\t",
    "\u00a0", "\u2028", "\u0000", "\U0001fae0",
]


def rows(name: str) -> list:
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def random_texts(number: int, seed: int):
    chance = random.Random(seed)
    for _ in range(number):
        yield "".join(chance.choice(PIECES) for _ in range(chance.randint(0, 60))), chance


class Counts(unittest.TestCase):
    def test_texts(self):
        texts = rows("texts.jsonl")
        self.assertGreater(len(texts), 30)
        for row in texts:
            with self.subTest(row["text"]):
                expected = {name: row[name] for name in COUNTED}
                self.assertEqual({name: count(row["text"], name) for name in COUNTED}, expected)

    def test_line_ends_do_not_matter(self):
        for row in rows("texts.jsonl"):
            plain = row["text"].replace("\r\n", "\n").replace("\r", "\n")
            for end in ("\r\n", "\r"):
                for name in COUNTED:
                    with self.subTest(row["text"], end=end, name=name):
                        self.assertEqual(count(plain.replace("\n", end), name), row[name])

    def test_definitions_are_one_line_each(self):
        for name, (_, definition) in COUNTED.items():
            self.assertTrue(definition and "\n" not in definition and len(definition) < 130, name)

    def test_unknown_name(self):
        with self.assertRaises(CaseError) as caught:
            count("text", "word")
        self.assertEqual(str(caught.exception), "there is no count of that name; write 'words'")

    def test_long_runs_of_marks_are_composed(self):
        self.assertEqual(count("e\u0301" * 1000, "characters"), 1000)
        self.assertEqual(count(("x" * 255 + "e\u0301") * 50, "characters"), 256 * 50)
        self.assertEqual(count("\u1112\u1161\u11ab" * 500, "characters"), 500)

    def test_hostile_texts_cost_linear_time(self):
        for piece in (
            ".", ". ", "- ", "> ", "\n", "```\n", "--- x\n", "a. ", ".)[1]", "\u0301\u0327",
            "1. ", "a\n==\n", "==\n", "|\n", "*", "_ ", "\r",
        ):
            for name in COUNTED:
                text = "a" + piece * (60_000 // len(piece)) + "a"
                began = time.process_time()
                count(text, name)
                self.assertLess(time.process_time() - began, 3, (piece, name))

    def test_random_texts(self):
        for text, _ in random_texts(2_000, 7):
            for name in COUNTED:
                self.assertGreaterEqual(count(text, name), 0)
            reached = 0
            for kind, start, end in blocks(text):
                self.assertLessEqual(reached, start, text)
                self.assertLessEqual(start, end, text)
                reached = end
                if kind in ("text", "item"):
                    place = start
                    for begin, stop in sentences(text, start, end):
                        self.assertTrue(place <= begin < stop <= end, text)
                        self.assertFalse(text[place:begin].strip() if place > start else "", text)
                        place = stop


class Sentences(unittest.TestCase):
    def test_paragraphs(self):
        paragraphs = rows("sentences.jsonl")
        self.assertGreater(len(paragraphs), 25)
        for row in paragraphs:
            with self.subTest(row["text"]):
                text = row["text"]
                self.assertEqual([text[start:end] for start, end in sentences(text, 0, len(text))], row["sentences"])

    def test_around(self):
        hits = rows("around.jsonl")
        self.assertGreater(len(hits), 10)
        for row in hits:
            with self.subTest(row["text"]):
                text, hit = row["text"], row["hit"]
                start = text.index(hit)
                first, last = sentence_around(text, start, start + len(hit), row["limit"])
                self.assertEqual(text[first:last], row["shown"])

    def test_around_holds_the_hit_and_the_limit(self):
        for text, chance in random_texts(2_000, 11):
            start = chance.randint(0, len(text))
            end = min(len(text), start + chance.randint(0, 30))
            limit = chance.choice((10, 40, 200))
            first, last = sentence_around(text, start, end, limit)
            self.assertLessEqual(first, start, text)
            self.assertLessEqual(last - first, limit, text)
            self.assertGreaterEqual(last, min(end, start + limit), text)

    def test_around_looks_only_near_the_hit(self):
        for piece in ("word ", "a", "\n", ". ", "- "):
            text = piece * (5_000_000 // len(piece))
            began = time.process_time()
            sentence_around(text, len(text) // 2, len(text) // 2 + 5)
            self.assertLess(time.process_time() - began, 0.1)


if __name__ == "__main__":
    unittest.main()
