"""The command line: what is asked, what is printed, the exit code; bad input of every kind, told with file, line and the mend."""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from importlib import import_module
from unittest import mock

from gatekit.cli.main import COMMANDS
from gatekit.golden import suite

from .running import COMPILED, ROOT, call, run, write

CASE = '{"id": "one", "tags": ["smoke"], "input": "q", "rubric": {"must_include": ["x"]}}'
OTHER = '{"id": "two", "rubric": {"must_include": ["y"]}}'
GOOD = '{"case": "one", "sample": "a", "output": "an x"}\n'
BAD = '{"case": "one", "sample": "b", "output": "nothing"}\n'
# Built here, so that no key stands whole in a file.
KEY = "gh" + "p_" + "Ab3Cd5Ef7Gh9Ij1Kl3Mn5Op7Qr9St1Uv3Wx5"


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def judge(self, files, *words, stdin=b"", name="set"):
        write(self.folder.name, {f"{name}/{file}": content for file, content in files.items()})
        # A user's own module is imported by its name: that wants a process of its own.
        start = run if {"--candidate", "--plugin"} & set(words) else call
        code, out, err = start(*(words or ("set",)), cwd=self.folder.name, stdin=stdin)
        self.assertNotIn(b"Traceback", out + err)
        return code, out.decode(), err.decode()

    def report(self, files, *words, stdin=b""):
        code, out, err = self.judge(files, "set", "--format", "json", *words, stdin=stdin)
        self.assertEqual(err, "")
        report = json.loads(out)
        self.assertEqual(report["exit_code"], code)
        return report

    def errors(self, files, *words):
        report = self.report(files, *words)
        self.assertEqual(report["outcome"], "error")
        return [(error["file"], error["line"], error["message"]) for error in report["errors"]]

    # What it is for

    def test_a_misspelt_command_is_no_path(self):
        code, out, err = call("regres", "x.recording.json")
        self.assertEqual((code, out), (4, b""))
        self.assertIn(b"did you mean regress?", err)

    def test_pass(self):
        self.assertEqual(self.judge({"one.json": CASE, "runs.jsonl": GOOD})[0], 0)

    def test_fail(self):
        report = self.report({"one.json": CASE, "runs.jsonl": GOOD + BAD})
        self.assertEqual(report["exit_code"], 1)
        self.assertEqual((report["counts"]["passed"], report["counts"]["check_failed"]), (1, 1))
        [sample] = [sample for sample in report["cases"][0]["samples"] if sample["sample"] == "b"]
        self.assertEqual(sample["findings"][0]["reason"], "missing required: 'x'")

    def test_samples_in_the_case(self):
        report = self.report({"one.json": CASE[:-1] + ', "samples": ["an x", {"sample": "b", "output": "y"}]}'})
        self.assertEqual({sample["sample"]: sample["status"] for sample in report["cases"][0]["samples"]}, {"1": "passed", "b": "check_failed"})

    def test_failure_rate(self):
        case = CASE[:-1] + ', "gate": {"max_failure_rate": "50%"}}'
        self.assertEqual(self.report({"one.json": case, "runs.jsonl": GOOD + BAD})["exit_code"], 0)

    def test_a_veto_no_rate_allows(self):
        case = '{"id": "one", "rubric": {"packs": ["secrets"]}, "gate": {"max_failure_rate": "50%"}}'
        leak = json.dumps({"case": "one", "sample": "b", "output": "the key is " + KEY}) + "\n"
        report = self.report({"one.json": case, "runs.jsonl": GOOD + leak})
        self.assertEqual(report["exit_code"], 1)

    def test_transients_do_not_count(self):
        quiet = "".join(json.dumps({"case": "one", "sample": f"t{n}", "status": "transient", "error": "429"}) + "\n" for n in range(2))
        self.assertEqual(self.report({"one.json": CASE, "runs.jsonl": GOOD + quiet})["exit_code"], 2)
        many = "".join(json.dumps({"case": "one", "sample": f"g{n}", "output": "x"}) + "\n" for n in range(8))
        self.assertEqual(self.report({"one.json": CASE, "runs.jsonl": many + quiet})["exit_code"], 0)

    def test_filters(self):
        files = {"one.json": CASE, "two.json": OTHER, "runs.jsonl": GOOD}
        self.assertEqual(self.report(files)["exit_code"], 2, "the case without samples was not judged")
        self.assertEqual(self.report(files, "--id", "one")["exit_code"], 0)
        self.assertEqual(self.report(files, "--tag", "smoke")["exit_code"], 0)
        self.assertEqual(self.report(files, "--level", "2", "--id", "two")["exit_code"], 2)
        self.assertEqual(self.report(files, "--level", "3")["exit_code"], 2)

    def test_a_misspelt_filter_is_no_pass(self):
        code, out, err = self.judge({"one.json": CASE, "runs.jsonl": GOOD}, "set", "--id", "onne")
        self.assertEqual(code, 4)
        self.assertIn("did you mean 'one'", out)

    def test_list(self):
        code, out, _ = self.judge({"one.json": CASE, "two.json": OTHER}, "set", "--list")
        self.assertEqual(code, 0)
        self.assertEqual(out, "one  level 2 [smoke]  one.json\ntwo  level 2  two.json\n2 cases\n")

    def test_samples_from_a_pipe(self):
        report = self.report({"one.json": CASE, "runs.jsonl": BAD}, "--samples", "-", stdin=GOOD.encode())
        self.assertEqual((report["exit_code"], report["counts"]["samples"]), (0, 1))

    def test_one_raw_answer(self):
        self.assertEqual(self.report({"one.json": CASE, "answer.txt": "an x"}, "--case", "one", "--output", "set/answer.txt")["exit_code"], 0)
        self.assertEqual(self.report({"one.json": CASE}, "--case", "one", "--output", "-", stdin=b"a y")["exit_code"], 1)
        self.assertEqual(self.report({"one.json": CASE}, "--case", "one", "--output", "-", stdin=b"")["counts"]["error"], 1)

    def test_candidate(self):
        agent = (
            "def good(given):\n    print('noise')\n    return 'an x for ' + given\n"
            "def crashes(given):\n    raise KeyError('gone')\n"
            "async def later(given):\n    return {'output': 'an x', 'model': 'm-1'}\n"
            "def leaves(given):\n    raise SystemExit(0)\n"
            "def odd(given):\n    return object()\n"
        )
        files = {"one.json": CASE, "../agent.py": agent}
        self.assertEqual(self.report_quietly(files, "--candidate", "agent:good")["exit_code"], 0)
        crashed = self.report(files, "--candidate", "agent:crashes")
        self.assertEqual((crashed["exit_code"], crashed["counts"]["error"]), (1, 1))
        self.assertEqual(crashed["cases"][0]["samples"][0]["findings"][0]["reason"], "KeyError: 'gone'")
        self.assertEqual(self.report(files, "--candidate", "agent:leaves")["counts"]["error"], 1)
        self.assertEqual(self.report(files, "--candidate", "agent:later")["exit_code"], 0)
        self.assertEqual(self.report(files, "--candidate", "agent:odd")["exit_code"], 4)

    def report_quietly(self, files, *words):
        code, out, err = self.judge(files, "set", "--format", "json", *words)
        self.assertEqual(err, "noise\n")
        return json.loads(out)

    def test_plugin(self):
        plugin = "import gatekit\n@gatekit.matcher('loud', tier=2)\ndef loud(sample, *, mark='!'):\n    return mark in sample.output, 'not loud'\n"
        case = '{"id": "one", "matchers": [{"type": "loud"}]}'
        report = self.report({"one.json": case, "runs.jsonl": GOOD, "../plug.py": plugin}, "--plugin", "plug")
        self.assertEqual(report["cases"][0]["samples"][0]["findings"][0]["reason"], "not loud")

    def test_a_matcher_that_crashes(self):
        plugin = "import gatekit\n@gatekit.matcher('broken', tier=2)\ndef broken(sample):\n    return 1 / 0\n"
        case = '{"id": "one", "matchers": [{"type": "broken"}]}'
        report = self.report({"one.json": case, "two.json": OTHER, "runs.jsonl": GOOD + '{"case": "two", "sample": "a", "output": "y"}', "../plug.py": plugin}, "--plugin", "plug")
        self.assertEqual(report["exit_code"], 4)
        self.assertIn("crashed: ZeroDivisionError", report["errors"][0]["message"])
        self.assertEqual(report["cases"][1]["outcome"], "pass", "the other case is still judged")

    def test_reports_beside_the_printed_one(self):
        code, out, _ = self.judge({"one.json": CASE, "runs.jsonl": GOOD}, "set", "--report", "json=out.json", "--report", "text=out.txt")
        self.assertEqual(code, 0)
        with open(os.path.join(self.folder.name, "out.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["outcome"], "pass")
        with open(os.path.join(self.folder.name, "out.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), out)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["out.json", "out.txt", "set"])

    def test_a_report_that_cannot_be_written(self):
        report = self.report({"one.json": CASE, "runs.jsonl": GOOD}, "--report", "json=no/such/folder/x.json")
        self.assertEqual(report["exit_code"], 4)
        self.assertEqual(report["errors"][0]["message"], "the file cannot be written: its folder is not there")
        self.assertEqual(report["cases"][0]["outcome"], "pass", "the verdict is told all the same")

    def test_a_report_below_the_folder_is_no_case(self):
        _, out, _ = self.judge({"one.json": CASE, "runs.jsonl": GOOD}, "set", "--format", "json")
        self.assertEqual(self.report({"old-report.json": out})["exit_code"], 0)

    def test_one_raw_answer_is_no_batch(self):
        case = CASE[:-1] + ', "gate": {"min_judged": 20}}'
        self.assertEqual(self.report({"one.json": case, "answer.txt": "an x"}, "--case", "one", "--output", "set/answer.txt")["exit_code"], 0)
        self.assertEqual(self.report({"one.json": case, "answer.txt": "a y"}, "--case", "one", "--output", "set/answer.txt")["exit_code"], 1)

    def test_the_library_reports_the_same(self):
        import gatekit

        self.judge({"one.json": CASE, "runs.jsonl": GOOD + BAD})
        report = gatekit.judge(os.path.join(self.folder.name, "set"))
        self.assertEqual((report.exit_code, report.counts["passed"], report.counts["check_failed"]), (1, 1, 1))
        [case] = gatekit.load(os.path.join(self.folder.name, "set"))
        self.assertEqual(case.judge(["an x", "y"]).counts["check_failed"], 1)

    def test_several_paths(self):
        write(self.folder.name, {"a/one.json": CASE, "b/two.json": OTHER, "b/runs.jsonl": GOOD + '{"case": "two", "sample": "a", "output": "y"}'})
        code, out, _ = call("a", "b", "--format", "json", cwd=self.folder.name)
        self.assertEqual(code, 0)
        self.assertEqual([case["file"] for case in json.loads(out)["cases"]], ["a/one.json", "b/two.json"])

    def test_verbose_shows_what_held(self):
        _, out, _ = self.judge({"one.json": CASE, "runs.jsonl": GOOD}, "set", "--verbose")
        self.assertIn("[pass] must_include[0]: found 'x'", out)
        self.assertIn("an >>x<<", out)

    def test_explain_every_type(self):
        from gatekit.matchers.catalogue import all_types

        everything = call("--explain", "all")[1].decode()
        for row in all_types():
            name = row.name
            code, out, _ = call("--explain", name)
            self.assertEqual(code, 0)
            self.assertTrue(out.decode().startswith(name + " ("))
            for field in row.known.values():
                self.assertIn(field.about, out.decode())
            self.assertEqual(name in everything, not row.in_rubrics, name)

    def test_help_and_version(self):
        whole = call("--help")
        self.assertEqual((whole[0], whole[2]), (0, b""))
        for words in (("-h",), ("check", "--help"), ("check", "-h"), ("help",), ("help", "check"), ("help", "help"), ("set", "--help")):
            self.assertEqual(call(*words), whole, words)
        told = whole[1].decode()
        for command in COMMANDS:
            self.assertEqual(len(re.findall(f"^  {command} .*[a-z]", told, re.M)), 1, command)
        self.assertEqual(run("--version")[1].decode(), "gatekit 0.1.0\n")

    def test_the_help_of_each_command(self):
        for command, home in COMMANDS.items():
            code, out, err = call(command, "--help")
            told = out.decode()
            self.assertEqual((code, err), (0, b""), command)
            self.assertEqual((call("help", command)[1], call(command, "-h")[1]), (out, out), command)
            self.assertTrue(told.startswith(f"usage: python -m gatekit {command if command != 'check' else '[check]'} "), command)
            self.assertLessEqual(max(map(len, told.split("\n"))), 100, command)
            self.assertIn("exit codes:", told, command)
            known = import_module(f"gatekit.cli.{home}").OPTIONS
            for option in known[command] if isinstance(known, dict) else known:
                self.assertRegex(told, rf"(?m)^  (-[a-z], )?{option.flag}( {re.escape(option.value)})?(  +|\n {{31}})[a-z]" if option.value else rf"(?m)^  (-[a-z], )?{option.flag}  +[a-z]", command)

    def test_help_for_what_is_no_command(self):
        for words, says in ((("help", "bacth"), "did you mean batch?"), (("help", "set"), "there is no command 'set': there are check, lint,"), (("help", "--color"), "there is no command '--color': there are"), (("help", "batch", "merge"), "name one command"), (("hlep",), "did you mean help?")):
            code, out, err = call(*words)
            self.assertEqual((code, out), (4, b""))
            self.assertIn(says, err.decode())

    def test_help_of_help(self):
        for words in (("help",), ("help", "help"), ("help", "--help"), ("help", "-h")):
            self.assertEqual(call(*words), call("--help"))

    def test_short_forms(self):
        self.assertEqual(self.judge({"one.json": CASE, "runs.jsonl": GOOD}, "set", "-v"), self.judge({}, "set", "--verbose"))
        self.assertIn("there is no option '-x'", self.judge({}, "set", "-x")[2])

    def test_a_deprecated_case_does_not_gate(self):
        case = CASE[:-1] + ', "deprecated": true}'
        report = self.report({"one.json": case, "runs.jsonl": BAD})
        self.assertEqual((report["exit_code"], report["counts"]["deprecated"], report["counts"]["check_failed"]), (2, 1, 0))

    # Bad usage

    def test_bad_usage(self):
        for words, says in (
            ((), "name a folder"),
            (("set", "--formatt", "json"), "did you mean --format"),
            (("set", "--format", "jsn"), "did you mean json"),
            (("set", "--format"), "needs a value"),
            (("set", "--list=yes"), "takes no value"),
            (("set", "--format", "json", "--format", "text"), "given twice"),
            (("set", "--report", "json"), "FORMAT=FILE"),
            (("set", "--report", "jso=x"), "did you mean json"),
            (("set", "--level", "two"), "one of 1, 2, 3, 4, 5"),
            (("set", "--case", "one"), "go together"),
            (("set", "--list", "--samples", "-"), "judges nothing"),
            (("set", "--list", "--format", "json", "--shard", "1/2"), "so --shard, --format would be passed over"),
            (("set", "--report", "json=set/one.json"), "would overwrite"),
            (("set", "--report", "json=x", "--report", "text=./x"), "two reports"),
            (("set", "--case", "onne", "--output", "-"), "did you mean 'one'"),
            (("set", "--samples", "-", "--candidate", "a:b"), "exclude each other"),
            (("set", "--candidate", "nowhere:f"), "cannot be imported"),
            (("set", "--candidate", "json"), "MODULE:FUNCTION"),
            (("set", "--candidate", "json:nothing"), "no function"),
            (("set", "--plugin", "nowhere"), "cannot be imported"),
            (("--explain", "contians"), "did you mean 'contains'"),
        ):
            with self.subTest(words=words):
                code, out, err = self.judge({"one.json": CASE, "runs.jsonl": GOOD}, *words) if words else (*call()[:1], "", call()[2].decode())
                self.assertEqual(code, 4)
                self.assertIn(says, err)
                self.assertEqual(err.count("\n"), 1)

    # Nothing judged, or files that cannot be read

    def test_a_missing_folder(self):
        self.assertEqual(self.errors({"one.json": CASE, "runs.jsonl": GOOD}, "gone"), [("gone", None, "there is no such file or folder: name a folder of cases, or a case file")])

    def test_no_case(self):
        for files, says in (({"set/readme.txt": "x"}, True), ({"set/case.yaml.bak": CASE}, True), ({"set/.hidden.json": CASE}, True), ({"set/runs.jsonl": ""}, False)):
            with tempfile.TemporaryDirectory() as folder:
                write(folder, files)
                code, out, err = call("set", cwd=folder)
            told = b'note: there is no case below set: looked for *.yaml, *.yml and *.json files with an "id" and rules, and for *.jsonl files with a "case" in each line;'
            self.assertEqual((code, told in err, b"no case was found" in out), (2, says, True))

    def test_samples_without_their_case(self):
        self.assertEqual(self.errors({"s.jsonl": GOOD.splitlines()[0]}), [("s.jsonl", 1, "there is no case 'one': no case was given; name the folder or file of its case too, as a PATH beside this one")])

    def test_a_torn_line_behind_a_value_that_is_spread_is_told_too(self):
        lines = '{\n "case": "one",\n "output": "x"\n}\n{"case": "one", "sample": "y"\n' + GOOD + "nonsense\n"
        first = len(lines.splitlines())
        self.assertEqual([line for _, line, _ in self.errors({"one.json": CASE, "runs.jsonl": lines})], [1, 5, first])

    def test_no_samples(self):
        self.assertEqual(self.report({"one.json": CASE})["exit_code"], 2)

    def test_bad_cases(self):
        for content, line, says in (
            ('{"id": "bad"}', 1, "no rules"),
            ('{"id": "bad",\n "rubrik": {}}', 2, "did you mean 'rubric'"),
            ('{"id": "bad",\n "level": 3,\n "rubric": {"must_include": ["x"]}}', 2, "level"),
            ('{"id": "bad",\n "rubric": {\n  "must_include": ["x",\n   "\u200b"]}}', 4, "empty"),
            ('{"id": "bad",\n "matchers": [{"type": "regex",\n  "value": "a++"}]}', 3, "3.11"),
            ('{"id": "bad",\n "matchers": [{"type": "regex",\n  "value": "(a"}]}', 3, ""),
            ('{"id": "bad",\n "rubric": {"must_include": [1.10]}}', 2, "in quotes"),
            ('{"id": "bad",\n "rubric": {"must_include": ["x"]},\n}', 2, "comma"),
            ('{"id": "bad", "id": "worse"}', 1, "id"),
            ('["a", "list"]', 1, "a mapping is wanted"),
            ('[{"case": "one", "sample": "z", "output": "x"}]', 1, "a mapping is wanted: samples are lines of a *.jsonl file, one JSON value on each line"),
            ('{"case": "one", "sample": "z", "output": "x"}', 1, "this is a sample and no case: samples are lines of a *.jsonl file"),
            ('{"name": "p", "version": "1", "private": true, "scripts": {}, "description": ""}', 1, "'name', 'version', 'private' and 1 more keys that no case has"),
            ('{"plugins": []}', 1, "no rules, but 'plugins', which no case has; if it is none, move it out of the set, begin the name of its folder with a dot, or list the cases in a gatekit.yaml"),
            ('{"matcher": [], "ident": "x"}', 1, "did you mean 'matchers'"),
            (b'{"id": "bad\xff"}', 1, "UTF-8"),
            ('{"rubric": {"must_include": ["y"]},\n "id": "one"}', 2, "the id of this case is taken: a.json:1 has it too"),
            ("", 1, ""),
            ("[" * 200000, 1, ""),
        ):
            with self.subTest(content=content[:60]):
                report = self.report({"a.json": CASE, "b.json": content, "runs.jsonl": GOOD})
                [error] = report["errors"]
                self.assertEqual((error["file"], error["line"]), ("b.json", line))
                self.assertIn(says, error["message"])
                self.assertEqual((report["exit_code"], report["cases"][0]["outcome"]), (4, "pass"), "the other case is still judged")

    def test_bad_samples(self):
        for content, says in (
            ('{"case": "one", "sample": "z", "output": "x"', ""),
            ('{"case": "one", "sample": "z", "output": NaN}', "NaN"),
            ('{"case": "one", "sample": "z", "outptu": "x"}', "did you mean 'output'"),
            ('{"case": "one", "sample": "z", "text": "x"}', "a sample has no field 'text': did you mean 'output'?"),
            ('{"case": "one", "id": "z", "output": "x"}', "a sample has no field 'id': did you mean 'sample'?"),
            ('{"case": "one", "sample": "z", "output": "x", "prompt": "p"}', "a sample has no field 'prompt': what the agent was given is the \"input\" of its case"),
            ('{"case": "one", "sample": "z", "output": "x", "colour": "p"}', "a sample has no field 'colour': it has case, sample, output,"),
            ('{"case": "one", "sample": "z"}', "needs \"output\""),
            ('{"case": "one", "sample": 1, "output": "x"}', "must be text"),
            ('{"case": "one", "output": "x"}', "no id"),
            ('{"sample": "z", "output": "x"}', "names no case"),
            ('{"case": "onne", "sample": "z", "output": "x"}', "did you mean 'one'"),
            ('{"case": "one", "sample": "a", "output": "x"}', "twice"),
            ('{"case": "one", "sample": "z", "output": "x", "status": "transeint"}', "did you mean transient"),
            ('"text"', "a JSON object"),
            ('[{"case": "one", "sample": "z", "output": "x"}]', "not an array: the file has one JSON value on each line"),
            ('{\n  "case": "one",\n  "sample": "z",\n  "output": "x"\n}', "one JSON value on each line"),
            ('[\n{"case": "one", "sample": "y", "output": "x"},\n{"case": "one", "sample": "z", "output": "x"},\n]', "one JSON value on each line"),
            ('{"case": "one",', "the text ends inside the object"),
            (b'{"case": "one", "sample": "z", "output": "\xff"}', "UTF-8"),
        ):
            with self.subTest(content=content):
                lines = GOOD.encode() + b"\n" + (content if isinstance(content, bytes) else content.encode()) + b"\n" + BAD.encode()
                report = self.report({"one.json": CASE, "runs.jsonl": lines})
                [error] = report["errors"]
                self.assertEqual((error["file"], error["line"]), ("runs.jsonl", 3))
                self.assertIn(says, error["message"])
                self.assertEqual((report["exit_code"], report["counts"]["samples"]), (4, 2), "the other samples are still judged")

    def test_samples_of_a_broken_case_are_no_strangers(self):
        for broken in ('{"id": "two",\n "rubrik": {}}', '{"input": {"id": "an order"}, "id": "two", "rubrik": {}}'):
            report = self.report({"a.json": CASE, "b.json": broken, "runs.jsonl": GOOD + '{"case": "two", "sample": "a", "output": "y"}'})
            self.assertEqual(len(report["errors"]), 1, broken)

    def test_many_bad_lines_are_counted(self):
        report = self.report({"one.json": CASE, "runs.jsonl": GOOD + "x\n" * 5000})
        self.assertEqual(len(report["errors"]), 101)
        self.assertEqual(report["errors"][-1]["message"], "and 4900 more errors in this file")

    def test_the_meant_case_is_sought_once_for_each_id_and_for_few_ids(self):
        asked, nearest = [], suite.nearest
        strangers = "".join(f'{{"case": "{name}", "sample": "{number}", "output": "y"}}\n' for number in range(300) for name in ("oen", f"other {number}"))
        with mock.patch.object(suite, "nearest", lambda word, known: asked.append(word) or nearest(word, known)):
            report = self.report({"one.json": CASE, "runs.jsonl": GOOD + strangers})
        self.assertEqual((len(asked), asked.count("oen"), len(report["errors"])), (100, 1, 101))
        self.assertIn("did you mean 'one'?", report["errors"][0]["message"])

    def test_a_byte_order_mark_and_windows_line_ends(self):
        lines = b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode()
        self.assertEqual(self.report({"one.json": b"\xef\xbb\xbf" + CASE.encode(), "runs.jsonl": lines})["exit_code"], 0)

    def test_separators_of_unicode_end_no_line(self):
        self.assertEqual(self.report({"one.json": CASE, "runs.jsonl": '{"case": "one", "sample": "a", "output": "x \u2028 y \u0085"}'})["exit_code"], 0)

    def test_hidden_names_are_passed_over(self):
        self.assertEqual(self.report({"one.json": CASE, "runs.jsonl": GOOD, ".draft.json": "{", ".git/x.json": "{"})["exit_code"], 0)

    def test_a_folder_named_like_a_case(self):
        report = self.report({"x.json/one.json": CASE, "x.json/runs.jsonl": GOOD})
        self.assertEqual([error["file"] for error in report["errors"]], ["x.json"])
        self.assertEqual(report["counts"]["passed"], 1, "what is in it is judged all the same")

    SHARED = (
        '{"rubric": {"must_exclude": ["banned"]}, "templates": {"offer": {"matchers": [{"type": "contains", "value": "price"}]}},'
        ' "gate": {"max_failure_rate": "50%"}, "transient": ["rate limit"]}'
    )

    def test_cases_in_yaml(self):
        case = "id: one\ntags: [smoke]\nrubric:\n  must_include:\n    - x\n    - [z, 'no']\n"
        report = self.report({"one.yaml": case, "runs.jsonl": GOOD.replace("an x", "x, no")})
        self.assertEqual((report["exit_code"], report["cases"][0]["file"]), (0, "one.yaml"))

    def test_bad_cases_in_yaml(self):
        for content, line, column, says in (
            ("id: bad\nrubrik:\n  must_include: [x]\n", 2, 1, "did you mean 'rubric'"),
            ("id: bad\nrubric:\n  must_include:\n    - x\n    - 1.10\n", 5, 7, "in quotes"),
            ("id: bad\nrubric:\n  must_include:\n    - no\n", 4, 7, "quotes"),
            ("id: bad\ncreated_at: 2026-01-01\n", 2, 13, "quotes"),
            ("id: bad\nmatchers:\n\t- {type: contains, value: x}\n", 3, 1, "tab"),
            ("id: bad\nmatchers: [{type: contains, valeu: x}]\n", 2, 29, "did you mean 'value'"),
            ("- a\n- b\n", 1, 1, "a mapping is wanted"),
        ):
            with self.subTest(content=content):
                report = self.report({"a.json": CASE, "b.yml": content, "runs.jsonl": GOOD + '{"case": "bad", "sample": "a", "output": "x"}'})
                [error] = report["errors"]
                self.assertEqual((error["file"], error["line"], error["column"]), ("b.yml", line, column), error["message"])
                self.assertIn(says, error["message"])
                self.assertEqual(report["cases"][0]["outcome"], "pass")

    def test_settings_hold_for_all_cases_below(self):
        files = {"gatekit.json": self.SHARED, "one.json": CASE, "runs.jsonl": GOOD + '{"case": "one", "sample": "b", "output": "x banned"}'}
        report = self.report(files)
        self.assertEqual((report["exit_code"], report["counts"]["check_failed"]), (0, 1), "half may fail, by the shared gate")
        [bad] = [sample for sample in report["cases"][0]["samples"] if sample["status"] != "passed"]
        self.assertEqual(bad["findings"][0]["rule"], "shared.must_exclude[0]")

    def test_settings_of_outer_folders_and_a_part_of_a_set(self):
        bad = '{"case": "one", "sample": "a", "output": "x banned"}'
        write(self.folder.name, {"set/gatekit.json": self.SHARED, "set/in/gatekit.json": '{"gate": {"max_failure_rate": 0}}', "set/in/one.json": CASE, "set/in/runs.jsonl": bad})
        for path in ("set", "set/in"):
            code, out, _ = call(path, "--format", "json", cwd=self.folder.name)
            self.assertEqual((code, json.loads(out)["cases"][0]["samples"][0]["findings"][0]["rule"]), (1, "outer.shared.must_exclude[0]"))
        code, out, _ = call("set/in/one.json", "--samples", "set/in/runs.jsonl", cwd=self.folder.name)
        self.assertEqual(code, 1)

    def test_a_case_from_a_file_has_its_settings(self):
        import gatekit

        write(self.folder.name, {"set/gatekit.json": self.SHARED, "set/in/one.json": CASE})
        case = gatekit.Case.from_file(os.path.join(self.folder.name, "set", "in", "one.json"))
        self.assertFalse(case.check("x banned"))

    def test_a_pattern_that_excuses_the_agent_is_refused(self):
        for pattern in (".", "e", "[^x]", "Error"):
            report = self.report({"gatekit.json": json.dumps({"transient": [pattern]}), "one.json": CASE, "runs.jsonl": GOOD})
            self.assertIn("agent's own", report["errors"][0]["message"], pattern)

    def test_templates(self):
        case = '{"id": "one", "template": "offer"}'
        report = self.report({"gatekit.json": self.SHARED, "one.json": case, "runs.jsonl": '{"case": "one", "sample": "a", "output": "the price"}\n' + GOOD.replace('"a"', '"b"')})
        statuses = {sample["sample"]: sample["status"] for sample in report["cases"][0]["samples"]}
        self.assertEqual(statuses, {"a": "passed", "b": "check_failed"})
        [(file, line, message)] = self.errors({"gatekit.json": self.SHARED, "one.json": '{"id": "one",\n "template": "ofer"}'})
        self.assertEqual((file, line), ("one.json", 2))
        self.assertIn("did you mean 'offer'", message)

    def test_a_providers_error_is_transient(self):
        lines = "".join(json.dumps({"case": "one", "sample": f"g{n}", "output": "x"}) + "\n" for n in range(8))
        lines += '{"case": "one", "sample": "t", "error": "429: rate limit reached"}\n{"case": "one", "sample": "e", "error": "KeyError"}'
        report = self.report({"gatekit.json": self.SHARED, "one.json": CASE, "runs.jsonl": lines})
        self.assertEqual((report["counts"]["transient"], report["counts"]["error"]), (1, 1))

    def test_broken_settings_judge_nothing(self):
        for content, says in (('{"rubrik": {}}', "did you mean 'rubric'"), ('{"templates": {"a": {}}}', "no rules"), ('{"transient": ["("]}', ""), ('{"gate": {"max": 1}}', "max"), ("{", "")):
            report = self.report({"gatekit.json": content, "one.json": CASE, "runs.jsonl": GOOD})
            self.assertEqual((report["exit_code"], report["counts"]["samples"], len(report["errors"])), (4, 0, 1), content)
            self.assertEqual(report["errors"][0]["file"], "gatekit.json")
            self.assertIn(says, report["errors"][0]["message"])

    @unittest.skipUnless(hasattr(os, "mkfifo"), "no named pipes here")
    def test_a_named_pipe_is_not_waited_for(self):
        write(self.folder.name, {"set/one.json": CASE, "set/runs.jsonl": GOOD})
        os.mkfifo(os.path.join(self.folder.name, "set", "pipe.jsonl"))
        self.assertEqual(self.errors({}), [("pipe.jsonl", None, "it is no regular file")])

    def test_endings_in_capitals_count(self):
        self.assertEqual(self.report({"ONE.JSON": CASE, "RUNS.JSONL": BAD})["exit_code"], 1)

    def test_the_rest_of_a_long_line_is_no_line(self):
        from gatekit.ground.files import read_lines

        write(self.folder.name, {"x": "a" * 25 + "b\nc\n"})
        lines = list(read_lines(os.path.join(self.folder.name, "x"), "x", 10))
        self.assertEqual(lines, [(1, b"a" * 11), (2, b"c\n")])

    def test_a_report_goes_where_a_link_leads(self):
        write(self.folder.name, {"set/one.json": CASE, "set/runs.jsonl": GOOD, "out/old.json": "x"})
        os.symlink("old.json", os.path.join(self.folder.name, "out", "link.json"))
        self.assertEqual(self.judge({}, "set", "--report", "json=out/link.json")[0], 0)
        self.assertTrue(os.path.islink(os.path.join(self.folder.name, "out", "link.json")))
        with open(os.path.join(self.folder.name, "out", "old.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["outcome"], "pass")

    def test_closed_streams(self):
        write(self.folder.name, {"set/one.json": CASE, "set/runs.jsonl": GOOD})
        for words, redirect in ((["set"], ">&-"), (["set", "--formatt"], "2>&-"), (["set", "--samples", "-"], "<&-"), (["set"], "| head -c 1 >/dev/null; exit 4")):
            command = " ".join([shlex.quote(sys.executable), "-m", "gatekit", *words, redirect])
            done = subprocess.run(command, shell=True, cwd=self.folder.name, capture_output=True, env={**os.environ, **COMPILED, "PYTHONPATH": ROOT})
            self.assertEqual(done.returncode, 4, command)
            self.assertNotIn(b"Traceback", done.stdout + done.stderr)
            self.assertNotIn(b"internal", done.stdout + done.stderr)

    @unittest.skipUnless(hasattr(os, "symlink"), "no links here")
    def test_links(self):
        write(self.folder.name, {"set/one.json": CASE, "set/runs.jsonl": GOOD})
        os.symlink(os.path.join(self.folder.name, "set"), os.path.join(self.folder.name, "set", "loop"))
        os.symlink(os.path.join(self.folder.name, "nowhere"), os.path.join(self.folder.name, "set", "gone.json"))
        report = self.report({})
        self.assertEqual(
            [(error["file"], error["message"]) for error in report["errors"]],
            [("gone.json", "the file cannot be read: it is not there"), ("loop", "a link to a folder is not followed: give the folder itself as a PATH")],
        )
        self.assertEqual(report["counts"]["passed"], 1)


if __name__ == "__main__":
    unittest.main()
