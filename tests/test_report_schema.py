"""The schema of the JSON report: it holds for every report that is written, for nothing else, and `merge` reads by it."""
import copy
import json
import os
import random
import tempfile
import unittest
import unittest.mock

import gatekit
from gatekit import Matcher
from gatekit.judging.report import Report
from gatekit.reports.catalogue import Style, renderer
from gatekit.reports.reading import read_report
from gatekit.reports.report_schema import report_schema

from .report_of_everything import report
from .running import ROOT, call, write

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "reports")
SCHEMA = gatekit.JsonSchema(report_schema())
OF_ANYTHING = ("expected", "actual")  # members that hold any JSON value
WRONG = ([], {}, 1.5, "?", False)  # of each type one; false and 1.5 do nowhere in the place of a number
BY_NAME = ("files", "lines", "levels", "tags", "owners")  # objects whose keys are names


def stored(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def fits(wrong, value):
    """Whether a value may do in the place of another, as far as their types say."""
    return type(wrong) is type(value) or value is None and isinstance(wrong, str)


def objects(value, path=()):
    """Every object and array of a report whose shape is the report's own, with the path to it."""
    if isinstance(value, (dict, list)):
        yield path, value
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if key not in OF_ANYTHING:
                yield from objects(inner, (*path, key))


def at(value, path):
    for part in path:
        value = value[part]
    return value


class AFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name


class WhatIsWritten(AFolder):
    def valid(self, text):
        given = json.loads(text)
        self.assertEqual([str(error) for error in SCHEMA.errors(given)], [])
        return given

    def judged(self, *words):
        code, out, _ = call(*words, "--format", "json", cwd=self.folder)
        given = self.valid(out)
        self.assertEqual(given["exit_code"], code)
        return given

    def test_the_schema_is_strict_and_printed(self):
        code, out, err = call("schema", "report")
        self.assertEqual((code, json.loads(out), err), (0, report_schema(), b""))
        self.assertEqual(SCHEMA.warnings, ())
        self.assertEqual(call("schema", "case"), call("schema"))
        for words, says in ((("repor",), "did you mean report?"), (("x",), "there are case and report"), (("case", "report"), "name one"), (("report", "--plugin", "json"), "--plugin")):
            code, out, err = call("schema", *words)
            self.assertEqual((code, out), (4, b""), words)
            self.assertIn(says, err.decode(), words)

    def test_nothing_of_ours_is_left_open(self):
        waiting, met = [(report_schema(), False)], 0
        while waiting:
            schema, is_condition = waiting.pop()
            if not isinstance(schema, dict):
                continue
            if "properties" in schema and not is_condition:
                met += 1
                self.assertIn("additionalProperties", schema, list(schema["properties"]))
            for keyword, inner in schema.items():
                if keyword in ("properties", "$defs"):
                    waiting += [(each, is_condition) for each in inner.values()]
                elif keyword in ("items", "additionalProperties", "if", "then", "else"):
                    waiting.append((inner, is_condition or keyword in ("if", "then", "else")))
        self.assertGreater(met, 15)

    def test_everything(self):
        for verbose in (False, True):
            for draws in ((), (1, 2, 1000)):
                self.valid(renderer("json")(report(), Style(verbose, draws)))
        self.valid(renderer("json")(Report(()), Style()))
        self.assertEqual(self.valid(stored("everything.json"))["outcome"], "error")

    def test_gates(self):
        say = {"output": "x", "sample": "1"}
        for settings, samples in (
            ({}, []),
            ({}, ["x"]),
            ({"max_failure_rate": "50%"}, ["y", "x"]),
            ({"max_failure_rate": "1%", "confidence": "95%"}, ["x"] * 50 + ["y"]),
            ({"max_failure_rate": "1.5%", "rounding": True, "max_transient": 1, "min_judged": 3}, [{"output": "", "status": "transient"}]),
            ({}, [say, {**say, "attempt": 2}, {**say, "attempt": 3, "output": "y"}]),
            ({}, [{**say, "case_verdict": "rejected", "label": "rejected", "note": "n", "model": "m"}, 5]),
        ):
            told = gatekit.Gate(Matcher("contains", value="x"), **settings).judge(samples)
            for verbose in (False, True):
                self.valid(renderer("json")(told, Style(verbose, (1, 3))))

    def test_sets_batches_and_workflows(self):
        write(
            self.folder,
            {
                "set/one.yaml": "id: one\nmatchers:\n  - {type: json_equal, expected: {a: 1}}\n  - {type: exact_text, value: long text}\nsamples: ['{\"a\": 2}', long  text]\n",
                "set/talk.yaml": "id: talk\ninvariants:\n  - {type: absence, event: {tool: book}}\n",
                "set/old.yaml": "id: old\ndeprecated: true\ndeprecated_at: '2026-01-01'\ndeprecated_reason: gone\n",
                "set/bad.yaml": "id: bad\nmatchers: []\n",
                "set/runs.jsonl": json.dumps({"case": "talk", "sample": "1", "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y", "tool_calls": [{"name": "book", "arguments": {}, "result": 1}]}]}) + "\n{\n",
                "empty/.gitkeep": "",
            },
        )
        self.judged("set", "--verbose", "--pass-k", "2")
        self.judged("set", "--id", "nobody")
        self.judged("empty")
        self.judged("set/one.yaml", "set/talk.yaml")
        self.assertEqual(self.judged("set", "--fail-fast")["stopped"]["cases_not_judged"], ["talk"])
        files = [os.path.join(self.folder, f"{number}.json") for number in (1, 2)]
        for number, file in enumerate(files, 1):
            self.assertEqual(self.judged("set", "--shard", f"{number}/2", "--report", f"json={file}")["files"]["one.yaml"], "set/one.yaml")
        self.assertNotIn("files", self.judged("merge", *files))
        self.folder = ROOT
        self.judged("batch", "tests.batch_agents:UNSTEADY", "-n", "40", "--no-curtail")
        self.assertGreater(self.judged("batch", "tests.batch_agents:FAILING", "-n", "40")["cases"][0]["planned"], 1)
        self.judged("workflow", "examples.intel.workflow:intel", "-n", "3", "--fixture", "examples/intel/offer.fixture.yaml", "--verbose")


