"""Regular expressions of users: what is accepted compiles in silence, what is refused says where and why."""
from __future__ import annotations

import json
import os
import random
import re
import time
import unittest
import warnings

from gatekit.ground.errors import CaseError
from gatekit.text.patterns import DEEPEST, LARGEST, LONGEST, compile_pattern, matches_empty

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "patterns")

# Pieces of patterns, whole and broken, out of which random patterns are put together.
PIECES = list("ab(|)[]^$.*+?{}-,\\#: \n=!<>&~19)))]") + [
    "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?P<n>", "(?P<m>", "(?P=n)", "(?P=m)", "(?(1)", "(?(n)", "(?(2)", "(?i)", "(?x)", "(?a)",
    "(?u)", "(?x:", "(?-x:", "(?i-s:", "(?a:", "(?L)", "(?t)", "(?#", "(?>", "(?", "(?P", "(?(01)", "(?<n>", "\\1", "\\2", "\\10",
    "\\012", "\\0", "\\400", "\\8", "\\d", "\\W", "\\b", "\\B", "\\A", "\\Z", "\\z", "\\x4", "\\x41", "\\u00e9", "\\U00110000",
    "\\N{DASH}", "\\\u00e9", "\\-", "\\]", "[a-z]", "[^", "[[", "[]", "[^]", "--", "&&", "||", "~~", "z-a", "\\d-", "[:alpha:]",
    "{2}", "{2,3}", "{,3}", "{3,2}", "{,}", "a{1", "\u00e9", "\ud800", "*+", "}+", "*?", "(?:a|b)", "(a)", "(?P<n>a)", "()", "\\\n",
    "(?-i)", "(?(1)a|b)", "(?(1)a|b|c)", "(?(n)a)",
]


def rows(name: str) -> list:
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Corpus(unittest.TestCase):
    def setUp(self):
        context = warnings.catch_warnings()
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        warnings.simplefilter("error")

    def test_accepted_patterns_compile_in_silence(self):
        accepted = rows("accepted.jsonl")
        self.assertGreater(len(accepted), 150)
        for row in accepted:
            with self.subTest(row["pattern"]):
                pattern = compile_pattern(row["pattern"])
                self.assertEqual(pattern.pattern, row["pattern"])
                self.assertEqual(matches_empty(pattern), row["matches_empty"])

    def test_refused_patterns_say_where_and_why(self):
        refused = rows("refused.jsonl")
        self.assertGreater(len(refused), 200)
        for row in refused:
            with self.subTest(row["pattern"]), self.assertRaises(CaseError) as caught:
                compile_pattern(row["pattern"])
            message = caught.exception.message
            self.assertIn(row["says"], message)
            self.assertIn(";", message, "the mend is missing")
            self.assertNotIn("\n", message)
            if row["column"] is not None:
                self.assertIn(f"at column {row['column']}: ", message)

    def test_whole_messages(self):
        for pattern, message in (
            ("a(b", "the regex 'a(b' is refused at column 2: '(' is never closed; add ')', or write '\\(' for the character itself"),
            ("a*+", "the regex 'a*+' is refused at column 3: '*+' is a possessive quantifier, which Pythons before 3.11 refuse; "
                    "leave the '+' out"),
            ("\\Bx", "the regex '\\Bx' is refused at column 1: '\\B' in an empty text is another thing since Python 3.14; write '(?!\\b)'"),
            ("\x1b[", "the regex '\\x1b[' is refused at column 2: '[' is never closed; add ']', or write '\\[' for the character itself"),
            ("x" * 50 + ")" + "y" * 50, f"the regex '...{'x' * 30}){'y' * 29}...' is refused at column 51: ')' closes no group; "
                                        "leave it out, or write '\\)' for the character itself"),
        ):
            with self.assertRaises(CaseError) as caught:
                compile_pattern(pattern)
            self.assertEqual(str(caught.exception), message)

    def test_flags_given_beside_the_pattern(self):
        self.assertTrue(compile_pattern("a b # c", re.X | re.I).fullmatch("AB"))
        for flags in (re.A, re.A | re.U):
            with self.assertRaises(CaseError):
                compile_pattern("(?u)a", flags)

    def test_limits(self):
        self.assertTrue(compile_pattern("a" * LONGEST))
        self.assertTrue(compile_pattern("(?:" * DEEPEST + "a" + ")" * DEEPEST))
        self.assertTrue(compile_pattern(f"(?<=a{{{LARGEST}}})b"))
        for pattern in ("a" * (LONGEST + 1), "(" * (DEEPEST + 1), f"a{{{LARGEST + 1}}}", "(" * LONGEST, "a{" + "9" * 19_000 + "}"):
            with self.assertRaises(CaseError):
                compile_pattern(pattern)

    def test_time_is_linear_in_the_pattern(self):
        for piece in ("a", "(?P<", "[", "{1", "(?#", "\\", "(?(", "[a-", "a{1,2}", "(?:)", "a|"):
            pattern = piece * (LONGEST // len(piece))
            began = time.process_time()
            try:
                compile_pattern(pattern)
            except CaseError:
                pass
            self.assertLess(time.process_time() - began, 2, piece)

    def test_random_patterns(self):
        chance = random.Random(20)
        accepted = 0
        for _ in range(6_000):
            source = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 9)))
            try:
                pattern = compile_pattern(source, chance.choice((0, 0, re.X, re.I, re.M | re.S)))
            except CaseError as refusal:
                self.assertNotIn("does not compile it", refusal.message, source)
                continue
            accepted += 1
            if matches_empty(pattern):
                for sample in ("", "a", "\n", "\x00 b\n\u00e9", "9-1"):
                    self.assertTrue(pattern.search(sample), (source, sample))
        self.assertGreater(accepted, 500)


if __name__ == "__main__":
    unittest.main()
