"""Every format: byte for byte on one report that holds everything, well-formed and inert on hostile texts, and without a piece of a key."""
import html.parser
import json
import os
import re
import tempfile
import unittest
import xml.etree.ElementTree

import gatekit
from gatekit import Case, CaseError, Matcher, Rubric
from gatekit.data.redaction import Redaction
from gatekit.judging.judge import Judge
from gatekit.judging.rates import Thresholds
from gatekit.judging.report import CaseReport, Report
from gatekit.judging.tally import Tally
from gatekit.judging.rubric import rules_of
from gatekit.judging.verdict import Finding, Verdict
from gatekit.reports import github_report, markdown_report
from gatekit.reports.catalogue import FORMATS, Style, renderer
from gatekit.reports.reading import read_report

from . import test_html
from .hostile_texts import texts
from .report_of_everything import KEY, PASSWORD, report
from .running import call, write
from .test_report_schema import SCHEMA

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "reports")
ENDINGS = {"text": "txt", "json": "json", "junit": "xml", "markdown": "md", "github": "log", "html": "html"}
# The two schemas of JUnit XML that readers hold a file to: of each element its attributes (those that must be there first), and a pattern of its children.
JENKINS = {
    "testsuites": ((), ("name", "time", "tests", "failures", "errors"), "(testsuite )*"),
    "testsuite": (("name", "tests", "failures", "errors"), ("group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"), "((testsuite|properties|testcase|system-out|system-err) )*"),
    "properties": ((), (), "(property )*"),
    "property": (("name", "value"), (), ""),
    "testcase": (("name",), ("time", "classname", "group"), "((skipped|error|failure|rerunFailure|rerunError|flakyFailure|flakyError|system-out|system-err) )*"),
    **dict.fromkeys(("failure", "error", "skipped"), ((), ("type", "message"), "")),
    **dict.fromkeys(("system-out", "system-err"), ((), (), "")),
}  # fmt: skip
SUREFIRE = {
    **JENKINS,
    "testsuite": (("name", "tests", "errors", "skipped", "failures"), ("time", "group"), "(properties )*(testcase )*"),
    "testcase": (("name", "time"), ("classname", "group"), "(failure )*(rerunFailure )*(flakyFailure )*(skipped )?(error )?(rerunError )*(flakyError )*(system-out )?(system-err )?"),
    **dict.fromkeys(("failure", "error"), (("type",), ("message",), "")),
    "skipped": ((), ("message",), ""),
}  # fmt: skip
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffc\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff]")