class WhatIsChanged(AFolder):
    def setUp(self):
        super().setUp()
        self.given = json.loads(stored("contract.json"))

    def read(self, given):
        write(self.folder, {"changed.json": json.dumps(given)})
        return read_report(os.path.join(self.folder, "changed.json"), "changed.json")

    def test_the_contract_has_every_member(self):
        self.assertEqual(SCHEMA.errors(self.given), [])
        waiting, known = [report_schema()], set()
        del waiting[0]["properties"]["stopped"]  # nothing is read back of a run that was stopped
        while waiting:
            schema = waiting.pop()
            if isinstance(schema, dict):
                known |= {name for name, inner in schema.get("properties", {}).items() if inner is not False}
                waiting += [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(), schema.get("items")]
        met = {key for _, value in objects(self.given) if isinstance(value, dict) for key in value}
        self.assertEqual({name for name in known if not name.isdigit()} - met, set())

    def test_a_run_that_was_stopped(self):
        stopped = {"max_failures": 2, "failures": 2, "judged": 5, "cases_not_judged": ["two"], "reason": "after 5 samples"}
        del self.given["shard"], self.given["files"]
        self.given["stopped"] = stopped
        self.assertEqual(SCHEMA.errors(self.given), [])
        for changed in ({**self.given, "shard": "1/2"}, {**self.given, "outcome": "pass", "exit_code": 0}, {**self.given, "stopped": {**stopped, "more": 1}}):
            self.assertFalse(SCHEMA.is_valid(changed))
        for name in stopped:
            self.assertFalse(SCHEMA.is_valid({**self.given, "stopped": {key: value for key, value in stopped.items() if key != name}}), name)
            self.assertFalse(SCHEMA.is_valid({**self.given, "stopped": {**stopped, name: {}}}), name)
        with self.assertRaisesRegex(gatekit.GatekitError, "changed.json: stopped: the run was stopped at its failures"):
            self.read(self.given)

    def test_each_object_is_closed_and_each_value_typed(self):
        tried = 0
        for path, value in list(objects(self.given)):
            changes = {"strange": [1]} if isinstance(value, dict) and not (path and path[-1] in BY_NAME) else {}
            for key in set(value) - set(OF_ANYTHING) if isinstance(value, dict) else range(len(value)):
                changes[key] = [] if path[-1:] == ("path",) else [wrong for wrong in WRONG if not fits(wrong, value[key])]
            for key, wrongs in changes.items():
                for wrong in wrongs:
                    changed = copy.deepcopy(self.given)
                    at(changed, path)[key] = wrong
                    tried += 1
                    self.assertFalse(SCHEMA.is_valid(changed), (path, key, wrong))
        self.assertGreater(tried, 400)

    def test_what_must_be_there(self):
        required = {
            (): ("format", "outcome", "exit_code", "counts", "levels", "cases", "errors"),
            ("counts",): ("samples", "passed", "check_failed", "error", "transient", "diverged", "inconclusive", "review", "deprecated", "excluded"),
            ("levels", "3"): ("passed", "check_failed"),
            ("subjects", 0): ("model", "prompt_version"),
            ("cases", 0): ("id", "file", "level", "outcome", "deprecated", "samples"),
            ("cases", 1): ("id", "file", "level", "outcome", "reason", "rate", "gate", "samples"),
            ("cases", 1, "rate"): ("failures", "judged"),
            ("cases", 1, "draws", 0): ("k", "pass_at_k", "pass_hat_k"),
            ("cases", 1, "gate"): ("max_failure_rate", "max_transient", "min_judged", "rounding"),
            ("cases", 1, "samples", 1): ("sample", "status", "findings"),
            ("cases", 1, "samples", 1, "transcript", 0): ("kind", "turn", "message", "text"),
            ("cases", 1, "samples", 1, "findings", 0): ("rule", "type", "tier", "outcome", "reason", "expected", "actual", "where", "review_required", "veto"),
            ("cases", 1, "samples", 1, "findings", 1, "where"): ("line", "column", "before", "hit", "after", "inside"),
            ("cases", 1, "samples", 1, "retries", 0): ("attempt", "status"),
            ("errors", 0): ("file", "line", "column", "path", "message"),
        }
        for path, needed in required.items():
            for key in at(self.given, path):
                changed = copy.deepcopy(self.given)
                del at(changed, path)[key]
                self.assertEqual(SCHEMA.is_valid(changed), key not in needed, (path, key))

    def test_a_changed_report_is_refused_in_words(self):
        for row in map(json.loads, stored("changed.jsonl").splitlines()):
            with self.subTest(row=row):
                changed = copy.deepcopy(self.given)
                at(changed, row["at"][:-1])[row["at"][-1]] = row["to"]
                self.assertEqual(SCHEMA.is_valid(changed), row.get("reads", False))
                with self.assertRaises(gatekit.GatekitError) as caught:
                    self.read(changed)
                self.assertEqual(caught.exception.file, "changed.json")
                self.assertIn(row["says"], str(caught.exception))

    def test_what_is_said_of_it_is_short_and_holds_no_secret(self):
        key = "gho" + "_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
        for name in ("x" * 100000, f"{'x ' * 280}{key}"):
            self.given[name] = 1
            with self.assertRaises(gatekit.GatekitError) as caught:
                self.read(self.given)
            self.assertLess(len(str(caught.exception)), 1500)
            self.assertNotIn(key[:8], str(caught.exception))
            del self.given[name]

    def test_a_value_of_any_depth_is_read_back(self):
        for depth in (5, 99, 100, 101, 150, 198):
            expected, actual = (json.loads("[" * depth + last + "]" * depth) for last in "12")
            nested = {"a": json.loads('{"a":' * (depth - 1) + "1" + "}" * (depth - 1))}
            gate = gatekit.Gate(Matcher("json_equal", expected=expected), Matcher("json_equal", expected=nested))
            told = gate.judge([actual])
            written = renderer("json")(told, Style())
            self.assertEqual(renderer("json")(self.read(json.loads(written)), Style()), written)
            self.assertEqual("... (1 items)" in written, depth > 100, depth)

    def test_what_is_read_is_written_again(self):
        told = self.read(self.given)
        written = json.loads(renderer("json")(told.of_shard(*told.shard), Style(False, (2,))))
        # Nothing is believed that follows from others: the counts of this report are worked out from its samples.
        case = self.given["cases"][1]
        case["evidence"] = written["cases"][1]["evidence"]
        case["draws"] = [{"k": 2, "pass_at_k": "0.666666", "pass_hat_k": "0.000000"}]
        self.assertEqual(written, self.given)

    def test_what_follows_is_not_believed(self):
        wanted = renderer("json")(self.read(self.given), Style())
        self.given.update(levels={})
        case = self.given["cases"][1]
        case.update(reason=None, rate=None)
        del case["vetoed"], self.given["tags"]
        self.assertEqual(SCHEMA.errors(self.given), [])
        self.assertEqual(renderer("json")(self.read(self.given), Style()), wanted)

    def test_nothing_is_taken_out_of_a_report_unseen(self):
        """So that no pass is made of what was none: of samples, cases and errors that were filtered out, and of statuses that were set."""
        write(self.folder, {"set/a.json": '{"id": "a", "rubric": {"must_include": ["x"]}}', "set/b.json": '{"id": "b", "rubric": {"must_include": ["x"]}, "samples": ["x"]}'})
        write(self.folder, {"set/runs.jsonl": "".join(json.dumps({"case": "a", "sample": str(number), "output": "no" if number == 3 else "x"}) + "\n" for number in range(6)) + "{\n"})
        call("set", "--report", f"json={self.folder}/whole.json", cwd=self.folder)
        with open(os.path.join(self.folder, "whole.json"), encoding="utf-8") as file:
            whole = json.load(file)
        self.read(whole)
        without = {**whole, "errors": []}
        fails = {"outcome": "fail", "exit_code": 1}
        passes = {"outcome": "pass", "exit_code": 0}
        failed = whole["cases"][0]
        kept = [sample for sample in failed["samples"] if sample["status"] == "passed"]
        held = [{**sample, "status": "passed"} for sample in failed["samples"]]
        for changed, at in (
            (without, "outcome"),
            ({**without, **fails, "cases": [{**failed, "samples": kept}, whole["cases"][1]]}, "cases[0].outcome"),
            ({**without, **passes, "cases": [{**failed, "outcome": "pass", "samples": kept}, whole["cases"][1]]}, "counts.samples"),
            ({**without, **passes, "cases": [{**failed, "outcome": "pass", "samples": held}, whole["cases"][1]]}, "counts.passed"),
            ({**without, **passes, "cases": whole["cases"][1:]}, "counts.samples"),
            ({**without, **passes}, "outcome"),
            ({**whole, "cases": [*whole["cases"], whole["cases"][1]]}, "cases[2].id"),
        ):
            with self.assertRaises(gatekit.GatekitError) as caught:
                self.read(changed)
            self.assertTrue(str(caught.exception).startswith(f"changed.json: {at}"), caught.exception)


