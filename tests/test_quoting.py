"""What is shown: each kind of text that would act, and that nothing which passed through acts, whatever it was."""
import ast
import json
import os
import re
import unittest

import gatekit
from gatekit.text.quoting import MOST_MARKS, quote, visible

from .hostile_texts import texts

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "shown.json"), encoding="utf-8") as _file:
    SHOWN = json.load(_file)
# White space as the runner of GitHub trims it from the start of a line (.NET: String.TrimStart).
TRIMMED = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
# The property Default_Ignorable_Code_Point (Unicode 15.1), controls, surrogates, separators.
NEVER = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def acts(line):
    """What in a line of a log would act."""
    return NEVER.findall(line) + [line] * (line.lstrip(TRIMMED).startswith("::") or re.search(r"##[A-Za-z]*\[", line) is not None)


class Shown(unittest.TestCase):
    def test_each_kind(self):
        for text, shown, why in SHOWN:
            with self.subTest(text=text, why=why):
                self.assertEqual(visible(text), shown)

    def test_it_is_shown_once(self):
        for text, *_ in (*SHOWN, *((made,) for made, _ in texts(2000, 8))):
            once = visible(text)
            self.assertEqual(visible(once), once)

    def test_nothing_acts_wherever_a_text_stands_in_a_line(self):
        for text, _ in texts(3000, 9):
            for line in (visible(text), f"  {visible(text)}: passed", f"error: {visible(text)}", quote(text)):
                self.assertEqual(acts(line), [], ascii(text))

    def test_every_character(self):
        for point in (*range(0x3100), *range(0xD7F0, 0xE010), *range(0xF8F0, 0x10010), *range(0xDFFF0, 0xE1010)):
            self.assertEqual(acts(visible(f"a{chr(point)}b")), [], hex(point))

    def test_no_pile_is_higher(self):
        for text in ("Z" + "\u0335\u0489\u0e47" * 200, "\u0e01" + "\u0e47" * 99, "\u0644" + "\u064b" * 40, "\u0301" * 40):
            self.assertNotRegex(visible(text), f"[\u0300-\u036f\u0489\u0e47\u064b]{{{MOST_MARKS + 1}}}")

    def test_an_error_is_fit_for_a_log(self):
        for text, _ in texts(400, 10):
            for make in (
                lambda: gatekit.Case.from_dict({"id": "a", "matchers": [{"type": "contains", "value": "x", f"q{text}": 1}]}),
                lambda: gatekit.read_json(json.dumps({text: 1})[:-1] + ", " + json.dumps({text: 1})[1:]),
                lambda: gatekit.Case.from_file(f"{text}.json"),
            ):
                with self.assertRaises(gatekit.GatekitError) as caught:
                    make()
                for line in str(caught.exception).split("\n"):
                    self.assertEqual(acts(line), [], ascii(text))

    def test_a_failed_test_keeps_its_lines(self):
        with self.assertRaises(gatekit.GateFailed) as caught:
            gatekit.Gate(gatekit.Matcher("contains", value="x")).require("::error::\n##[error]")
        self.assertEqual(str(caught.exception).split("\n")[0], "check_failed")
        self.assertEqual([acts(line) for line in str(caught.exception).split("\n")], [[], []])

    def test_a_repr_is_no_command_and_says_the_same(self):
        result = gatekit.InvariantResult("##vso[x]", False, "##[error] ## \x1b")
        self.assertEqual(acts(repr(result)), [])
        self.assertEqual(ast.literal_eval(re.search("name=('[^']*')", repr(result)).group(1)), "##vso[x]")


if __name__ == "__main__":
    unittest.main()
