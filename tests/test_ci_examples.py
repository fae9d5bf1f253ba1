"""The workflows for build services: they can be read, and each command in them does what they say."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import gatekit

from .running import COMPILED, ROOT

HERE = os.path.join(ROOT, "examples", "ci")
PAIRS = {")": "(", "]": "[", "}": "{"}
SUMMARY = "summary.md"


def stored(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def braces_left_open(groovy):
    """What is open at the end of a Groovy text, strings and comments passed over; or the mark that closes what is not open."""
    waiting = []
    for piece in re.finditer(r"(?s)//[^\n]*|'''.*?'''|'[^'\n]*'|\"[^\"\n]*\"|[(){}\[\]]|['\"]", groovy):
        mark = piece.group()
        if mark in PAIRS.values():
            waiting.append(mark)
        elif mark in PAIRS:
            if not waiting or waiting.pop() != PAIRS[mark]:
                return [mark]
        elif len(mark) == 1:
            return [mark]
    return waiting


class CiExamples(unittest.TestCase):
    def test_there_is_one_for_each_host(self):
        self.assertEqual(sorted(os.listdir(HERE)), ["Jenkinsfile", "github-actions.yml", "gitlab-ci.yml"])

    def test_github_actions(self):
        jobs = gatekit.read_yaml(stored("github-actions.yml"))["jobs"]
        self.assertEqual(list(jobs), ["golden", "shard", "rate"])
        for job in jobs.values():
            for step in job["steps"]:
                self.assertEqual(len({"uses", "run"} & set(step)), 1, step)
        self.assertEqual(jobs["rate"]["needs"], "shard")
        runs = {name: [step["run"] for step in job["steps"] if "gatekit " in step.get("run", "")] for name, job in jobs.items()}
        shards = jobs["shard"]["strategy"]["matrix"]["shard"]
        self.assert_works(runs["golden"], [(runs["shard"], {"SHARD": str(shard)}) for shard in shards], runs["rate"])

    def test_gitlab(self):
        jobs = gatekit.read_yaml(stored("gitlab-ci.yml"))
        self.assertEqual({job["stage"] for name, job in jobs.items() if name not in ("stages", "default")}, set(jobs["stages"]))
        count = jobs["shard"]["parallel"]
        parts = [(jobs["shard"]["script"], {"CI_NODE_INDEX": str(number), "CI_NODE_TOTAL": str(count)}) for number in range(1, count + 1)]
        self.assert_works(jobs["golden"]["script"], parts, jobs["rate"]["script"])

    def test_jenkins(self):
        text = stored("Jenkinsfile")
        self.assertEqual(braces_left_open(text), [])
        self.assertEqual((braces_left_open(text + "}"), braces_left_open(text + "{"), braces_left_open(text + "'")), (["}"], ["{"], ["'"]))
        golden, shard, rate = re.findall("(?s)sh '''(.*?)'''", text)
        [values] = re.findall("values (.*)", text)
        numbers = re.findall("'([0-9]+)'", values)
        self.assertEqual(re.findall("unstash 'shard-([0-9]+)'", text), numbers)
        self.assert_works([golden], [([shard], {"SHARD": number}) for number in numbers], [rate])

    @unittest.skipUnless(os.name == "posix", "the commands are written for a POSIX shell")
    def assert_works(self, golden, parts, rate):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))
            self.assertEqual(self.run_all(golden, folder, {}), [1])
            for commands, variables in parts:
                self.assertEqual(self.run_all(commands, folder, variables), [0])
            self.assertEqual(self.run_all(rate, folder, {}), [0])
            self.assertEqual(len([name for name in os.listdir(folder) if name.startswith("shard-")]), 4)
            for name, outcome, judged in (("golden", "fail", 5), ("rate", "pass", 100)):
                with open(os.path.join(folder, f"{name}.json"), encoding="utf-8") as file:
                    told = json.load(file)
                self.assertEqual((told["outcome"], told["errors"]), (outcome, []))
                self.assertGreaterEqual(told["counts"]["samples"], judged)
                self.assertTrue(os.path.exists(os.path.join(folder, f"{name}.xml")))

    def run_all(self, commands, folder, variables):
        python = f"{shlex.quote(sys.executable)} -m gatekit"
        surroundings = {**os.environ, **COMPILED, "PYTHONPATH": ROOT, "GITHUB_STEP_SUMMARY": os.path.join(folder, SUMMARY), **variables}
        codes = []
        for command in commands:
            done = subprocess.run(re.sub("python3? -m gatekit", lambda _: python, command), shell=True, cwd=folder, capture_output=True, env=surroundings)
            self.assertEqual(done.stderr, b"", command)
            codes.append(done.returncode)
        return codes


if __name__ == "__main__":
    unittest.main()
