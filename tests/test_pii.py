"""Ready masks and a project's own: what they find and what they leave, how it is numbered, and that nothing of it comes out anywhere."""
import json
import os
import pickle
import random
import tempfile
import time
import unittest

import gatekit
from gatekit import Case, CaseError, Gate, Matcher, Rubric, Sample, Scenario, Workflow, WorkflowStep
from gatekit.data.redaction import Redaction
from gatekit.golden.settings import Settings
from gatekit.packs import pii
from gatekit.packs.pii_shapes import find_personal

from .running import call, write

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "pii")
ALL = tuple((name, None) for name in pii.NAMES)
CARD, IBAN = "4111 1111 1111 1111", "GB29 NWBK 6016 1331 9268 19"


def lines_of(leaf):
    with open(os.path.join(DATA, leaf), encoding="utf-8") as file:
        return [line for line in file.read().split("\n") if line and not line.startswith("# ")]


def marked(text):
    """A text without its marks, and the spans that they are around."""
    pieces, spans, at = text.replace("\u00bb", "\u00ab").split("\u00ab"), [], 0
    for place, piece in enumerate(pieces):
        if place % 2:
            spans.append((at, at + len(piece)))
        at += len(piece)
    return "".join(pieces), spans


def shown_by(gate, output):
    """All that a gate says of an output."""
    report = gate.judge([output])
    return "\n".join((str(gate.check(output)), repr(gate.check(output)), str(report), repr(report)))


GATE = Gate(Rubric(must_include=["zzz"], must_exclude=["late"]), Matcher("exact_text", value="x"), Matcher("not_regex", value="[0-9A-Za-z]{9}"), pii=list(pii.NAMES))


