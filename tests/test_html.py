"""The page of HTML: well-formed, closed to what stands in it, bounded, and readable without its script."""
import base64
import hashlib
import html.parser
import os
import re
import tempfile
import unittest

from gatekit import CaseError, Gate, Matcher, Sample
from gatekit.judging.report import CaseReport, Report
from gatekit.reports import html_report, html_samples
from gatekit.reports.catalogue import Style, renderer
from gatekit.reports.html_page import SCRIPT, STYLE
from gatekit.reports.reading import read_report

from .report_of_everything import report
from .running import write

VOID = ("meta", "input")
# Every element that the page may have, with its attributes in their order.
ELEMENTS = {
    ("html", ("lang",)), ("head", ()), ("meta", ("charset",)), ("meta", ("http-equiv", "content")), ("meta", ("name", "content")), ("title", ()), ("style", ()), ("script", ()), ("body", ()),
    ("a", ("class", "href")), ("a", ("href",)), ("header", ("class",)), ("nav", ("aria-label",)), ("main", ()), ("footer", ()), ("section", ("aria-labelledby",)), ("section", ("class", "data-level", "data-owner", "data-tag")),
    ("h1", ()), ("h2", ("id",)), ("h2", ("id", "tabindex")), ("h3", ("id",)), ("h4", ()), ("h5", ()), ("p", ()), ("p", ("class",)),
    ("p", ("id", "role")), ("span", ("class",)), ("strong", ()), ("ul", ()), ("ul", ("class", "aria-label")), ("ol", ("class",)), ("li", ()), ("li", ("class",)), ("dl", ()), ("dt", ()), ("dd", ()), ("div", ("class",)), ("div", ("class", "id")),
    ("div", ("class", "tabindex", "role", "aria-label")), ("table", ()), ("caption", ()), ("thead", ()), ("tbody", ()), ("tr", ()), ("th", ("scope",)), ("td", ()), ("td", ("class",)),
    ("form", ("id", "class", "role", "aria-label", "hidden")), ("label", ()), ("input", ("type", "name", "autocomplete")), ("select", ("name",)), ("option", ("value",)), ("button", ("type",)),
    ("button", ("type", "id")), ("details", ()), ("details", ("open",)), ("details", ("class", "id", "data-status")), ("details", ("class", "id", "data-status", "open")),
    ("summary", ()), ("pre", ()), ("mark", ()), ("del", ()), ("ins", ()),
}  # fmt: skip


