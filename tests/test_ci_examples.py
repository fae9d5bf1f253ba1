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
from concurrent.futures import ThreadPoolExecutor

import gatekit

from .running import COMPILED, ROOT, write

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


def commands(steps, key):
    """What steps run, but for what gets gatekit: the machine that runs the tests has it."""
    return [step[key] for step in steps if isinstance(step, dict) and not step.get(key, "pip install").startswith("pip install")]


class CiExamples(unittest.TestCase):
    def test_there_is_one_for_each_host(self):
        hosts = ["Jenkinsfile", "azure-pipelines.yml", "bitbucket-pipelines.yml", "circleci-config.yml", "github-actions.yml", "gitlab-ci.yml"]
        self.assertEqual(sorted(os.listdir(HERE)), hosts)

    def test_gatekit_comes_from_where_its_user_says(self):
        """It is on no index: what `pip install gatekit` would get is somebody else's."""
        for name in os.listdir(HERE):
            text = stored(name)
            ways = re.findall("pip install (.*)", text)
            if name == "bitbucket-pipelines.yml":
                self.assertEqual(set(ways), {'"${GATEKIT:?write the address of your copy of gatekit into a repository variable of this name}"'})
            elif name != "Jenkinsfile":
                self.assertEqual((set(ways), re.findall(r"(?m)^ +GATEKIT: (.*)", text)), ({'"$GATEKIT"'}, ["https://fill-in.example/gatekit.tar.gz"]), name)
            self.assertIn("on no package index", text)

    def test_github_actions(self):
        workflow = gatekit.read_yaml(stored("github-actions.yml"))
        jobs = workflow["jobs"]
        self.assertEqual(list(jobs), ["golden", "shard", "rate"])
        self.assertEqual(workflow["permissions"], {"contents": "read"})
        for job in jobs.values():
            for step in job["steps"]:
                self.assertEqual(len({"uses", "run"} & set(step)), 1, step)
                self.assertNotIn("${{", step.get("run", ""), "what others write is no part of a command")
                uses = step.get("uses", "")
                if uses:
                    self.assertRegex(uses, "^actions/[a-z-]+@v[0-9]+$")
                if "/checkout@" in uses:
                    self.assertEqual(step["with"], {"persist-credentials": False})
                if "/upload-artifact@" in uses:
                    self.assertEqual((step["if"], step["with"]["if-no-files-found"]), ("${{ !cancelled() }}", "error"))
        self.assertEqual((jobs["rate"]["needs"], jobs["rate"]["if"]), ("shard", "${{ !cancelled() }}"))
        runs = {name: commands(job["steps"], "run") for name, job in jobs.items()}
        shards = jobs["shard"]["strategy"]["matrix"]["shard"]
        self.assert_works(runs["golden"], [(runs["shard"], {"SHARD": str(shard)}) for shard in shards], runs["rate"])

    def test_gitlab(self):
        jobs = gatekit.read_yaml(stored("gitlab-ci.yml"))
        self.assertEqual({job["stage"] for name, job in jobs.items() if name not in ("stages", "variables", "default")}, set(jobs["stages"]))
        self.assertEqual([jobs[name]["artifacts"]["when"] for name in ("golden", "shard", "rate")], ["always"] * 3)
        self.assertEqual((jobs["rate"]["when"], jobs["rate"]["needs"]), ("always", ["shard"]))
        count = jobs["shard"]["parallel"]
        parts = [(jobs["shard"]["script"], {"CI_NODE_INDEX": str(number), "CI_NODE_TOTAL": str(count)}) for number in range(1, count + 1)]
        self.assert_works(jobs["golden"]["script"], parts, jobs["rate"]["script"])

    def test_circleci(self):
        config = gatekit.read_yaml(stored("circleci-config.yml"))
        jobs = config["jobs"]
        self.assertEqual(config["workflows"]["gate"]["jobs"], ["golden", "shard", {"rate": {"requires": ["shard"]}}])
        for name in ("golden", "rate"):
            kept = [path["path"] for step in jobs[name]["steps"] if isinstance(step, dict) for kind, path in step.items() if kind.startswith("store_")]
            self.assertEqual(kept, [f"{name}.xml", f"{name}.html", f"{name}.json"])
        runs = {name: commands(job["steps"], "run") for name, job in jobs.items()}
        count = jobs["shard"]["parallelism"]
        parts = [(runs["shard"], {"CIRCLE_NODE_INDEX": str(number), "CIRCLE_NODE_TOTAL": str(count)}) for number in range(count)]
        self.assert_works(runs["golden"], parts, runs["rate"])

    def test_azure_pipelines(self):
        pipeline = gatekit.read_yaml(stored("azure-pipelines.yml"))
        jobs = {job["job"]: job for job in pipeline["jobs"]}
        self.assertEqual((jobs["rate"]["dependsOn"], jobs["rate"]["condition"]), ("shard", "succeededOrFailed()"))
        for job in jobs.values():
            for step in job["steps"]:
                self.assertNotIn("$(", step.get("script", ""))
                if "publish" in step or step.get("task") == "PublishTestResults@2":
                    self.assertEqual(step["condition"], "succeededOrFailed()")
        runs = {name: commands(job["steps"], "script") for name, job in jobs.items()}
        count = jobs["shard"]["strategy"]["parallel"]
        parts = []
        for number in map(str, range(1, count + 1)):
            stage = {"BUILD_ARTIFACTSTAGINGDIRECTORY": f"{{folder}}/shard-{number}"}  # where its artifact comes down again
            parts.append((runs["shard"], {"SYSTEM_JOBPOSITIONINPHASE": number, "SYSTEM_TOTALJOBSINPHASE": str(count), **stage}))
        self.assertEqual([len(runs[name]) for name in ("golden", "shard", "rate")], [2, 1, 2])  # the second says where the summary is
        for name in ("golden", "rate"):
            self.assertEqual(runs[name][1], f'echo "##vso[task.uploadsummary]$BUILD_ARTIFACTSTAGINGDIRECTORY/{name}.md"')
        self.assert_works(runs["golden"][:1], parts, runs["rate"][:1])

    def test_bitbucket(self):
        [first, second] = gatekit.read_yaml(stored("bitbucket-pipelines.yml"))["pipelines"]["pull-requests"]["**"]
        shards = [step["step"] for step in first["parallel"]["steps"]]
        others = {step["step"]["name"]: step["step"] for step in second["parallel"]["steps"]}
        self.assertEqual(sorted(others), ["golden", "rate"])
        for name, step in others.items():
            self.assertEqual(step["artifacts"], {"upload": [{"name": name, "type": "scoped", "paths": [f"{name}.*"], "capture-on": "always"}]})
        runs = {name: [line for line in step["script"] if "pip install" not in line and "mkdir" not in line] for name, step in others.items()}
        parts = []
        for number, step in enumerate(shards):
            self.assertEqual((step["name"], step["artifacts"]), (f"shard {number + 1}", ["shard-*.json"]))
            parts.append((step["script"][1:], {"BITBUCKET_PARALLEL_STEP": str(number), "BITBUCKET_PARALLEL_STEP_COUNT": str(len(shards))}))
        self.assert_works(runs["golden"], parts, runs["rate"], "test-results/")

    def test_jenkins(self):
        text = stored("Jenkinsfile")
        self.assertEqual(braces_left_open(text), [])
        self.assertEqual((braces_left_open(text + "}"), braces_left_open(text + "{"), braces_left_open(text + "'")), (["}"], ["{"], ["'"]))
        golden, shard, rate = re.findall("(?s)sh '''(.*?)'''", text)
        [values] = re.findall("values (.*)", text)
        numbers = re.findall("'([0-9]+)'", values)
        self.assertEqual(re.findall("unstash 'shard-([0-9]+)'", text), numbers)
        self.assertEqual(len(re.findall("junit testResults: '[a-z]+.xml', skipMarkingBuildUnstable: true", text)), 2)
        self.assert_works([golden], [([shard], {"SHARD": number}) for number in numbers], [rate], stale=("golden.json", "shard-1.json"))

    @unittest.skipUnless(os.name == "posix", "the commands are written for a POSIX shell")
    def assert_works(self, golden, parts, rate, tests="", stale=()):
        """Each job does its part: the gate on captured answers fails, the shards do not decide, the merge does, and only where it has all of them."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))
            os.makedirs(os.path.join(folder, "test-results"))
            for name in stale:
                write(folder, {name: "{}"})
            self.assertEqual(self.run_all(golden, folder, {}), [1])
            with ThreadPoolExecutor(4) as pool:  # as a build service does: at once
                self.assertEqual(list(pool.map(lambda part: self.run_all(part[0], folder, part[1]), parts)), [[0]] * len(parts))
            self.assertEqual(self.run_all(rate, folder, {}), [0])
            shards = sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names if re.fullmatch("shard-[0-9].json", name))
            self.assertEqual(len(shards), 4)
            for name, outcome, judged in (("golden", "fail", 5), ("rate", "pass", 100)):
                with open(os.path.join(folder, f"{name}.json"), encoding="utf-8") as file:
                    told = json.load(file)
                self.assertEqual((told["outcome"], told["errors"]), (outcome, []))
                self.assertGreaterEqual(told["counts"]["samples"], judged)
                for kept in (f"{tests}{name}.xml", f"{name}.html"):
                    self.assertTrue(os.path.exists(os.path.join(folder, *kept.split("/"))), kept)
            os.remove(shards[1])
            self.assertEqual(self.run_all(rate, folder, {}), [4])
            for shard in (shards[0], *shards[2:]):
                os.remove(shard)
            self.assertEqual(self.run_all(rate, folder, {}, is_quiet=False), [4])

    def run_all(self, lines, folder, variables, is_quiet=True):
        """The exit code of each command, run in a folder as a build service does; it says nothing beside its report, where it `is_quiet`."""
        python = f"{shlex.quote(sys.executable)} -m gatekit"
        places = {"GITHUB_STEP_SUMMARY": "{folder}/" + SUMMARY, "BUILD_ARTIFACTSTAGINGDIRECTORY": "{folder}", "PIPELINE_WORKSPACE": "{folder}"}
        variables = {name: value.replace("{folder}", folder) for name, value in {**places, **variables}.items()}
        os.makedirs(variables["BUILD_ARTIFACTSTAGINGDIRECTORY"], exist_ok=True)
        codes = []
        for line in lines:
            command = "set -e\n" + re.sub("python3? -m gatekit", lambda _: python, line)
            done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, env={**os.environ, **COMPILED, "PYTHONPATH": ROOT, **variables})
            if is_quiet:
                self.assertEqual(done.stderr, b"", line)
            codes.append(done.returncode)
        return codes


if __name__ == "__main__":
    unittest.main()
