"""Every snippet and command of the README does what it says."""
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

import gatekit

from .running import COMPILED, ROOT, call, run, write

# The captured samples of the refund assistant that break a rule.
RED = ("3-drops-the-period", "4-refuses", "5-leaks-a-key")
# No plugin of the machine's has a say.
ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def blocks():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        return [match.groups() for match in BLOCK.finditer(file.read())]


class Readme(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.blocks = blocks()
        kinds = [kind for kind, _ in cls.blocks]
        if len(kinds) < 9 or kinds.count("python") < 3 or kinds.count("sh") != 9:
            raise AssertionError(f"the README has other blocks than expected: {kinds}")

    def following(self, place):
        kind, text = self.blocks[place + 1]
        self.assertEqual(kind, "text")
        return text

    def run_python(self, code):
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, env={**os.environ, **COMPILED, "PYTHONIOENCODING": "utf-8"})
        self.assertEqual(done.stderr, b"")
        return done.stdout.decode()

    def test_the_first_screen_is_a_complete_example(self):
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            screen = "".join(file.readlines()[:40])
        self.assertIn("print(gate.check(", screen)
        self.assertIn("missing required", screen)

    def test_snippets_print_what_they_say(self):
        seen = 0
        for place, (kind, code) in enumerate(self.blocks):
            if kind == "python" and "print(" in code:
                self.assertEqual(self.run_python(code), self.following(place))
                seen += 1
        self.assertEqual(seen, 4)

    def snippet(self, words):
        """The place and the code of the Python snippet that holds some words."""
        [found] = [(place, code) for place, (kind, code) in enumerate(self.blocks) if kind == "python" and words in code]
        return found

    def names_of(self, code):
        """What a snippet defines, run beside the examples."""
        names = {}
        here = os.getcwd()
        os.chdir(ROOT)
        try:
            exec(compile(code, "README.md", "exec"), names)
        finally:
            os.chdir(here)
        return names

    def test_the_unittest_snippet(self):
        _, code = self.snippet("import unittest")
        names = self.names_of(code)
        here, result = os.getcwd(), unittest.TestResult()
        os.chdir(ROOT)
        try:
            unittest.defaultTestLoader.loadTestsFromTestCase(names["Golden"]).run(result)
        finally:
            os.chdir(here)
        self.assertEqual((result.testsRun, len(result.failures), result.errors), (2, 3, []))
        for (test, told), name in zip(result.failures, RED):
            self.assertIn(f"[refund-summary/{name}]", str(test))
            self.assertIn(f"\ngatekit.GateFailed: refund-summary {name}: check_failed\n", told)

    def test_the_pytest_snippet_without_pytest(self):
        """What the snippet asks of pytest is little, so a stand-in is enough to run its tests, as pytest would: once for each value."""
        asked = {}

        def parametrize(name, values, ids):
            asked_of = [(ids(value), {name: value}) for value in values]
            return lambda function: asked.setdefault(function.__name__, asked_of) and function

        stand_in = types.SimpleNamespace(fixture=lambda scope: lambda function: function, mark=types.SimpleNamespace(parametrize=parametrize))
        _, code = self.snippet("import pytest")
        with unittest.mock.patch.dict(sys.modules, {"pytest": stand_in}):
            names = self.names_of(code)
        red = []
        for function, values in asked.items():
            self.assertTrue(values)
            for id, given in values:
                try:
                    names[function](**given, **({"agent": names["agent"]()} if function == "test_agent" else {}))
                except gatekit.GateFailed:
                    red.append(f"{function}[{id}]")
        self.assertEqual(red, [f"test_captured[refund-summary/{name}]" for name in RED])
        self.assertEqual([len(values) for values in asked.values()], [1, 6])

    @unittest.skipUnless(importlib.util.find_spec("pytest"), "pytest is not installed")
    def test_the_pytest_snippet_with_pytest(self):
        place, code = self.snippet("import pytest")
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"test_golden.py": code, "pytest.ini": "[pytest]\naddopts = -p no:cacheprovider --color=no\n"})
            shutil.copytree(os.path.join(ROOT, "examples", "refund"), os.path.join(folder, "examples", "refund"))
            code, out, _ = run("test_golden.py", "-q", cwd=folder, env=ALONE, module="pytest")
            self.assertIn("\n3 failed, 4 passed in ", out.decode())
            self.assertIn(f"\n{self.following(place)}", out.decode())
            self.assertEqual(code, 1)
            code, out, _ = run("-k", "refund-summary/3", "-q", "--tb=short", cwd=folder, env=ALONE, module="pytest")
            self.assertIn("\n1 failed, 6 deselected in ", out.decode())
            self.assertIn("\n    verdict.require()\nE   gatekit.GateFailed: ", out.decode())

    def test_the_two_commands(self):
        place = next(place for place, (kind, _) in enumerate(self.blocks) if kind == "sh")
        first, second = self.blocks[place][1].splitlines()
        done = subprocess.run([sys.executable, *shlex.split(first)[1:]], cwd=ROOT, capture_output=True, env={**os.environ, **COMPILED})
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        self.assertEqual(done.stdout.decode(), self.following(place))
        self.assertEqual(second, "python -m unittest")

    @staticmethod
    def run_as_shown(command, folder):
        """What a command gives: a pipe by the shell that it is written for, and one that only has words in this process, which is faster."""
        words = shlex.split(command)
        if words[:3] == ["python", "-m", "gatekit"] and not set(command) & set("|<>;&$*()\\`"):
            return call(*words[3:], cwd=folder)
        python = f"{shlex.quote(sys.executable)} -m gatekit"
        done = subprocess.run(
            command.replace("python -m gatekit", python), shell=True, cwd=folder, capture_output=True, env={**os.environ, **COMPILED, "PYTHONPATH": ROOT}
        )
        return done.returncode, done.stdout, done.stderr

    @unittest.skipUnless(os.name == "posix", "the commands are written for a POSIX shell")
    def test_the_commands_run(self):
        _, *places = (place for place, (kind, _) in enumerate(self.blocks) if kind == "sh")
        commands = [(command, self.blocks[place + 1]) for place in places for command in self.blocks[place][1].splitlines()]
        self.assertEqual(len(commands), 27)
        codes = {"--shard 1/2": 1, "--list": 0, "--case": 0, "--explain": 0, "--help": 0, " lint ": 0, " lock ": 0, " record ": 0, " replay ": 0, ":control": 0, ":reworded": 3}
        codes.update(dict.fromkeys((" batch ", " merge ", " plan ", " step ", " workflow ", " operate "), 0))
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))
            for command, (kind, shown) in commands:
                code, out, err = self.run_as_shown(command, folder)
                wanted = next((code for flag, code in codes.items() if flag in command), 1)
                self.assertEqual((code, err), (wanted, b""), command)
                self.assertTrue(out)
                if " regress " in command:
                    self.assertEqual((kind, out.decode()), ("text", shown))
            with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
                self.assertEqual(json.load(file)["counts"]["samples"], 6)

    def test_the_case_and_samples_are_valid(self):
        case, samples, _ = (text for kind, text in self.blocks if kind == "json")
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"case.json": case, "runs.jsonl": samples})
            [loaded] = gatekit.load(folder)
        self.assertEqual(loaded.level, 2)
        first, second = [json.loads(line) for line in samples.splitlines()]
        self.assertEqual(loaded.check(first).status, "passed")
        self.assertEqual(loaded.check(second).status, "passed")

    def test_the_yaml_is_valid(self):
        case, settings, booking = (text for kind, text in self.blocks if kind == "yaml")
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"gatekit.yaml": settings, "case.yaml": case, "offer.yaml": "id: offer\ntemplate: draft_offer\n"})
            first, second = gatekit.load(folder)
        self.assertEqual(first.check("The refund takes 14 days.").status, "passed")
        self.assertEqual(second.check("no date").findings[1].rule, "draft_offer.must_include[0]")
        said = [("user", "Book me a flight for order 7."), ("assistant", "To SFO, for $80?"), ("user", "Yes.")]
        called = [("search", {"to": "SFO"}), ("book_flight", {"to": "SFO", "price": 80})]
        messages = [{"role": role, "content": text} for role, text in said]
        messages += [{"role": "assistant", "tool_calls": [{"name": name, "arguments": arguments, "result": "ok"}]} for name, arguments in called]
        case = gatekit.Case.from_dict(gatekit.read_yaml(booking))
        for last, passes in (("Booked!", True), ("Your order id, please?", False)):
            self.assertEqual(case.check({"messages": [*messages, {"role": "assistant", "content": f"{last} It is booked."}]}).passed, passes, last)

    def test_the_contents_lead_to_every_section(self):
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            text = file.read()
        sections = [re.sub("[^a-z -]", "", name.lower()).replace(" ", "-") for name in re.findall(r"(?m)^##+ (.*)", re.sub(r"(?s)```.*?```", "", text))]
        self.assertEqual(re.findall(r"\]\(#([^)]*)\)", text), sections[1:])  # the first stands right behind

    def test_what_is_no_failure_of_the_agent_can_be_skipped(self):
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            [line] = re.findall(r"`(if verdict.status in [^`]*self\.skipTest[^`]*)`", file.read())
        case = {"id": "a", "matchers": [{"type": "contains", "value": "x"}, {"type": "human_review", "criteria": "c"}], "samples": ["x", {"status": "transient"}, "y"]}
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"case.json": json.dumps(case)})
            found = gatekit.verdicts(folder)

        class Captured(unittest.TestCase):
            def test_captured(self):
                for verdict in found:
                    with self.subTest(verdict.id):
                        exec(line)
                        verdict.require()

        result = unittest.TestResult()
        Captured("test_captured").run(result)
        self.assertEqual([reason for _, reason in result.skipped], ["review", "transient"])
        self.assertEqual(len(result.failures), 1)

    def test_every_type_stands_in_the_table(self):
        from gatekit.matchers.catalogue import all_types

        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            text = file.read()
        for row in all_types():
            if not row.in_rubrics and row.function is None:
                self.assertIn(f"`{row.name}`", text)
                for field in row.fields:
                    self.assertIn(f"`{field.name}`", text)


if __name__ == "__main__":
    unittest.main()