class Page(html.parser.HTMLParser):
    """A page as its elements, in order and with their depth, what they hold, and what is wrong with them."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.faults, self.inside = [], [], [], {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data):
        self.inside.setdefault(self.open[-1] if self.open else None, []).append(data)

    def handle_comment(self, data):
        self.faults.append(data)

    unknown_decl = handle_comment
    handle_pi = handle_comment

    def of(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


class Html(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.report = report()
        cls.text = html_report.render(cls.report, Style(False, (1, 2)))
        cls.page = Page(cls.text)

    def test_it_is_well_formed_and_has_nothing_else(self):
        self.assertEqual((self.page.open, self.page.faults), ([], []))
        self.assertLessEqual({(tag, tuple(attributes)) for tag, attributes in self.page.elements}, ELEMENTS)
        verbose = Page(html_report.render(self.report, Style(True)))
        self.assertEqual((verbose.open, verbose.faults), ([], []))
        self.assertLessEqual({(tag, tuple(attributes)) for tag, attributes in verbose.elements}, ELEMENTS)

    def test_the_policy_names_the_script_and_the_style(self):
        [policy] = [attributes["content"] for attributes in self.page.of("meta") if attributes.get("http-equiv") == "Content-Security-Policy"]
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        for tag, rule in (("script", "script-src"), ("style", "style-src")):
            inside = "".join(self.page.inside[tag])
            self.assertEqual(rules[rule], f"'sha256-{base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()}'")
        self.assertEqual((rules["default-src"], rules["base-uri"], rules["form-action"]), ("'none'",) * 3)
        policy_at = self.text.index("Content-Security-Policy")
        self.assertLess(policy_at, self.text.index("<style>"))
        for word in ("innerHTML", "eval(", "document.write", "fetch(", "http"):
            self.assertNotIn(word, SCRIPT + STYLE)

    def test_links_and_labels_lead_somewhere(self):
        ids = [attributes["id"] for _, attributes in self.page.elements if "id" in attributes]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertLessEqual({attributes["href"] for attributes in self.page.of("a")}, {f"#{id}" for id in ids})
        self.assertLessEqual({attributes["aria-labelledby"] for attributes in self.page.of("section") if attributes.get("class") != "case"}, set(ids))

    def test_headings_go_down_step_by_step(self):
        levels = [int(tag[1]) for tag, _ in self.page.elements if re.fullmatch("h[1-6]", tag)]
        self.assertEqual((levels[0], levels.count(1)), (1, 1))
        self.assertEqual([(one, other) for one, other in zip(levels, levels[1:]) if other > one + 1], [])

    def test_landmarks_and_tables(self):
        for page in (self.page, Page(html_report.render(Report(()), Style())), Page(html_report.render(Report((), (CaseError("x"),)), Style()))):
            for tag in ("header", "nav", "main", "footer", "h1"):
                self.assertEqual(len(page.of(tag)), 1, tag)
            self.assertEqual(len(page.of("caption")), len(page.of("table")))
            self.assertEqual({attributes["scope"] for attributes in page.of("th")} - {"col", "row"}, set())
            self.assertEqual([attributes["href"] for attributes in page.of("a") if attributes.get("class") == "skip"], ["#samples"])
            self.assertEqual([attributes.get("id") for attributes in page.of("p") if attributes.get("role") == "status"], ["told"] * len(page.of("form")))
            self.assertEqual([attributes for _, attributes in page.elements if "src" in attributes or "style" in attributes or "//" in attributes.get("href", "")], [])

    def test_what_broke_comes_first(self):
        gate = Gate(Matcher("contains", value="x", name="has x"), Matcher("contains", value="y", name="has y"), max_failure_rate="0.5")
        told = gate.judge([{"output": "y", "sample": "a"}, {"output": "z", "sample": "b"}, {"output": "z", "status": "transient", "sample": "c"}]).cases[0]
        other = Gate(Matcher("contains", value="q"), min_judged=2).judge(["q"]).cases[0]
        even = CaseReport("even", None, 2, Gate(Matcher("contains", value="x"), max_failure_rate="0.5").judge(["x", "y"]).cases[0].summary, told.statuses, told.verdicts)
        text = html_report.render(Report((even, CaseReport("first", None, 2, told.summary, told.statuses, told.verdicts), CaseReport("few", None, 2, other.summary, other.statuses, ()))), Style())
        table = text[text.index('id="broken"') : text.index("</table>")]
        rows = [re.sub("<[^>]*>", " ", row).split() for row in table.split("<tr>")[2:]]
        self.assertEqual([row[:5] for row in rows], [
            ["fail", "has", "x", "first", "2"], ["fail", "has", "y", "first", "1"], ["inconclusive", "(gate)", "few", "1", "1"],
            ["fail", "has", "x", "even", "2"], ["fail", "has", "y", "even", "1"],
        ])  # fmt: skip
        self.assertLess(text.index('id="broken"'), text.index('id="cases"'))
        self.assertIn("2 of 3 cases did not pass.", text)
        self.assertIn('<a href="#sample-3">has x</a>', table)

    def test_rules_lead_to_the_turns_that_show_them(self):
        links = {attributes["href"] for attributes in self.page.of("a") if "-turn-" in attributes["href"]}
        turns = {f"#{attributes['id']}" for attributes in self.page.of("div") if attributes.get("class") == "turn proves"}
        self.assertTrue(links)
        self.assertEqual(links, turns)

    def test_passes_are_counted(self):
        gate = Gate(Matcher("contains", value="x"))
        for samples, words in ((["x", "y", "x"], "2 samples that passed are counted, and not told"), (["x", "y"], "1 sample that passed is counted, and not told")):
            self.assertIn(words, Page(html_report.render(gate.judge(samples), Style())).inside["p"])
        self.assertNotIn("and not told", html_report.render(gate.judge(["y"]), Style()))

    def test_it_tells_everything(self):
        text = "".join(self.page.inside.get("p", []) + self.page.inside["pre"] + self.page.inside["li"] + self.page.inside["h5"] + self.page.inside["span"])
        for words in ("/items/0/qty: expected 2 (integer), got \"2\" (string)", "only a newline at the end and case differ", "shows shared.packs[0], matchers[1], invariants[0], invariants[1]", "tone, like a greeting: overridden by", "evidence: "):
            self.assertIn(words, text)
        self.assertEqual("".join(self.page.inside["mark"]).count("planted"), 9)
        statuses = {attributes["data-status"] for attributes in self.page.of("details") if "data-status" in attributes}
        self.assertEqual(statuses, {"check_failed", "error", "transient", "diverged", "inconclusive", "review"} | statuses & {"passed"})
        self.assertIn("kept <b>", "".join(Page(html_report.render(Gate(Matcher("exact_text", value="kept <b> x")).judge(["kept <b> y"]), Style())).inside["pre"]))

    def test_words_of_several_lines_stay_so(self):
        page = Page(html_report.render(Gate(Matcher("exact_text", value="\none\n  two")).judge(["\tx\r\n::error::y"]), Style()))
        self.assertEqual([text for text in page.inside["pre"] if text.strip()], ["\n\none\n  two", "\n\\tx\\r\n:\\x3aerror::y"])

    def test_attributes_hold_their_words(self):
        told = Gate(Matcher("exact_text", value="x")).judge(["y"]).cases[0]
        case = CaseReport('"><b>\u202e', None, 1, told.summary, told.statuses, told.verdicts, tags=('a" onclick="x', "b\nc"), owner="'>")
        page = Page(html_report.render(Report((case,)), Style()))
        [section] = [attributes for attributes in page.of("section") if attributes.get("class") == "case"]
        self.assertEqual((section["data-tag"], section["data-owner"]), ('a" onclick="x\nb\\nc', "'>"))
        self.assertIn('"><b>\\u202e', "".join(page.inside["h3"]))
        self.assertLessEqual({(tag, tuple(attributes)) for tag, attributes in page.elements}, ELEMENTS)

    def test_a_tag_is_found_by_its_filter(self):
        told = Gate(Matcher("exact_text", value="x")).judge(["y"]).cases[0]
        tags = ("::x", ":", "--- x", "\u0301", "##[x]")
        page = Page(html_report.render(Report((CaseReport("a", None, 1, told.summary, told.statuses, told.verdicts, tags=tags),)), Style()))
        [section] = [attributes for attributes in page.of("section") if attributes.get("class") == "case"]
        values = {attributes["value"][1:] for attributes in page.of("option")}
        self.assertEqual(set(section["data-tag"].split("\n")) - values, set())

    def test_a_report_that_is_read_back_gives_the_same_page(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"report.json": renderer("json")(self.report, Style())})
            back = read_report(os.path.join(folder, "report.json"), "report.json")
        self.assertEqual(html_report.render(back, Style()), html_report.render(self.report, Style()))

    def test_nothing_is_to_be_shown(self):
        for told in (Report(()), Gate(Matcher("exact_text", value="x")).judge(["x", "x"])):
            page = Page(html_report.render(told, Style()))
            self.assertIn("No sample is to be shown.", page.inside["p"])
            self.assertEqual((page.of("form"), page.open, page.faults), ([], [], []))


class Colours(unittest.TestCase):
    """The contrast of every colour of words with every ground that they can stand on, by the definition of WCAG 2.1 (relative luminance, contrast ratio)."""

    GROUNDS = {"paper": "ink soft link pass fail warn", "panel": "ink soft link pass fail warn", "said": "ink", "gone": "ink soft", "new": "ink soft", "hit": "hitink"}

    @staticmethod
    def luminance(colour):
        digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
        shares = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        return sum(weight * (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4) for weight, share in zip((0.2126, 0.7152, 0.0722), shares))

    def contrast(self, one, other):
        low, high = sorted((self.luminance(one), self.luminance(other)))
        return (high + 0.05) / (low + 0.05)

    def test_the_formula(self):
        self.assertAlmostEqual(self.contrast("#000", "#ffffff"), 21)
        self.assertAlmostEqual(self.contrast("#767676", "#fff"), 4.54, 2)

    def test_words_can_be_read(self):
        tables = [dict(re.findall("--([a-z]+):(#[0-9a-f]+)", root)) for root in re.findall(":root{([^}]*)}", STYLE)]
        self.assertEqual(len(tables), 3)  # light, dark, print
        for table in tables:
            self.assertEqual(set(table), set(tables[0]))
            for ground, words in self.GROUNDS.items():
                for word in words.split():
                    self.assertGreaterEqual(self.contrast(table[word], table[ground]), 4.5, f"{word} {table[word]} on {ground} {table[ground]}")
            self.assertGreaterEqual(min(self.contrast(table[word], table["paper"]) for word in ("link", "soft", "pass", "fail", "warn")), 3)  # focus and frames

    def test_there_are_no_other_colours(self):
        rules = re.sub(":root{[^}]*}", "", STYLE)
        self.assertEqual(set(re.findall("[;{](?:color|background|background-color):([^;}]*)", rules)) - {"inherit", "none"}, {f"var(--{name})" for name in set(" ".join([*self.GROUNDS, *self.GROUNDS.values()]).split())})
        self.assertEqual(re.findall("#[0-9a-f]{3,8}\\b|rgb|hsl|opacity|animation|transition", rules), [])


class Bounds(unittest.TestCase):
    def test_long_names_do_not_make_it_long(self):
        told = Gate(Matcher("contains", value="x", name="r" * 9000)).judge(["y"]).cases[0]
        cases = [CaseReport(f"{number}" + "\u65e5" * 9000, "f" * 9000, 1, told.summary, told.statuses, told.verdicts, tags=(f"{number}" + "&" * 9000,), owner=f"{number}" + "<" * 9000) for number in range(100)]
        errors = [CaseError("\U0001f600" * 9000) for _ in range(100)]
        text = html_report.render(Report(tuple(cases), tuple(errors), ("|" * 9000,) * 300), Style())
        self.assertLess(len(text.encode()), 10_000_000)
        page = Page(text)
        self.assertEqual((page.open, page.faults), ([], []))
        self.assertTrue([words for words in page.inside["li"] if re.fullmatch("and [0-9]+ more: the JSON report has them", words)])
        self.assertTrue([words for words in page.inside["p"] if re.fullmatch("and [0-9]+ more of other cases, which are left out: the JSON report has them", words)])

    def test_a_sample_has_so_many_rules(self):
        told = Gate(*(Matcher("contains", value=f"w{number}") for number in range(html_samples.FINDINGS + 3))).judge(["y"])
        page = Page(html_report.render(told, Style()))
        self.assertIn("and 3 more rules, which are left out: the JSON report has them", page.inside["p"])

    def test_it_stays_small(self):
        room, html_samples.ROOM = html_samples.ROOM, 150_000
        self.addCleanup(setattr, html_samples, "ROOM", room)
        messages = [{"role": role, "content": f"<{'&' * 700}>"} for _ in range(8) for role in ("user", "assistant")]
        told = Gate(Matcher("exact_text", value="<" * 5000), Matcher("contains", value="zzz")).judge([Sample(messages=messages, sample=f"s{number}") for number in range(3)]).cases[0]
        cases = [CaseReport(f"case {number}", "f" * 500, 1, told.summary, told.statuses, told.verdicts, 7, tags=(f"t{number}",), owner=f"o{number}") for number in range(250)]
        passed = Gate(Matcher("contains", value="x")).judge(["x"]).cases[0]
        cases += [CaseReport(f"passed {number}", None, 1, passed.summary, passed.statuses, ()) for number in range(2000)]
        text = html_report.render(Report(tuple(cases), tuple(CaseError("&" * 500) for _ in range(10))), Style())
        self.assertLess(len(text.encode()), 1_000_000)
        page = Page(text)
        self.assertEqual((page.open, page.faults), ([], []))
        captions = "".join(page.inside["caption"])
        self.assertIn("(the first 2000 of 2250: those that did not pass before the others)", captions)
        self.assertIn("Samples by tag (the first 200 of 250)", captions)
        self.assertIn("and 1 more of this case, which are left out: the JSON report has them", page.inside["p"])
        self.assertIn("and 2490 more of other cases, which are left out: the JSON report has them", page.inside["p"])
        self.assertEqual(len(page.of("details")), 2 * 2)


if __name__ == "__main__":
    unittest.main()