class Shapes(unittest.TestCase):
    def test_what_is_found(self):
        kinds = dict.fromkeys(pii.NAMES, 0)
        for line in lines_of("found.tsv"):
            kind, text, identity = line.split("\t")
            plain, spans = marked(text)
            found = Redaction((), ALL).find(plain)
            self.assertEqual([(start, end, name) for start, end, _, name in found], [(*span, f"<{kind}") for span in spans], text)
            if identity:
                self.assertEqual({known for _, _, known, _ in found}, {identity}, text)
            kinds[kind] += 1
        self.assertTrue(all(count >= 40 for count in kinds.values()), kinds)

    def test_what_stays(self):
        lines = lines_of("kept.txt")
        self.assertGreater(len(lines), 250)
        for line in lines:
            for text in (line, f"It says {line} there.", f'{{"a": "{line}"}}'):
                self.assertEqual([one for one in Redaction((), ALL).find(text) if one[3][0] == "<"], [], text)

    def test_only_what_is_switched_on(self):
        text = f"ann@example.com, {CARD}, {IBAN}, 212-555-0142"
        for name in pii.NAMES:
            self.assertEqual({one.name for one in find_personal(text, (name,))}, {name})

    def test_a_changed_digit_is_no_card_and_no_iban(self):
        for place in range(len(CARD)):
            if CARD[place] != " " and place != 0:
                changed = CARD[:place] + str((int(CARD[place]) + 1) % 10) + CARD[place + 1 :]
                self.assertEqual(find_personal(changed, ("card",)), [], changed)
        for place in range(4, len(IBAN)):
            if IBAN[place].isdigit():
                changed = IBAN[:place] + str((int(IBAN[place]) + 1) % 10) + IBAN[place + 1 :]
                self.assertEqual(find_personal(changed, ("iban",)), [], changed)

    def test_the_countries_of_the_registry_are_known(self):
        examples = {line.split("\t")[2][:2] for line in lines_of("found.tsv") if line.startswith("iban\t")}
        self.assertEqual(set(pii.IBANS) - examples, set("BI DJ FK HN MN NI OM RU SO YE".split()), "those without an example")

    def test_hostile_texts_take_linear_time(self):
        slowest = 0
        for piece in ("1", "@", "a.", "+1", "1 ", "4111 ", "(", "012 ", "a@a.aa ", "GB29 ", "a@a.a", ") (1", "+1 ", "01-", "tel 1", "+44 163 ", '"a', "1-", "=a+", "%40", "\u4e00@"):
            for kind in pii.NAMES:
                began = time.process_time()
                find_personal(piece * (40_000 // len(piece)), (kind,))
                slowest = max(slowest, time.process_time() - began)
        self.assertLess(slowest, 1, "some 50 ms are usual; what is not linear takes minutes")


class Spellings(unittest.TestCase):
    def assert_same(self, kind, *spellings):
        redaction = Redaction((), ALL)
        for spelt in spellings:
            self.assertEqual(redaction.text(f"it is {spelt} there"), f"it is <{kind} 1> there", spelt)

    def test_however_it_is_written(self):
        wide = "".join(chr(ord(one) + 0xFEE0) if one != " " else one for one in CARD)
        self.assert_same("card", CARD, CARD.replace(" ", ""), CARD.replace(" ", "-"), CARD.replace(" ", "\u2011"), CARD.replace(" ", "\u00a0"), wide, CARD[:6] + "\u200b" + CARD[6:], CARD[:7] + "\u00ad" + CARD[7:])
        self.assert_same("iban", IBAN, IBAN.replace(" ", ""), IBAN.lower(), IBAN.replace(" ", "-"), IBAN.replace(" ", "\u202f"), IBAN[:3] + "\u2060" + IBAN[3:])
        self.assert_same("phone", "+44 1632 960001", "+44 (0)1632 960001", "+44-1632-960001", "+44\u20111632\u2011960001", "0044 1632 960001", "\uff0b44 1632 960001", "+44 16\u200b32 960001", "+441632960001")
        self.assert_same(
            "email", "ann@shop.example", "Ann@SHOP.example", "ann&#64;shop.example", "ann&#x40;shop.example", "ann\uff20shop.example", "a\u200bnn@shop.example", "ann%40shop.example", "ann@**shop**.example"
        )

    def test_in_links_and_tags(self):
        redaction = Redaction((), ALL)
        shown = redaction.text('[write](mailto:ann@shop.example), <a href="mailto:ann@shop.example">to</a>, <ann@shop.example>, [call](tel:+1-201-555-0123)')
        self.assertEqual(shown, '[write](mailto:<email 1>), <a href="mailto:<email 1>">to</a>, <<email 1>>, [call](tel:<phone 1>)')

    def test_in_strings_of_json(self):
        for text, shown in (
            ('{"a": "ann\\u0040shop.example"}', '{"a": "<email 1>"}'),
            ('{"a": "Hello\\nann@shop.example\\nBye"}', '{"a": "Hello\\n<email 1>\\nBye"}'),
            ('{"a": "\\u0061nn@shop.example and \\"bob@shop.example\\""}', '{"a": "<email 1> and \\"<email 2>\\""}'),
            ('{"a": "{\\"b\\": \\"x ann\\\\u0040shop.example y\\"}"}', '{"a": "{\\"b\\": \\"x <email 1> y\\"}"}'),
            ('{"a": "see [us](mailto:ann@shop.example)\\n"}', '{"a": "see [us](mailto:<email 1>)\\n"}'),
            ('{"a": "4111\\u00201111 1111 1111 x"}', '{"a": "<card 1> x"}'),
        ):
            self.assertEqual(Redaction((), ALL).text(text), shown)

    def test_a_secret_in_a_string_of_json_is_cut_out_of_it(self):
        key = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
        text = f'{{"a": "line\\nthe key {key} is it"}}'
        self.assertEqual(Redaction().text(text), '{"a": "line\\nthe key [secret 1: github token, 40 characters] is it"}')

    def test_a_projects_own_masks_too(self):
        redaction = Redaction((), (("order", "ORD-[0-9]+"),))
        for spelt in ("ORD-7", "OR\u200bD-7", "ORD\u20117", "OR<b>D</b>-7", "ORD-\uff17", "ORD&#45;7"):
            self.assertEqual(redaction.text(f"it is {spelt}."), "it is <order 1>.", spelt)
        self.assertEqual(redaction.text('{"a": "x\\nORD\\u002d7 y"}'), '{"a": "x\\n<order 1> y"}')
        self.assertEqual(redaction.text("ORD-8"), "<order 2>")


class Overlaps(unittest.TestCase):
    def test_who_names_what(self):
        url = "https://ann:" + "Xk9vQ2mLp7" + "@host.example/x"
        self.assertRegex(Redaction((), ALL).text(f"at {url}"), r"^at https://ann:\[secret 1: password in a url, [0-9]+ characters\]/x$")
        masks = (("customer", "[a-z]+@shop[.]example"), *ALL)
        self.assertEqual(Redaction((), masks).text("ann@shop.example, bob@x.example"), "<customer 1>, <email 1>")
        self.assertEqual(Redaction((), (("part", "ORD-[0-9]+"), ("order", "ORD-[0-9]+-[A-Z]+"))).text("ORD-7-AB ORD-7"), "<order 1> <part 1>")

    def test_all_of_an_overlap_is_hidden(self):
        self.assertEqual(Redaction((), (("left", "AB-[0-9]+"), ("right", "[0-9]+-XYZ9"))).text("AB-123-XYZ9."), "<right 1>.")

    def test_a_mask_within_a_random_token_leaves_nothing_of_it(self):
        token = "q7Zr9Kw2xV4t" + "1234" + "Lm8Np3Bd6Hs5"
        shown = Redaction((), (("number", "[0-9]{4}"),)).text(f"it is {token} there")
        self.assertEqual(shown, "it is [secret 1: key-like token, 28 characters] there")
        self.assertEqual(Redaction((), ALL).text("iban=gi75nwbk000000007099453"), "iban=<iban 1>")

    def test_labels_stay_whole(self):
        masks = (("order", "[a-z]+ [0-9]+"), ("number", "[0-9]+"), ("word", "secret|github|characters"))
        redaction = Redaction((), masks)
        first = redaction.text("the key gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8" + ", item 7")
        self.assertEqual(first, "the key [secret 1: github token, 40 characters], <order 1>")
        self.assertEqual(redaction.text(first), first)
        self.assertEqual(Redaction((), masks).text(first), first)

    def test_a_forged_label_hides_nothing(self):
        for text in ("[secret 1: ann@shop.example, 5 characters]", "<email ann@shop.example>", "<order ORD-1234567>", "<email 4111111111111111>"):
            shown = Redaction((), (("order", "ORD-[0-9]+"), *ALL)).text(text)
            for value in ("ann@", "ORD-", "4111"):
                self.assertNotIn(value, shown)


class Everywhere(unittest.TestCase):
    VALUES = ("ann.berger@shop.example", "+44 1632 960001", "(212) 555-0142", CARD, IBAN)

    def assert_hidden(self, value, shown, about=None):
        low = shown.lower()
        for at in range(len(value) - 7):
            piece = value[at : at + 8].lower()
            self.assertNotIn(piece, low, about)

    def test_in_every_place_of_an_output(self):
        for value in self.VALUES:
            for way in ("late {}", "{} late", '{"a": "late {}"}', '{"{}": "late"}', "x " * 95 + "{} late " * 9, "late [x]({})", "`{}` late", "<think>{} late</think>late", '{"a" {} late'):
                output = way.replace("{}", value)
                for given in (output, {"output": output, "note": f"of {value}", "label": "rejected", "model": f"m {value}", "sample": value}):
                    self.assert_hidden(value, shown_by(GATE, given), (value, way))
        self.assert_hidden("07700900123", shown_by(GATE, {"output": {"phone": "07700900123", "late": ["x 07700900123"]}}))
        self.assert_hidden("4111111111111111", shown_by(GATE, {"output": {"late": 4111111111111111}}))

    def test_at_every_cut(self):
        rng = random.Random(7)
        for value in self.VALUES:
            for _ in range(6):
                text = "late " * rng.randrange(1, 9) + "b " * rng.randrange(70, 310) + value + rng.choice((" c", ".", "\n", ",c")) * rng.randrange(1, 300)
                self.assert_hidden(value, shown_by(GATE, text), text)

    def test_expected_values_calls_and_transcripts(self):
        gate = Gate(Matcher("exact_text", value="ann.berger@shop.example"), Matcher("json_equal", expected={"to": "ann.berger@shop.example"}), pii=["email"])
        self.assertNotIn("ann.b", shown_by(gate, '{"to": "bob@shop.example"}'))
        messages = [
            {"role": "user", "content": "I am ann.berger@shop.example"},
            {"role": "assistant", "content": "late", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "mail", "arguments": '{"phone": "07700900123"}'}}]},
            {"role": "tool", "tool_call_id": "1", "content": '{"to": "ann.berger@shop.example"}'},
            {"role": "assistant", "content": "late 07700900123"},
        ]
        report = GATE.judge([{"messages": messages}])
        self.assertTrue(report.cases[0].verdicts[0].transcript)
        for value in ("ann.berger@shop.example", "07700900123"):
            self.assert_hidden(value, repr(report) + str(report))

    def test_a_domain_by_itself_stays(self):
        shown = shown_by(GATE, "late: ann@longshop.example, see https://www.longshop.example/x or longshop.example.")
        self.assertIn("https://www.longshop.example/x or longshop.example.", shown)
        curtain = Redaction((), ALL).of_text("ann@longshop.example")
        self.assertEqual(curtain.text("gshop.example and ann@long"), "<part of email> and <part of email>")

    def test_the_same_one_has_the_same_number(self):
        report = GATE.judge(["late ann@shop.example", "late bob@shop.example", "late Ann@shop.example"])
        hits = [[finding.where.after for finding in verdict.findings if finding.where and finding.where.hit == "late"][0] for verdict in report.cases[0].verdicts]
        self.assertEqual(hits, [" <email 1>", " <email 2>", " <email 1>"])

    def test_on_the_command_line(self):
        key = "ann.berger@shop.example"
        with tempfile.TemporaryDirectory() as folder:
            write(
                folder,
                {
                    "set/gatekit.yaml": "pii: [email, card]\nmasks: {order: 'ORD-[0-9]+'}\n",
                    "set/one.yaml": f"id: one {key}\ndescription: of {key}\ntags: ['{key}']\nowner: '{key}'\nmatchers: [{{type: not_contains, value: late, name: 'of {key}'}}]\n",
                    "set/runs.jsonl": f'{{"case": "one {key}", "sample": "{key}", "output": "late {key} {CARD} ORD-1234567"}}\n'
                    f'{{"case": "one {key}", "sample": "b", "output": "x", "{key}": 1}}\n{{"case": "{key}", "output": "late"}}\n{{"case": {key}\n',
                },
            )
            for words in (("set",), ("set", "--format", "json"), ("set", "--format", "junit"), ("set", "--format", "markdown"), ("set", "--format", "html"), ("set", "--list"), ("set", "--verbose")):
                _, out, err = call(*words, cwd=folder)
                self.assert_hidden(key, out.decode() + err.decode(), words)
                self.assert_hidden(CARD, out.decode() + err.decode(), words)
                self.assertNotIn("ORD-", out.decode() + err.decode())
            _, out, _ = call("lint", "set", cwd=folder)
            self.assert_hidden(key, out.decode(), "lint")

    def test_what_is_masked_is_one_word_of_a_difference(self):
        key, other = ("gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R" + last for last in "89")
        for expected, actual, shown in (
            ("paid for ORD-7 on Monday", "paid for ORD-8 on Monday", "paid for [-<order 1>-] {+<order 2>+} on Monday"),
            ("to (ann@shop.example).", "to (bob@shop.example).", "to [-(<email 1>).-] {+(<email 2>).+}"),
            ("to ann@shop.example", "to nobody 1", "to [-<email 1>-] {+nobody 1+}"),
            ("\u5bc4ORD-7\u7ed9", "\u5bc4ORD-8\u7ed9", "\u5bc4 [-<order 1>-] {+<order 2>+} \u7ed9"),
            (f"the key {key} it", f"the key {other} it", "the key [-[secret 1: github token, 40 characters]-] {+[secret 2: github token, 40 characters]+} it"),
            ("https://shop.example/" + "orders/" * 8 + "ORD-7", "https://shop.example/" + "orders/" * 8 + "ORD-8", "/ [-<order 1>-] {+<order 2>+}"),
        ):
            verdict = Gate(Matcher("exact_text", value=expected), masks={"order": "ORD-[0-9]"}, pii=["email"]).check(actual)
            self.assertIn(shown, str(verdict))

    def test_where_no_case_was_read_or_chosen(self):
        key = "ann.berger@shop.example"
        with tempfile.TemporaryDirectory() as folder:
            settings = "pii: [email]\n"
            write(
                folder,
                {
                    "broken/gatekit.yaml": settings,
                    "broken/one.yaml": f"id: one\nrubric: {{must_include: [a]}}\n{key}: 1\n",
                    "broken/two.json": f'{{"id": "two", "matchers": [{{"type": "{key}"}}]}}',
                    "broken/runs.jsonl": f'{{"case": "{key}", "sample": "1", "output": "x"}}\n',
                    "chosen/gatekit.yaml": settings,
                    "chosen/one.yaml": f"id: {key}\nrubric: {{must_include: [a]}}\n",
                    "chosen/runs.jsonl": f'{{"case": "bob.berger@shop.example", "sample": "1", "output": "x"}}\n{{"case": "{key}", "sample": "1", "{key}": 1}}\n',
                },
            )
            for words in (("broken",), ("broken/one.yaml",), ("lint", "broken"), ("chosen", "--id", "x.berger@shop.example"), ("chosen", "--tag", "bob")):
                code, out, err = call(*words, cwd=folder)
                self.assertEqual(code, 4)
                self.assertNotIn("berger", out.decode() + err.decode(), words)
                self.assertIn("<email 1>", out.decode(), words)
            for read in (lambda path: list(gatekit.load(path)), gatekit.verdicts, lambda path: Case.from_file(path + "/one.yaml")):
                with self.assertRaises(gatekit.GatekitError) as caught:
                    read(os.path.join(folder, "broken"))
                self.assertNotIn("berger", str(caught.exception))
            self.assertNotIn("berger", repr(Case.from_file(os.path.join(folder, "chosen", "one.yaml"))))