class Annotations(AFolder):
    """`merge` points at the lines that an unsharded run points at."""

    def merged(self, of, seed, *words):
        files = [os.path.join(self.folder, f"{of}-{number}.json") for number in range(1, of + 1)]
        for number, file in enumerate(files, 1):
            call("set", "--shard", f"{number}/{of}", "--report", f"json={file}", cwd=self.folder)
        random.Random(seed).shuffle(files)
        return call("merge", *files, *words, cwd=self.folder)

    def assert_the_same(self, of):
        for words in (("--format", "github"), ("--format", "json")):
            whole = call("set", *words, cwd=self.folder)
            self.assertEqual(self.merged(of, of, *words), whole)
        return whole[1].decode()

    def test_lines_and_ways(self):
        rng = random.Random(8)
        lines = [json.dumps({"case": rng.choice("ab"), "sample": str(number), "output": " ".join(rng.sample(["one", "two", "three", "Four", "planted"], 3))}) for number in range(40)]
        write(
            self.folder,
            {
                "set/gatekit.yaml": "rubric:\n  must_exclude: [planted]\n",
                "set/sub/a.yaml": "id: a\nrubric:\n  must_include:\n    - one\n    - two\nmatchers:\n  - type: contains\n    value: three\n",
                "set/b.json": '{"id": "b",\n "matchers": [\n  {"type": "contains", "value": "two"},\n  {"type": "starts_with", "value": "Four", "name": "begins: 100%"}],\n "gate": {"max_failure_rate": 1}}\n',
                "set/broken.yaml": "id: [\n",
                "set/runs.jsonl": "\n".join(lines),
            },
        )
        for of in (1, 3):
            given = json.loads(self.assert_the_same(of))
        self.assertEqual([case["lines"] for case in given["cases"]], [{"must_include[0]": 4, "must_include[1]": 5, "matchers[0]": 7}, {"matchers[0]": 3, "begins: 100%": 4}])
        commands = [line for line in self.merged(2, 1, "--format", "github")[1].decode().split("\n") if line.startswith("::")]
        self.assertTrue(commands[0].startswith("::error file=set/broken.yaml,line="), commands[0])
        self.assertIn("::error file=set/sub/a.yaml,line=5,title=a%3A must_include[1]::", "\n".join(commands))

    @unittest.mock.patch("gatekit.judging.report.CASES_PLACED", 6)
    @unittest.mock.patch("gatekit.judging.report.RULES_PLACED", 5)
    def test_of_many_rules_and_cases_the_same_lines(self):
        rules, cases = 12, 12
        rng = random.Random(9)
        words = [f"w{number}w" for number in range(rules)]
        files = {"set/wide.yaml": "id: a-wide\nmatchers:\n" + "".join(f"  - {{type: contains, value: {word}}}\n" for word in words)}
        lines = [{"case": "a-wide", "sample": f"{number}", "output": " ".join(rng.sample(words, rules - 3))} for number in range(30)]
        for number in range(cases):
            files[f"set/{number}.json"] = json.dumps({"id": f"c{number:03}", "matchers": [{"type": "contains", "value": "x"}]}, indent=1)
            lines += [{"case": f"c{number:03}", "sample": f"{sample}", "output": rng.choice("xyyy")} for sample in range(3)]
        write(self.folder, {**files, "set/runs.jsonl": "\n".join(map(json.dumps, lines))})
        told = json.loads(self.assert_the_same(3))["cases"]
        self.assertEqual(len(told[0]["lines"]), 5)
        unclean = [case for case in told if case["outcome"] != "pass"]
        self.assertGreater(len(unclean), 6)
        self.assertEqual([case["id"] for case in told if "lines" in case], [case["id"] for case in unclean[:6]])


if __name__ == "__main__":
    unittest.main()
