"""Views: properties that hold for any text, by seeded generators."""
import random
import unittest

from gatekit.text.views import CAREFUL, CASED, EXACT, WIDE, Part, View, fold

# Characters chosen for what folding does with them: case, marks, typography, markup, white space, scripts, what nobody sees, what is unknown.
ALPHABET = (
    "aBz09 .,\n\t*_`[](\\)!#" "\u2019\u2011\u00a0\u3000\u200b\u00ad\ufeff\u0301\u0316\u00e9\u00df\u0130\u0390\u1fb3\uff21\uff11\u0967\u00b2\ufb01"
    "\u65e5\u30ab\uff76\uff9e\u0e01\u0e35\u0435\u0410\u03bd\u0299\u0336\u20e3\ufe0f\u3164\U0001f171\U0001d41b\u1112\u1161\u11ab\u0344\u0378\U0001e030\ud800"
)  # fmt: skip
LEVELS = (CAREFUL, WIDE, CASED, EXACT)


def texts(seed, count, longest):
    rng = random.Random(seed)
    for _ in range(count):
        yield "".join(rng.choice(ALPHABET) for _ in range(rng.randrange(longest)))


def view(text, level):
    return View(level, [Part(text, 0, len(text))])


class Views(unittest.TestCase):
    def test_the_edits_say_what_the_fast_way_does(self):
        for text in texts(1, 4000, 16):
            for level in LEVELS:
                part = Part(text, 0, len(text))
                self.assertEqual(fold(part, level), fold(part, level, []), (text, level.name))

    def test_every_place_leads_back_in_order(self):
        for text in texts(2, 1500, 12):
            for level in LEVELS:
                made = view(text, level)
                last = 0
                for at in range(made.main):
                    _, start, end = made.place(at, at + 1)
                    self.assertTrue(last <= start <= end <= len(text), (text, level.name, at))
                    last = start

    def test_a_kept_letter_leads_back_to_itself(self):
        for text in texts(3, 1500, 12):
            made = view(text, CASED)
            for at in range(made.main):
                if made.text[at] == "z":
                    _, start, end = made.place(at, at + 1)
                    self.assertIn(made.text[at], text[start:end] or "?", (text, at))

    def test_reading_twice_changes_nothing_more_but_markup(self):
        plain = [text for text in texts(4, 3000, 14) if not set(text) & set("*_`[]\\!")]
        self.assertGreater(len(plain), 300)
        for text in plain:
            for level in (CAREFUL, WIDE, CASED):
                once = view(text, level).text
                self.assertEqual(view(once, level).text, once, (text, level.name))

    def test_a_view_has_no_line_feed_but_between_parts(self):
        for text in texts(5, 1500, 14):
            for level in (CAREFUL, WIDE, CASED):
                made = view(text, level)
                self.assertEqual(made.text.count("\n"), len(made.parts) - 1, (text, level.name))

    def test_case_is_all_that_parts_wide_from_cased(self):
        for text in texts(6, 1500, 10):
            self.assertEqual(view(view(text, CASED).text, WIDE).text.replace(" ", ""), view(view(text, WIDE).text, WIDE).text.replace(" ", ""))

    def test_worked_examples(self):
        for text, careful, wide in (
            ("  Two\r\n lines ", "two lines", "two lines"),
            ("I can\u2019t", "i can't", "i can't"),
            ("10\u00b2", "10\u00b2", "102"),
            ("\u00bd", "\u00bd", "1/2"),
            ("stra\u00dfe", "strasse", "strasse"),
            ("14\u2011day", "14-day", "14-day"),
            ("see [x](http://u/v) now", "see x now\nhttp://u/v", "see x now\nhttp://u/v"),
            ("p\u0430ypal", "p\u0430ypal", "paypal"),
            ("1\ufe0f\u20e34\ufe0f\u20e3", "1\u20e34\u20e3", "14"),
            ("e\u200d\u0301", "\u00e9", "\u00e9"),
            ("\u2026", "...", "..."),
            ("\U0001e030", "\U0001e030", "\U0001e030"),
        ):
            self.assertEqual((view(text, CAREFUL).text, view(text, WIDE).text), (careful, wide), text)


if __name__ == "__main__":
    unittest.main()
