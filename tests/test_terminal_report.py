"""The text report at a terminal: its colours, its width, its quiet form, the progress line; and consoles that show less, or nothing."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import gatekit
from gatekit.reports.catalogue import FORMATS, Style, renderer
from gatekit.reports.painting import RESET, SGR, painted
from gatekit.reports.wrapping import wrapped
from gatekit.text.columns import columns
from gatekit.text.quoting import visible

from .hostile_texts import texts
from .report_of_everything import report
from .running import COMPILED, ROOT, call, run, write
from .terminal import AVAILABLE, Terminal

COLOR = re.compile("\x1b\\[[0-9;]*m")
EXAMPLE = os.path.join("examples", "refund")
CASE = '{"id": "one", "rubric": {"must_include": ["x"]}}'


def text(told, **style):
    return renderer("text")(told, Style(**style))


def letters(words):
    """What is to be read, wherever lines break; a colon may be spelt out."""
    return "".join(COLOR.sub("", words).replace("\\x3a", ":").split())


class Colors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.report = report()

    def test_a_colour_adds_no_word_and_takes_none(self):
        for known in ({}, {"verbose": True}, {"quiet": True}):
            plain, colored = text(self.report, **known), text(self.report, color=True, **known)
            self.assertNotEqual(plain, colored)
            self.assertEqual(COLOR.sub("", colored), plain)

    def test_only_the_codes_of_the_table(self):
        colored = text(self.report, color=True, verbose=True, width=60)
        self.assertLessEqual(set(COLOR.findall(colored)), {RESET, *(f"\x1b[{code}m" for code in SGR.values())})
        self.assertNotIn("\x1b", COLOR.sub("", colored))

    def test_each_line_ends_what_it_begins(self):
        for width in (None, 40, 75):
            for line in text(self.report, color=True, verbose=True, width=width).split("\n"):
                codes = COLOR.findall(line)
                self.assertEqual([code == RESET for code in codes], [False, True] * (len(codes) // 2), line)

    def test_what_is_coloured(self):
        gate = gatekit.Gate(gatekit.Matcher("not_contains", value="bad"), gatekit.Matcher("exact_text", value="a good day"))
        colored = text(gate.judge([{"output": "a bad day", "sample": "\x1b[31mred"}]), color=True, verbose=True)
        for words, role in (("FAIL", "fail"), ("check_failed", "check_failed"), ("[fail]", "fail"), ("[-good-]", "gone"), ("{+bad+}", "new"), (">>bad<<", "hit"), ("FAIL (exit 1)", "fail")):
            self.assertIn(painted(words, role), colored)
        self.assertIn("\\x1b[31mred", colored)

    def test_a_verdict_has_none(self):
        case = self.report.cases[0]
        self.assertNotIn("\x1b", "".join(map(str, (*case.verdicts, self.report))))

    def test_other_formats_have_none(self):
        for form in FORMATS[1:]:
            self.assertEqual(renderer(form)(self.report, Style(color=True, width=40, quiet=True)), renderer(form)(self.report, Style()), form)

    def test_a_mark_is_painted_to_its_end(self):
        self.assertEqual(painted("a [-b-] {+c+} >>d<<", "marks"), f"a \x1b[31m[-b-]{RESET} \x1b[32m{{+c+}}{RESET} \x1b[7m>>d<<{RESET}")
        self.assertEqual((painted("", "fail"), painted("x", "no such role")), ("", "x"))


class Widths(unittest.TestCase):
    def test_columns(self):
        for shown, wide in (("abc", 3), ("", 0), ("\u6f22\u5b57", 4), ("e\u0301", 1), ("\u20ac", 1), ("\uff21", 2), ("\U0001f600", 2), ("\uac00", 2), ("\u0e01\u0e34", 1), ("\u00e9", 1), ("\U00020000", 2)):
            self.assertEqual(columns(shown), wide, ascii(shown))

    def test_where_lines_break(self):
        for line, width, lines in (
            ("one two three", 13, ["one two three"]),
            ("one two three", 12, ["one two", "    three"]),
            ("  one two three", 10, ["  one two", "     three"]),
            ("abcdefghijkl", 10, ["abcdefghij", "    kl"]),
            ("ab cdefghijklmnop", 10, ["ab cdefghi", "    jklmno", "    p"]),
            ("abcdefgh\\x1b[31m", 10, ["abcdefgh", "    \\x1b[3", "    1m"]),
            ("\u6f22\u5b57\u6f22\u5b57\u6f22", 8, ["\u6f22\u5b57\u6f22\u5b57", "    \u6f22"]),
            ("aaaaaaae\u0301 b", 8, ["aaaaaaae\u0301", "    b"]),
            ("a \x1b[31mb c\x1b[0m d", 5, ["a \x1b[31mb c\x1b[0m", "  d"]),
            ("\x1b[31mabc def\x1b[0m", 6, ["\x1b[31mabc\x1b[0m", "   \x1b[31mdef\x1b[0m"]),
        ):
            self.assertEqual(wrapped(line, width), lines)
        self.assertEqual(wrapped("name:   some words", 14, 8), ["name:   some", "       words"])

    def test_nothing_is_lost_and_nothing_sticks_out(self):
        for number, (given, _) in enumerate(texts(1500, 3)):
            line = " " * (number % 7) + painted(visible(given), "hit") + visible(given)
            for width in (40, 53):
                lines = wrapped(line, width)
                self.assertLessEqual(max(columns(COLOR.sub("", one)) for one in lines), width)
                self.assertEqual(letters("".join(lines)), letters(line))
                self.assertEqual([one for one in lines if COLOR.sub("", one).lstrip().startswith("::") or "##[" in COLOR.sub("", one)], [])
                for one in lines:
                    self.assertEqual(len(COLOR.findall(one)) % 2, 0)

    def test_an_escape_is_not_torn(self):
        for width in range(40, 52):
            self.assertEqual([one for one in wrapped("\\u202e\\x1b\\U000e0041" * 20, width) if one.replace("\\u202e", "").replace("\\x1b", "").replace("\\U000e0041", "").strip()], [])

    def test_the_whole_report(self):
        told = text(report(), width=60, color=True, verbose=True)
        self.assertLessEqual(max(columns(COLOR.sub("", line)) for line in told.split("\n")), 60)
        self.assertEqual(letters(told), letters(text(report(), verbose=True)))

    def test_totals_are_set_in_below_their_values(self):
        told = text(gatekit.Gate(gatekit.Matcher("contains", value="x")).judge(["x"] * 20), width=40)
        self.assertIn("\nevidence:       0 of 20: up to 14.0% at\n                95%\n", told)



class Quiet(unittest.TestCase):
    def test_what_is_left(self):
        code, out, err = call(EXAMPLE, "--quiet")
        closing = "A pass means that the declared rules held for these samples. It is no proof that an answer is right.\n"
        self.assertEqual((code, out.decode(), err), (1, f"gate: FAIL (exit 1): 3 of 6 passed\n{closing}", b""))
        self.assertEqual(call(EXAMPLE, "-q")[1], out)

    def test_errors_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"set/one.json": CASE, "set/bad.json": "{", "set/runs.jsonl": '{"case": "one", "sample": "a", "output": "x"}'})
            code, out, _ = call("set", "-q", cwd=folder)
        lines = out.decode().split("\n")
        self.assertEqual(code, 4)
        self.assertRegex(lines[0], r"\Aerror: bad\.json:1:")
        self.assertEqual(lines[1], "gate: ERROR (exit 4, 1 error): 1 of 1 passed")

    def test_a_report_file_is_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "report.txt")
            call(EXAMPLE, "-q", "--color", "always", "--report", f"text={file}")
            with open(file, "rb") as written:
                self.assertEqual(written.read(), call(EXAMPLE)[1])

    def test_what_cannot_be_meant(self):
        for words, says in (
            (("-q", "-v"), "--quiet and --verbose exclude each other"),
            (("-q", "--format", "json"), "--format json prints another"),
            (("-q", "--list"), "--quiet would be passed over"),
            (("--color", "allways"), "did you mean always?"),
        ):
            code, out, err = call(EXAMPLE, *words)
            self.assertEqual((code, out), (4, b""))
            self.assertIn(says, err.decode())
        self.assertEqual(call(EXAMPLE, "-q", "--format", "text")[0], 1)


class AtATerminal(unittest.TestCase):
    """What only a process of its own, or a pseudo-terminal, can show."""

    def test_a_pipe_is_not_coloured_or_wrapped_but_where_asked(self):
        plain = run(EXAMPLE)[1]
        self.assertNotIn(b"\x1b", plain)
        always = run(EXAMPLE, "--color", "always", env={"NO_COLOR": "1"})[1]
        self.assertEqual(COLOR.sub("", always.decode()), plain.decode())
        self.assertNotEqual(always, plain)

    @unittest.skipUnless(AVAILABLE, "no pseudo-terminals here")
    def test_colours_on_a_terminal(self):
        for words, env, colored in (
            ((), {"NO_COLOR": ""}, True),
            ((), {"NO_COLOR": "0"}, False),
            (("--color", "always"), {"NO_COLOR": "1"}, True),
            (("--color", "never"), {"NO_COLOR": ""}, False),
            (("--format", "github"), {"NO_COLOR": ""}, False),
        ):
            with Terminal(EXAMPLE, *words, env=env) as terminal:
                self.assertEqual(terminal.end(), 1)
                self.assertEqual("\x1b" in terminal.seen, colored, words)
                self.assertIn("3 of 6 passed", terminal.seen)

    @unittest.skipUnless(AVAILABLE, "no pseudo-terminals here")
    def test_the_width_of_a_terminal(self):
        for wide, most in ((0, None), (20, 40), (50, 50), (1000, None)):
            with Terminal(EXAMPLE, env={"NO_COLOR": "1"}, columns=wide) as terminal:
                self.assertEqual(terminal.end(), 1)
            plain = call(EXAMPLE)[1].decode()
            if most is None:
                self.assertEqual(terminal.seen, plain)
            else:
                self.assertLessEqual(max(map(len, terminal.seen.split("\n"))), most)
                self.assertEqual("".join(terminal.seen.split()), "".join(plain.split()))

    @unittest.skipUnless(AVAILABLE, "no pseudo-terminals here")
    def test_progress(self):
        lines = "".join(json.dumps({"case": "one", "sample": str(number), "output": "x" if number % 100 else "y"}) + "\n" for number in range(2001))
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"set/one.json": CASE, "set/runs.jsonl": lines})
            for words, wide, shown in (
                (("--format", "json"), 80, ["1,000 samples judged: 990 passed, 10 did not", "2,000 samples judged: 1,980 passed, 20 did not", " " * 46, ""]),
                (("--format", "json"), 0, ["1,000 samples judged: 990 passed, 10 did not", "2,000 samples judged: 1,980 passed, 20 did not", " " * 46, ""]),
                (("--format", "json"), 40, ["1,000 samples judged: 990 passed, 10 di", "2,000 samples judged: 1,980 passed, 20 ", " " * 39, ""]),
                (("-q",), 80, [""]),
            ):
                with Terminal("set", *words, "--color", "never", cwd=folder, columns=wide) as terminal:
                    self.assertEqual(terminal.end(), 1)
                head, _, _ = terminal.seen.partition("gate" if "-q" in words else "{")
                self.assertEqual(head.lstrip("\r").split("\r"), shown, words)

    @unittest.skipUnless(AVAILABLE, "no pseudo-terminals here")
    def test_each_call_of_a_candidate_is_progress(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {f"set/{name}.json": json.dumps({"id": name, "input": "q", "rubric": {"must_include": ["x"]}}) for name in ("one", "two")})
            with Terminal("set", "--candidate", "operator:not_", "--color", "never", cwd=folder, columns=90) as terminal:
                self.assertEqual(terminal.end(), 1)
            self.assertIn("\r2 samples judged: 0 passed, 2 did not", terminal.seen)

    @unittest.skipUnless(AVAILABLE, "no pseudo-terminals here")
    def test_progress_of_a_batch_and_a_workflow(self):
        for words in (("batch", "tests.batch_agents:STEADY"), ("workflow", "tests.test_stopping:FAILING")):
            with Terminal(*words, "-n", "3", "--color", "never", columns=90) as terminal:
                terminal.end()
            self.assertIn("\r3 runs made: ", terminal.seen)
            with Terminal(*words, "-n", "3", "-q", "--color", "never", columns=90) as terminal:
                terminal.end()
            self.assertTrue(terminal.seen.startswith("gate: "), terminal.seen)

    def test_no_progress_on_a_pipe(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"set/one.json": CASE, "set/runs.jsonl": "".join(f'{{"case": "one", "sample": "{number}", "output": "x"}}\n' for number in range(1001))})
            self.assertEqual(call("set", cwd=folder)[::2], (0, b""))

    @unittest.skipUnless(AVAILABLE, "no pseudo-terminals here")
    def test_a_console_that_shows_less(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"set/one.json": '{"id": "caf\\u00e9 \\u6f22", "rubric": {"must_include": ["x"]}, "samples": ["no"]}'})
            for encoding, shown in (("ascii", "caf\\xe9 \\u6f22"), ("cp1252", "caf\u00e9 \\u6f22"), ("latin-1:strict", "caf\u00e9 \\u6f22"), ("utf-8", "caf\u00e9 \u6f22")):
                with Terminal("set", cwd=folder, env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}) as terminal:
                    self.assertEqual(terminal.end(), 1, terminal.seen)
                plain = "utf-8" if encoding == "utf-8" else "latin-1"
                self.assertIn(shown, COLOR.sub("", terminal.read_as(plain)))

    def test_a_pipe_is_utf_8_whatever_the_locale_says(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"set/one.json": '{"id": "caf\\u00e9 \\u6f22", "rubric": {"must_include": ["x"]}, "samples": ["no"]}'})
            for encoding in ("ascii", "cp1252", "latin-1:strict"):
                code, out, err = run("set", "--color", "always", cwd=folder, env={"PYTHONIOENCODING": encoding})
                self.assertEqual((code, err), (1, b""))
                self.assertIn("caf\u00e9 \u6f22", out.decode())

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no full device here")
    def test_a_full_device(self):
        for words in ((EXAMPLE,), (EXAMPLE, "--color", "always"), ("--help",)):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([sys.executable, "-m", "gatekit", *words], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, env={**os.environ, **COMPILED})
            self.assertEqual((done.returncode, done.stderr), (4, b"error: the output cannot be written\n"))
        with open("/dev/full", "wb") as full:
            done = subprocess.run([sys.executable, "-m", "gatekit", "--formatt"], cwd=ROOT, stdout=subprocess.PIPE, stderr=full, env={**os.environ, **COMPILED})
        self.assertEqual((done.returncode, done.stdout), (4, b""))

    @unittest.skipUnless(os.name == "posix", "pipes and signals of POSIX")
    def test_a_pipe_whose_reader_is_gone(self):
        reader, writer = os.pipe()
        os.close(reader)
        try:
            done = subprocess.run([sys.executable, "-m", "gatekit", EXAMPLE], cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, env={**os.environ, **COMPILED})
            self.assertEqual((done.returncode, done.stderr), (4, b""))
            done = subprocess.run([sys.executable, "-m", "gatekit", "--formatt"], cwd=ROOT, stdout=subprocess.PIPE, stderr=writer, env={**os.environ, **COMPILED})
            self.assertEqual((done.returncode, done.stdout), (4, b""))
        finally:
            os.close(writer)


if __name__ == "__main__":
    unittest.main()
