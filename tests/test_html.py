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
from gatekit.reports import html_report
from gatekit.reports.catalogue import Style, renderer
from gatekit.reports.html_page import SCRIPT, STYLE
from gatekit.reports.reading import read_report

from .report_of_everything import report
from .running import write

VOID = ("meta", "input")
# Every element that the page may have, with its attributes in their order.
ELEMENTS = {
    ("html", ("lang",)), ("head", ()), ("meta", ("charset",)), ("meta", ("http-equiv", "content")), ("meta", ("name", "content")), ("title", ()), ("style", ()), ("script", ()), ("body", ()),
    ("a", ("class", "href")), ("a", ("href",)), ("header", ()), ("main", ()), ("footer", ()), ("section", ("aria-labelledby",)), ("section", ("id", "aria-labelledby")),
    ("section", ("class", "aria-labelledby", "data-level", "data-owner", "data-tag")), ("h1", ()), ("h2", ("id",)), ("h3", ("id",)), ("h4", ()), ("h5", ()), ("p", ()), ("p", ("class",)),
    ("p", ("id", "role")), ("span", ("class",)), ("strong", ()), ("ul", ()), ("ol", ("class",)), ("li", ()), ("li", ("class",)), ("dl", ()), ("dt", ()), ("dd", ()), ("div", ("class",)),
    ("div", ("class", "tabindex", "role", "aria-label")), ("table", ()), ("caption", ()), ("thead", ()), ("tbody", ()), ("tr", ()), ("th", ("scope",)), ("td", ()), ("td", ("class",)),
    ("form", ("id", "class", "role", "aria-label", "hidden")), ("label", ()), ("input", ("type", "name", "autocomplete")), ("select", ("name",)), ("option", ("value",)), ("button", ("type",)),
    ("button", ("type", "id")), ("details", ()), ("details", ("open",)), ("details", ("class", "data-status", "data-case")), ("details", ("class", "data-status", "data-case", "open")),
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
        self.assertLessEqual({attributes["aria-labelledby"] for attributes in self.page.of("section")}, set(ids))

    def test_headings_go_down_step_by_step(self):
        levels = [int(tag[1]) for tag, _ in self.page.elements if re.fullmatch("h[1-6]", tag)]
        self.assertEqual((levels[0], levels.count(1)), (1, 1))
        self.assertEqual([(one, other) for one, other in zip(levels, levels[1:]) if other > one + 1], [])

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


class Bounds(unittest.TestCase):
    def test_it_stays_small(self):
        room, html_report.ROOM = html_report.ROOM, 150_000
        self.addCleanup(setattr, html_report, "ROOM", room)
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
        self.assertIn("By tag (the first 200 of 250)", captions)
        self.assertIn("and 1 more of this case, which are left out: the JSON report has them", page.inside["p"])
        self.assertIn("and 2490 more of other cases, which are left out: the JSON report has them", page.inside["p"])
        self.assertEqual(len(page.of("details")), 2 * 2)


if __name__ == "__main__":
    unittest.main()