class Surfaces(unittest.TestCase):
    def test_what_cannot_be_meant(self):
        for given, path, words in (
            ({"pii": []}, ("pii",), "leave it out"),
            ({"pii": "email"}, ("pii",), "is a list"),
            ({"pii": {"email": True}}, ("pii",), "is a list"),
            ({"pii": ["emial"]}, ("pii", 0), "did you mean email?"),
            ({"pii": ["email", "passport"]}, ("pii", 1), "there are email, phone, card, iban"),
            ({"pii": ["email", "email"]}, ("pii", 1), "twice"),
            ({"pii": [1]}, ("pii", 0), "text"),
            ({"masks": {}}, ("masks",), "leave it out"),
            ({"masks": {"order": ""}}, ("masks", "order"), "empty"),
            ({"masks": {"order": ".{60,}"}}, ("masks", "order"), "little would be left"),
            ({"masks": {"1": "x-[0-9]+"}}, ("masks", "1"), "a word"),
        ):
            for make in (
                Settings,
                lambda settings: Gate(Rubric(must_include=["x"]), **settings),
                lambda settings: Case.from_dict({"id": "a", "rubric": {"must_include": ["x"]}}, **settings),
                lambda settings: Scenario("a", len, inputs="x", checks=[Rubric(must_include=["x"])], **settings),
                lambda settings: Workflow("w", [WorkflowStep("a", len, checks=[Rubric(must_include=["x"])])], **settings),
            ):
                with self.assertRaises(CaseError) as caught:
                    make(given)
                self.assertEqual(caught.exception.path, path)
                self.assertIn(words, caught.exception.message)

    def test_nothing_in_a_file_is_no_mask(self):
        """In Python None stands for what is not given; in a file somebody wrote it."""
        for name in ("pii", "masks"):
            with self.assertRaises(CaseError) as caught:
                Settings({name: None})
            self.assertEqual(caught.exception.path, (name,))
            self.assertIn("is null: leave it out", caught.exception.message)

    def test_in_python(self):
        settings = {"masks": {"order": "ORD-[0-9]+"}, "pii": ["email"]}
        checks = [Rubric(must_include=["zzz"]), Matcher("exact_text", value="x")]
        gate, other = Gate(*checks, **settings), Gate(*checks, pii=["email"])
        case = Case.from_dict({"id": "a", "matchers": [{"type": "exact_text", "value": "x"}]}, **settings)
        step = Scenario("a", len, inputs="x", checks=checks, **settings)
        flow = Workflow("w", [WorkflowStep("a", len, checks=checks)], inputs={"a_input": 1}, **settings)
        self.assertNotEqual(gate, other)
        self.assertNotEqual(step, step.changed(pii=None))
        self.assertEqual(flow.scenario("a", {"x": 1}, {}).judging.masks, (("order", "ORD-[0-9]+"), ("email", None)))
        for made in (gate, step, flow):
            again = pickle.loads(pickle.dumps(made))
            self.assertEqual(again, made)
        said = "ORD-7 of ann@shop.example"
        shown = [str(gate.check(said)), str(pickle.loads(pickle.dumps(gate)).check(said)), str(case.check(said)), str(pickle.loads(pickle.dumps(case)).check(said)), str(step.judge([said]))]
        for text in shown:
            self.assertIn("<order 1> of <email 1>", text)
        passed = Gate(Matcher("contains", value="ok"), pii=["email"]).check(Sample("ok", sample="ann@shop.example", note="of ann@shop.example"))
        self.assertTrue(passed.passed)
        self.assertNotIn("ann@", str(passed) + repr(passed))

    def test_a_workflow_hides_in_all_it_shows(self):
        flow = Workflow("w", [WorkflowStep("a", lambda step: "ann@shop.example", checks=[Matcher("exact_text", value="x")], approval=True)], inputs={"who": "ann@shop.example"}, pii=["email"])
        run = gatekit.WorkflowRun(flow, run="ann@shop.example", operator="bob@shop.example")
        run.advance()
        run.reject("ann@shop.example is wrong")
        run.advance()
        self.assertNotIn("@shop", str(run.verdict) + repr(run.verdict))
        self.assertIn("<email 1>", str(run.verdict))

    def test_a_recording_keeps_what_was_said_and_a_report_on_it_hides_it(self):
        agent = (
            "from gatekit import Scenario\n"
            "def ask(**request):\n    return {'choices': [{'message': {'role': 'assistant', 'content': 'late: ann.berger@shop.example'}}]}\n"
            "def make(client, tools):\n    return lambda said: client(model='m', messages=[{'role': 'user', 'content': said}])['choices'][0]['message']['content']\n"
            "def other(client, tools):\n    return lambda said: client(model='m', messages=[{'role': 'user', 'content': said + ' (bob.berger@shop.example)'}])['choices'][0]['message']['content']\n"
            "made = Scenario('made', make, ['I am ann.berger@shop.example'], client=ask, invariants=[{'type': 'absence', 'event': {'assistant': 'late: .*'}}], pii=['email'])\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"told.py": agent})
            self.assertEqual(call("record", "told:made", "a.recording.json", cwd=folder)[0], 0)
            with open(os.path.join(folder, "a.recording.json"), encoding="utf-8") as file:
                self.assertIn("ann.berger@shop.example", json.dumps(json.load(file)))
            for words, code in ((("regress", "a.recording.json"), 1), (("regress", "a.recording.json", "--candidate", "told:other"), 3), (("replay", "a.recording.json"), 0)):
                ended, out, err = call(*words, cwd=folder)
                self.assertEqual(ended, code, out + err)
                self.assertNotIn("berger", out.decode() + err.decode())


if __name__ == "__main__":
    unittest.main()
