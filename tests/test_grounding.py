"""Figures, URLs and sources: what the grounded checks compare. (What they say of answers stands in data/verdicts/grounding.jsonl.)"""
import json
import pickle
import random
import time
import unittest

import gatekit
from gatekit.data.sources import sources_of
from gatekit.formats.field_path import FieldPath
from gatekit.matchers.given import Given
from gatekit.text.figures import evened, figures
from gatekit.text.urls import url_key

ABOUT = {"url": "https://acme.example/about", "text": "Acme has 12 employees. Its revenue was $4.2 million."}


def shown(text):
    """What is read as figures in a text: (kind, as it is written)."""
    even = evened(text)
    return [(figure.kind, text[figure.start : figure.end]) for figure in figures(even) if not figure.name]


class Figures(unittest.TestCase):
    def test_what_is_a_figure(self):
        for text, expected in (
            ("It costs $1,014.00 a month.", [("price", "$1,014.00")]),
            ("5 USD, 5 Euro, 5 kg, 5%", [("price", "5 USD"), ("price", "5 Euro"), ("number", "5 kg"), ("number", "5%")]),
            ("up 4.2 million dollars", [("price", "4.2 million dollars")]),
            ("On May 20, 2024 at 10:30", [("date", "May 20, 2024"), ("number", "10"), ("number", "30")]),
            ("you may 20 times", [("number", "20")]),
            ("Feb 30, 2024", [("number", "30"), ("number", "2024")]),
            ("Feb 29, 2023", [("number", "29"), ("number", "2023")]),
            ("29 Feb 2024", [("date", "29 Feb 2024")]),
            ("13/45/2024", [("number", "13"), ("number", "45"), ("number", "2024")]),
            ("see https://a.example/1?b=2#c, or 3", [("url", "https://a.example/1?b=2#c"), ("number", "3")]),
            ("https://a.example/x_(y)) and **https://b.example**", [("url", "https://a.example/x_(y)"), ("url", "https://b.example")]),
            ("A4 gpt-4o x_1 1_x B2B H2O utf8", []),
            ("COVID-19 F-16 ORD-4183", []),
            ("mid-2024", [("number", "2024")]),
            ("in 2024 150 people", [("number", "2024"), ("number", "150")]),
            ("1 014 people", [("number", "1 014")]),
            ("192.168.0.1", [("number", "192.168.0.1")]),
            ("end of 5. Then", [("number", "5")]),
            ("\u00a0\u20ac\u202f5", [("price", "\u20ac\u202f5")]),
            ("5\u00b0C", [("number", "5\u00b0C")]),
            ("", []),
        ):
            with self.subTest(text=text):
                self.assertEqual(shown(text), expected)

    def test_evening_keeps_every_place(self):
        generator = random.Random(7)
        alphabet = "aZ1 \u00e9\u00df\u0130\u2026\u2019\u2013\u00a0\u202f\uff11\uff21\uff41\u0661\u5143\u20ac\u200b\ud83d\U0001f600\ufdfa"
        for _ in range(300):
            text = "".join(generator.choice(alphabet) for _ in range(30))
            self.assertEqual(len(evened(text)), len(text))

    def spellings(self, number, generator):
        """A number as people write it, in all ways that say the same."""
        whole, fraction = divmod(number, 100)
        tail = f".{fraction:02}" if fraction or generator.random() < 0.5 else ""
        grouped = f"{whole:,}"
        separated = [grouped.replace(",", mark) + tail for mark in ("", ",", "'", "\u202f")]
        return [*separated, f"${grouped}{tail}", f"{whole}{tail} USD"]

    def test_spellings_of_one_number_are_one_and_those_of_two_are_not(self):
        generator = random.Random(8)
        for _ in range(200):
            number = generator.choice((generator.randrange(100000), generator.randrange(10**9)))
            near = number + generator.choice((-1, 1, 10, 100, -100)) if number > 1000 else number + 1
            given = Given()
            given.read(f"It is {generator.choice(self.spellings(number, generator))} today.")
            for spelt in self.spellings(number, generator):
                [figure] = figures(evened(f"so {spelt}!"))
                self.assertTrue(given.shows(figure), (number, spelt))
            for spelt in self.spellings(near, generator):
                [figure] = figures(evened(f"so {spelt}!"))
                self.assertFalse(given.shows(figure), (number, spelt))

    def test_every_day_is_met_in_each_spelling(self):
        months = "January February March April May June July August September October November December".split()
        for year, month, day in ((2024, 2, 29), (1999, 12, 31), (2023, 6, 5), (2001, 1, 1), (2024, 9, 30)):
            name = months[month - 1]
            spelt = [f"{year}-{month:02}-{day:02}", f"{name} {day}, {year}", f"{name[:3]} {day} {year}", f"{day} {name} {year}", f"{day}.{month}.{year}",
                     f"{month}/{day}/{year}",
                     f"{day:02}/{month:02}/{year % 100:02}" if year >= 2000 else f"{day}/{month}/{year}", f"{year}/{month}/{day}"]  # fmt: skip
            for one in spelt:
                given = Given()
                given.read(f"on {one}.")
                for other in spelt:
                    [figure] = figures(f"by {other}, please")
                    self.assertEqual(figure.kind, "date", other)
                    self.assertTrue(given.shows(figure), (one, other))
                [figure] = figures(f"by {name} {day}, {year + 4}")
                self.assertFalse(given.shows(figure), one)

    def test_hostile_texts(self):
        def seconds(text):
            start = time.process_time()
            figures(evened(text))
            return time.process_time() - start

        for piece in ("1,", "1 000 ", "1'000", "1/", "1-", "5m ", "$", "USD ", "may 1 ", "2024-", "http://a", "www.", "(1) ", "9", "5 percentage ", "\u20ac "):
            with self.subTest(piece=piece):
                few, many = (min(seconds(piece * (length // len(piece))) for _ in range(2)) for length in (1000, 10000))
                self.assertTrue(many < 0.1 or many < 40 * max(few, 0.002), (few, many))


class Urls(unittest.TestCase):
    def test_keys(self):
        for url, key in (
            ("HTTPS://Acme.Example:443/A/?Q=1#frag", "https://acme.example/A?Q=1"),
            ("http://acme.example:80", "http://acme.example"),
            ("http://acme.example:443/", "http://acme.example:443"),
            ("https://me@Acme.example/%7eb/%2fc%C3%A9", "https://me@acme.example/~b/%2Fc%C3%A9"),
            (" https://acme.example/a//  ", "https://acme.example/a/"),
            ("www.Acme.example/", "//www.acme.example"),
            ("file.txt", "file.txt"),
            ("", ""),
        ):
            with self.subTest(url=url):
                self.assertEqual(url_key(url), key)

    def test_a_key_is_its_own_key(self):
        for url in ("https://a.example/%41%2f/", "http://a.example:80/?x=%7e#y", "https://a.example//", "ftp://A.example:21"):
            self.assertEqual(url_key(url_key(url)).rstrip("/"), url_key(url).rstrip("/"))


class Sources(unittest.TestCase):
    def read(self, sources):
        read = sources_of(gatekit.Sample("x", sources=sources))
        return None if read is None else [(source.url, source.text) for source in read]

    def test_shapes(self):
        self.assertIsNone(self.read(None))
        self.assertEqual(self.read([]), [])
        self.assertEqual(self.read({}), [])
        self.assertEqual(self.read(["a", {"text": "b"}, {"url": "u", "text": "", "title": "t"}]), [(None, "a"), (None, "b"), ("u", "")])
        self.assertEqual(self.read({"u": "a", "v": "b"}), [("u", "a"), ("v", "b")])

    def test_bad_shapes_name_their_place(self):
        for sources, path, words in (
            ([{"url": "u"}], ("sources", 0), "no \"text\""),
            (["a", {"txt": "b"}], ("sources", 1), "is it 'txt'?"),
            ([["a"]], ("sources", 0), "not an array"),
            ([{"text": 5}], ("sources", 0), "not a number"),
            ([{"text": "a", "url": 5}], ("sources", 0), "url of a source"),
            ([{"text": "a", "url": ""}], ("sources", 0), "is empty"),
            ({"u": 5}, ("sources", "u"), "not a number"),
            ({"": "a"}, ("sources", ""), "is empty"),
            ({"url": "u", "text": "a"}, ("sources",), "a list"),
        ):
            with self.subTest(sources=sources):
                with self.assertRaises(gatekit.CaseError) as caught:
                    self.read(sources)
                self.assertEqual(caught.exception.path, path)
                self.assertIn(words, caught.exception.message)


class Places(unittest.TestCase):
    def where(self, rule, output, sources=(ABOUT,), **case):
        verdict = gatekit.Case.from_dict({"id": "c", "matchers": [rule], **case}).check({"output": output, "sources": list(sources)})
        self.assertEqual(verdict.status, "check_failed")
        return verdict.findings[0].where

    def test_a_figure_of_a_text(self):
        where = self.where({"type": "values_from_source"}, "It is so.\nAcme has **13** people.")
        self.assertEqual((where.line, where.column, where.hit), (2, 12, "13"))

    def test_a_figure_behind_reasoning(self):
        where = self.where({"type": "values_from_source"}, "<think>7</think>\nAcme has 13.")
        self.assertEqual((where.line, where.hit), (2, "13"))

    def test_a_number_of_json(self):
        where = self.where({"type": "values_from_source"}, '{"a": [12,\n {"n": 13}]}')
        self.assertEqual((where.line, where.column, where.hit), (2, 3, '"n": 13'))

    def test_a_fact(self):
        fact = {"value": 12, "url": ABOUT["url"], "quote": "It has 12 people"}
        where = self.where({"type": "facts_grounded"}, json.dumps({"employees": fact}))
        self.assertEqual(where.hit, '"quote": "It has 12 people"')

    def test_a_field_that_must_be_null(self):
        where = self.where({"type": "absent_unless_supported", "pattern": "profit", "field": "a[*].profit"}, '{"a": [{"profit": null}, {"profit": 7}]}')
        self.assertEqual((where.column, where.hit), (27, '"profit": 7'))

    def test_places_of_a_path(self):
        document = {"a": [{"b": 1}, {"c": 2}, {"b": 3}], "0": 4}
        for path, paths in (("a[*].b", [("a", 0, "b"), ("a", 2, "b")]), ("/a/1/c", [("a", 1, "c")]), ("/0", [("0",)]), ("a.b", []), ("a[7]", [])):
            found = FieldPath(path).find(document)
            self.assertEqual(found.paths, tuple(paths), path)
            self.assertEqual(len(found.values), len(paths), path)


class Cases(unittest.TestCase):
    RULE = {"type": "values_from_source", "from": "input"}

    def test_the_input_goes_with_the_case(self):
        case = gatekit.Case.from_dict({"id": "c", "input": {"price": 5}, "matchers": [self.RULE]})
        for each in (case, pickle.loads(pickle.dumps(case))):
            self.assertTrue(each.check("It costs $5.").passed)
            self.assertFalse(each.check("It costs $6.").passed)
        self.assertEqual(hash(case.judging), hash(pickle.loads(pickle.dumps(case.judging))))

    def test_two_cases_do_not_share_their_input(self):
        matcher = gatekit.Matcher.from_dict(self.RULE)
        first, second = (gatekit.Case.from_dict({"id": "c", "input": price, "matchers": [matcher.to_dict()]}) for price in ("5", "6"))
        for _ in range(2):
            self.assertTrue(first.check("5").passed)
            self.assertFalse(second.check("5").passed)

    def test_a_gate_has_no_input(self):
        self.assertEqual(gatekit.Gate(gatekit.Matcher.from_dict(self.RULE)).check("5").status, "inconclusive")

    def test_a_secret_in_an_answer_stays_one(self):
        token = "gh" + "p_" + "Ab3Cd5Ef7Gh9Ij1Kl3Mn5Op7Qr9St1Uv3Wx5"
        verdict = gatekit.Gate(gatekit.Matcher("values_from_source")).check({"output": f"https://a.example/?t={token}", "sources": ["none"]})
        self.assertEqual(verdict.status, "check_failed")
        self.assertNotIn(token, str(verdict))

    def test_facts_that_are_changed_are_not_grounded(self):
        generator = random.Random(9)
        words = ABOUT["text"].split()
        gate = gatekit.Gate(gatekit.Matcher("facts_grounded", value_in_quote="none"))
        for _ in range(200):
            first = generator.randrange(len(words) - 2)
            quote = words[first : first + generator.randrange(2, 6)]
            fact = {"value": 1, "url": ABOUT["url"], "quote": "  ".join(quote).upper()}
            self.assertTrue(gate.check({"output": {"f": fact}, "sources": [ABOUT]}).passed, fact)
            quote[generator.randrange(len(quote))] = "other"
            fact["quote"] = " ".join(quote)
            self.assertFalse(gate.check({"output": {"f": fact}, "sources": [ABOUT]}).passed, fact)


if __name__ == "__main__":
    unittest.main()