class Elements(html.parser.HTMLParser):
    """The elements of an HTML page, with their attributes; and whether each that was opened was closed in its turn."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.met, self.open, self.faults, self.text = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.met.append((tag, tuple(name for name, _ in attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.met.append((tag, tuple(name for name, _ in attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):
        self.faults.append(f"a comment: {data}")

    def unknown_decl(self, data):
        self.faults.append(f"a declaration: {data}")


def elements_of(page):
    reader = Elements()
    reader.feed(page)
    reader.close()
    return reader


def lines_that_act(text):
    """The lines of a log that a build service would take for a command."""
    return [line for line in text.split("\n") if re.match(r"\s*::", line) or re.search(r"##\[|##[A-Za-z]+\[", line)]


class Golden(unittest.TestCase):
    """The files are made anew by `python -m tests.test_reports`, so that a change is a visible difference."""

    @classmethod
    def setUpClass(cls):
        cls.report = report()

    def test_the_report_holds_everything(self):
        self.assertEqual([status for status, count in self.report.counts.items() if not count], [])
        self.assertEqual(set(self.report.levels), {"1", "2", "3", "4", "5"})
        self.assertEqual(self.report.outcome, "error")

    def test_every_format(self):
        for form in FORMATS:
            with open(os.path.join(HERE, f"everything.{ENDINGS[form]}"), encoding="utf-8", newline="") as file:
                self.assertEqual(renderer(form)(self.report, Style(False, (1, 2))), file.read(), f"{form}: look at the difference, then run python -m tests.test_reports")

    def test_no_piece_of_a_key(self):
        for form in FORMATS:
            for verbose in (False, True):
                shown = renderer(form)(self.report, Style(verbose))
                for secret in (KEY, PASSWORD):
                    for at in range(len(secret) - 7):
                        self.assertNotIn(secret[at : at + 8], shown, form)


class JUnit(unittest.TestCase):
    def assert_meets(self, element, schema):
        must, may, children = schema[element.tag]
        self.assertEqual([name for name in must if name not in element.attrib] + [name for name in element.attrib if name not in must + may], [], element.tag)
        self.assertIsNotNone(re.fullmatch(children, "".join(f"{child.tag} " for child in element)), element.tag)
        for child in element:
            self.assert_meets(child, schema)

    def read(self, report):
        root = xml.etree.ElementTree.fromstring(renderer("junit")(report, Style()).encode("utf-8"))
        self.assert_meets(root, JENKINS)
        for suite in root:
            self.assert_meets(suite, SUREFIRE)
            ended = [child.tag for test in suite for child in test if child.tag not in ("system-out", "property")]
            self.assertEqual(
                [int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")],
                [len(suite.findall("testcase")), ended.count("failure"), ended.count("error"), ended.count("skipped")],
            )
        for name in ("tests", "failures", "errors"):
            self.assertEqual(int(root.get(name)), sum(int(suite.get(name)) for suite in root))
        return {(test.get("classname"), test.get("name")): [child.tag for child in test] for test in root.iter("testcase")}

    def test_schemas_and_counts(self):
        self.read(report())

    def test_how_each_status_ends(self):
        ended = self.read(report())
        for name, tags in {
            ("clean", "1"): [],
            ("exact", "2"): ["failure"],
            ("exact", "crashed"): ["error"],
            ("exact", "outage"): ["skipped"],
            ("order", "left"): ["error"],
            ("order", "taken out"): ["skipped"],
            ("order", "unknown"): ["error"],
            ("refund", "good-2"): ["system-out"],
            ("sincere", "waits"): ["skipped"],
            ("sincere", "(gate)"): ["error"],
            ("old", "(deprecated)"): ["skipped"],
            ("(errors)", "cases/broken.json:3:17"): ["error"],
        }.items():
            self.assertEqual(ended[name], tags, name)

    def test_what_is_no_pass_is_never_clean(self):
        gate = gatekit.Gate(Matcher("contains", value="x"))
        outage = {"output": "", "status": "transient"}
        for samples in ([], [outage], [{"output": "x"}, outage]):
            told = gate.judge(samples)
            self.assertFalse(told)
            self.assertIn(["error"], self.read(told).values())
        self.assertIn(["error"], self.read(Report(())).values())
        self.assertIn(["error"], self.read(Report((CaseReport("old", None, 2, None, {}, (), 0, 3),))).values())
        self.assertEqual(set(map(tuple, self.read(gate.judge(["x"])).values())), {()})

    def test_names_are_those_of_no_other(self):
        gate = gatekit.Gate(Matcher("human_review", criteria=["so?"]))
        self.assertIn("(gate) (2)", [name for _, name in self.read(gate.judge([{"output": "x", "sample": "(gate)"}]))])

    def test_names_that_are_shown_alike_are_told_apart(self):
        ids = ["a\n", "a\\n", "a\\n (2)", "\x1b", "", " ", "c"]
        told = gatekit.Gate(Matcher("contains", value="x")).judge([{"output": "y", "sample": id} for id in ids]).cases[0]
        names = [name for _, name in self.read(Report((told,)))]
        self.assertEqual(sorted(names), ["' '", "''", "\\x1b", "a\\n", "a\\n (2)", "a\\n (3)", "c"])
        cases = [CaseReport(id, None, 2, told.summary, told.statuses, told.verdicts) for id in ("a\n", "a\\n", "(errors)")]
        ended = self.read(Report(tuple(cases), (CaseError("x"),)))
        self.assertEqual(len(ended), 3 * len(ids) + 1)
        self.assertEqual(list(dict.fromkeys(case for case, _ in ended)), ["a\\n (2)", "a\\n", "(errors)", "(errors) (2)"])

    def test_a_type_of_a_team_is_only_a_word(self):
        finding = Finding("fail", "so", "rule", '"\x1b\n::x::<', 2)
        told = gatekit.Gate(Matcher("contains", value="x")).judge(["y"]).cases[0]
        self.read(Report((CaseReport("a", None, 2, told.summary, told.statuses, [Verdict("check_failed", (finding,), sample="1")]),)))

    def test_what_is_long_is_cut(self):
        gate = gatekit.Gate(Matcher("json_equal", expected={"a": "y" * 100000}), *(Matcher("contains", value=f"{'n' * 5000}{number}") for number in range(50)))
        told = gate.judge([{"output": {"a": "z" * 100000}, "sample": "s" * 1000}])
        self.assertLess(len(renderer("junit")(told, Style())), 30000)


class Markdown(unittest.TestCase):
    def test_it_stays_below_the_limit(self):
        verdicts = gatekit.Gate(Matcher("exact_text", value="x")).judge([{"output": "\u65e5<" * 300, "sample": f"{number}"} for number in range(60)]).cases[0]
        cases = tuple(CaseReport(f"case {number}", "f" * 1000, 1, verdicts.summary, verdicts.statuses, verdicts.verdicts, 7, description="<" * 3000) for number in range(300))
        errors = tuple(CaseError("&" * 3000) for _ in range(300))
        page = renderer("markdown")(Report(cases, errors, ("|" * 3000,) * 300), Style())
        self.assertLess(len(page.encode("utf-8")), markdown_report.LONGEST)
        self.assertGreater(len(page.encode("utf-8")), markdown_report.LONGEST * 0.9)
        self.assertIn("17 more samples are left out", page)
        self.assertRegex(page, "[0-9]+ more cases are left out")
        self.assertIn("- and 200 more: ", page)
        self.assertEqual(page.count("<details>"), page.count("</details>"))
        self.assertTrue(page.endswith("no proof that an answer is right.\n"))

    def test_one_huge_name_or_reason_does_not_break_it(self):
        for huge in ("<" * 60000, "\U0001f600" * 5000):
            told = gatekit.Gate(Matcher("contains", value="zzz")).judge([{"output": "y", "sample": huge, "note": huge[:5000], "label": "approved"}]).cases[0]
            finding = gatekit.Finding("fail", huge, huge, "contains", 2, huge, huge)
            verdicts = [gatekit.Verdict("check_failed", (finding,), sample=huge, model=huge, prompt_version=huge)]
            case = CaseReport(huge, huge, 2, told.summary, told.statuses, verdicts, description=huge, tags=(huge,), owner=huge, subjects=((huge, huge),))
            page = renderer("markdown")(Report((case, case), (CaseError(huge, file=huge),), (huge,), (huge,)), Style())
            self.assertLess(len(page.encode("utf-8")), markdown_report.LONGEST)
            self.assertEqual((elements_of(page).open, elements_of(page).faults), ([], []))
            self.assertIn("characters)", page)
        many = gatekit.Gate(*(Matcher("contains", value=f"{number}" + "<" * 500) for number in range(600))).judge(["y"])
        page = renderer("markdown")(many, Style())
        self.assertLess(len(page.encode("utf-8")), markdown_report.LONGEST)
        self.assertIn("1 more sample is left out: a report as json or html (--report json=FILE) holds them.", page)

    def test_a_reader_sees_what_was_there(self):
        page = renderer("markdown")(report(), Style())
        text = "".join(elements_of(page).text)
        self.assertIn("GITHUB_ENV<<EOF\\nPLANTED=1\\nEOF\\n%0A::warning::planted %25", text)
        self.assertIn("@octocat @org/team #1 GH-1 org/repo#2 owner@example.com :tada: $x$ $$y$$ `tick` **bold** _em_ ~~gone~~ &lt;b&gt;", text)


class GitHub(unittest.TestCase):
    def commands(self, report):
        lines = renderer("github")(report, Style()).split("\n")
        commands = [line for line in lines if line.startswith("::")]
        self.assertEqual(lines[: len(commands)], commands)
        self.assertLessEqual(len(commands), github_report.MOST)
        self.assertEqual("\n".join(lines[len(commands) :]), renderer("text")(report, Style()))
        return commands

    def judged(self, files, *words):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, files)
            code, out, err = call(*words, "--format", "github", cwd=folder)
        self.assertEqual(err, b"")
        return code, [line for line in out.decode().split("\n") if line.startswith("::")]

    FILES = {
        "set/gatekit.yaml": "rubric:\n  must_exclude: [planted]\n",
        "set/sub/a,b.yaml": "id: a\nrubric:\n  must_include:\n    - one\n    - two\nmatchers:\n  - type: contains\n    value: three\n  - {type: starts_with, value: Four, name: 'begins: 100%'}\n",
        "set/sub/b.json": '{"id": "b",\n "invariants": [\n  {"type": "max_turns", "value": 1},\n  {"type": "existence",\n   "event": {"tool": "book"}}\n ],\n "gate": {"max_failure_rate": 1}}\n',
        "set/runs.jsonl": '{"case": "a", "sample": "1", "output": "one, planted"}\n{"case": "a", "sample": "2", "output": "Four one, two"}\n'
        '{"case": "b", "sample": "1", "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]}\n',
    }

    def test_the_line_of_each_rule(self):
        wanted = [
            "::error file=set/sub/a%2Cb.yaml,line=1,title=a%3A shared.must_exclude[0]::forbidden present: 'planted' (in sample 1)",
            "::error file=set/sub/a%2Cb.yaml,line=5,title=a%3A must_include[1]::missing required: 'two' (in sample 1)",
            "::error file=set/sub/a%2Cb.yaml,line=7,title=a%3A matchers[0]::does not contain: 'three' (in sample 1, and in 1 more)",
            "::error file=set/sub/a%2Cb.yaml,line=9,title=a%3A begins%3A 100%25::does not start with 'Four' (in sample 1)",
            "::warning file=set/sub/b.json,line=4,title=b%3A invariants[1]::",
        ]
        for words in (("set",), ("./set/",), ("set/../set",)):
            code, commands = self.judged(self.FILES, *words)
            self.assertEqual((code, commands[:4]), (1, wanted[:4]), words)
            self.assertTrue(commands[4].startswith(wanted[4]), commands[4])
            self.assertEqual(len(commands), 5)

    def test_a_file_by_itself_and_several_paths(self):
        rule, strangers = "::warning file=set/sub/b.json,line=4", [f"::error file=set/runs.jsonl,line={line}" for line in (1, 2)]
        one_file, two_paths = ("set/sub/b.json", "--samples", "set/runs.jsonl"), ("set/sub", "set/runs.jsonl", "--id", "b")
        for words, wanted in ((one_file, [*strangers, rule]), (two_paths, [rule])):
            _, commands = self.judged(self.FILES, *words)
            self.assertEqual([line.partition(",title")[0] for line in commands], wanted)

    def test_an_absolute_path_is_not_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, self.FILES)
            _, out, _ = call(os.path.join(folder, "set"), "--format", "github")
        self.assertNotIn(os.path.basename(folder), out.decode())
        self.assertIn("::error file=sub/a%2Cb.yaml,line=5,", out.decode())

    def test_at_most_ten(self):
        for count, commands in ((9, 9), (10, 10), (11, 10), (300, 10)):
            gate = gatekit.Gate(*(Matcher("contains", value=f"word {number}") for number in range(count)))
            found = self.commands(gate.judge(["nothing"]))
            self.assertEqual(len(found), commands)
            last = f"::error title=gatekit::and {count - 9} more: the report below the annotations tells all"
            self.assertEqual(found[-1] == last, count > 10)

    def test_what_has_no_rule(self):
        told = self.commands(gatekit.Gate(Matcher("contains", value="x"), min_judged=3).judge(["x"]))
        self.assertEqual(len(told), 1)
        self.assertTrue(told[0].startswith("::error title=gate::1 judged, fewer than 3"), told)
        self.assertEqual(self.commands(Report(())), ["::error title=gatekit::no case was found"])
        self.assertEqual(self.commands(gatekit.Gate(Matcher("contains", value="x")).judge(["x"])), [])


class Hostile(unittest.TestCase):
    """10,000 hostile texts, in every place of a report that a text of a sample, a case or a person can come to."""

    @classmethod
    def setUpClass(cls):
        invariants = [Matcher.invariant({"type": "max_calls", "value": 0}), Matcher.invariant({"type": "absence", "event": {"assistant": "the"}})]
        matchers = [Matcher("exact_text", value="x"), Matcher("not_contains", value="the"), Matcher("contains", value="zzz", name="`|<b>@x #1]]>")]
        cls.judge = Judge(rules_of([Rubric(must_include=["refund"], packs=["secrets"]), *matchers, *invariants]))
        given = list(texts(10000, 6))
        cls.planted = [key for _, key in given if key]
        cls.reports = [cls.report([text for text, _ in given[number::5]]) for number in range(5)]

    @classmethod
    def report(cls, given):
        redaction, cases = Redaction(cls.judge.prefixes), []
        about = map(redaction.text, given[:100])
        errors = [redaction.error(CaseError(text, file=f"{text}.json", line=1, path=(text,))) for text in given[100:150]]
        for number in range(5):
            tally = Tally(cls.judge, Thresholds(), redaction)
            for place in range(150 + 5 * number, len(given), 25):
                tally.add(gatekit.Sample.from_dict(cls.sample(place // 5, given[place : place + 5])))
            known = {"description": next(about), "tags": (redaction.id(next(about)) or "t",), "owner": next(about)}
            cases.append(tally.report(f"{next(about)}{number}", f"{next(about)}.yaml", **known))
        ways = {case.file: f"set/{case.file}" for case in cases}
        return Report(tuple(cases), tuple(errors), (next(about), next(about)), (next(about), next(about)), files=ways)

    @staticmethod
    def sample(place, given):
        """A sample of five texts."""
        first, second, third, fourth, fifth = given
        known = {"sample": f"{place} {first}", "model": second or "m", "prompt_version": third or "p"}
        if place % 4 == 0:
            return {**known, "status": ("error", "transient")[place % 8 // 4], "error": fourth, "note": fifth, "label": "approved"}
        if place % 4 == 1:
            called = [{"name": fifth or "x", "arguments": {fourth: f"the {fifth}"}, "result": fourth}]
            return {**known, "messages": [{"role": "user", "content": fourth or "x"}, {"role": "assistant", "content": "the", "tool_calls": called}]}
        output = f"the\n{fourth}\nthe" if place % 4 == 2 else {"the": fourth, fourth or "k": [fourth]}
        return {**known, "output": output, "note": fifth, "label": "approved"}

    def test_there_are_enough(self):
        self.assertGreater(len(self.planted), 1000)
        met = {status for told in self.reports for status, count in told.counts.items() if count}
        self.assertLessEqual({"check_failed", "error", "transient"}, met)

    def test_every_format(self):
        for form in FORMATS:
            pages = [renderer(form)(told, Style()) for told in self.reports]
            for page in pages:
                self.assertEqual(STEERING.findall(page), [], form)
                getattr(self, f"check_{form}")(page)
            grams = {run[at : at + 8] for run in set(re.findall("[a-z0-9_-]{8,}", "\n".join(pages).lower())) for at in range(len(run) - 7)}
            for planted in self.planted:
                low = planted.lower()
                for at in range(len(low) - 7):
                    if low[at : at + 8] not in "sk-live-":
                        self.assertFalse(low[at : at + 8] in grams, f"{form}: {low[at : at + 8]}")

    def check_text(self, page):
        self.assertEqual(lines_that_act(page), [])

    def check_json(self, page):
        self.assertEqual(lines_that_act(page), [])
        self.assertEqual(SCHEMA.errors(json.loads(page)), [])

    def check_junit(self, page):
        self.assertEqual(lines_that_act(page), [])
        xml.etree.ElementTree.fromstring(page.encode("utf-8"))

    def check_markdown(self, page):
        self.assertEqual(lines_that_act(page), [])
        self.assertLess(len(page.encode("utf-8")), 1024 * 1024)
        reader = elements_of(page)
        self.assertEqual((reader.open, reader.faults), ([], []))
        self.assertEqual(set(reader.met), {(tag, ()) for tag in ("details", "summary", "b", "code", "pre", "wbr")})
        bare = re.sub("&#[0-9]+;", "", page)
        self.assertEqual(re.findall(r"```|~~~|!\[|\]\(|@|#[0-9]|https?:|www\.|GH-[0-9]|\||\$|&", bare), [])
        outside = re.sub("<pre>.*?</pre>|<code>(?:[^<]|<wbr>)*</code>", "", page, flags=re.S)
        self.assertEqual(re.findall("&#(?:64|35|91|60|96|124);|octocat|example", outside), [])
        self.assertEqual(re.findall("&#64;(?!<wbr>)", re.sub("<pre>.*?</pre>", "", page, flags=re.S)), [])
        inside = re.findall("<pre>\n(.*?)\n</pre>", page, flags=re.S)
        self.assertEqual([line for text in inside for line in text.split("\n") if "<" in line], [])
        starts = {re.match("[^A-Za-z<]*", line).group() for line in outside.split("\n")}
        self.assertLessEqual(starts, {"", "## ", "### ", "- ", "**"} | {start for start in starts if re.fullmatch("[0-9]+ ", start)})

    def check_github(self, page):
        lines = page.split("\n")
        self.assertEqual(lines_that_act("\n".join(lines[10:])), [])
        for line in lines[:10]:
            self.assertRegex(line, r"\A::error (file=[^:,]*,line=[0-9]+,)?title=[^:,]*::")
            self.assertEqual(re.findall("%(?!25|0A|0D|3A|2C)", line), [])

    def check_html(self, page):
        reader = elements_of(page)
        self.assertEqual((reader.open, reader.faults), ([], []))
        self.assertEqual([name for _, names in reader.met for name in names if name.startswith("on")], [])
        self.assertLessEqual(set(reader.met), test_html.ELEMENTS)
        self.assertEqual(lines_that_act(page), [])
        self.assertEqual([[tag for tag, _ in reader.met].count(tag) for tag in ("script", "style", "form")], [1, 1, 1])
        self.assertEqual(re.findall("href=\"(?!#[a-z0-9-]+\")", page), [])


class ReadBack(unittest.TestCase):
    """A JSON report that was written by anybody: whatever stands in the place of a value is refused, or shown like a text of a sample."""

    WRONG = ("x\n::error::p\x1b[2J<b>\u202e", -1, {"\x1b": "\n::x::"})

    @classmethod
    def setUpClass(cls):
        whole = json.loads(renderer("json")(report(), Style(False, (1,))))
        cls.places, kinds = {}, set()
        for way in cls.ways(whole):
            kind = tuple("*" if isinstance(step, int) else step for step in way)
            if kind not in kinds and kind[-1:] != ("*",):
                kinds.add(kind)
                cls.places[way] = cls.around(whole, way)

    @classmethod
    def ways(cls, value, way=()):
        yield way
        for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
            yield from cls.ways(item, (*way, key))

    @staticmethod
    def around(whole, way):
        """The report with the one case, and the one sample, that the way goes through."""
        case = [whole["cases"][way[1]]] if way[:1] == ("cases",) and len(way) > 1 else whole["cases"][:1]
        sample = [case[0]["samples"][way[3]]] if way[2:3] == ("samples",) and len(way) > 3 else case[0]["samples"][:1]
        return {**whole, "cases": [{**case[0], "samples": sample}], "errors": whole["errors"][:1] if way[:1] != ("errors",) or len(way) < 2 else [whole["errors"][way[1]]]}

    def test_every_value(self):
        self.assertGreater(len(self.places), 60)
        refused = 0
        with tempfile.TemporaryDirectory() as folder:
            for way, told in self.places.items():
                steps = [0 if place in (1, 3) and way[0] in ("cases", "errors") and isinstance(step, int) and (place == 1 or way[2] == "samples") else step for place, step in enumerate(way)]
                for wrong in self.WRONG:
                    spoilt = json.loads(json.dumps(told))
                    inside = spoilt
                    for step in steps[:-1]:
                        inside = inside[step]
                    if steps:
                        inside[steps[-1]] = wrong
                    write(folder, {"report.json": json.dumps(spoilt if steps else wrong)})
                    with self.subTest(way=way, wrong=wrong):
                        refused += self.is_refused(os.path.join(folder, "report.json"), isinstance(wrong, str))
        self.assertGreater(refused, 150)

    def is_refused(self, path, is_text):
        try:
            back = read_report(path, "report.json")
        except gatekit.GatekitError:
            return True
        for form in ("text", "junit"):
            page = renderer(form)(back, Style(True, (1,)))
            self.assertEqual((STEERING.findall(page), lines_that_act(page)), ([], []))
        xml.etree.ElementTree.fromstring(page.encode("utf-8"))
        if is_text:
            self.assertEqual(elements_of(renderer("html")(back, Style())).faults, [])
        return False


class OnTheCommandLine(unittest.TestCase):
    def test_every_format_to_a_file_and_to_the_output(self):
        with tempfile.TemporaryDirectory() as folder:
            reports = [word for form in FORMATS for word in ("--report", f"{form}={form}.out")]
            write(folder, {"set/case.json": json.dumps({"id": "a", "matchers": [{"type": "contains", "value": "x"}], "samples": ["y"]})})
            for form in FORMATS:
                code, out, err = call("set", "--format", form, *reports, cwd=folder)
                self.assertEqual((code, err), (1, b""))
                with open(os.path.join(folder, f"{form}.out"), "rb") as file:
                    self.assertEqual(file.read(), out)
                self.assertNotIn(b"\r", out)


if __name__ == "__main__":
    for form in FORMATS:
        with open(os.path.join(HERE, f"everything.{ENDINGS[form]}"), "w", encoding="utf-8", newline="") as file:
            file.write(renderer(form)(report(), Style(False, (1, 2))))
