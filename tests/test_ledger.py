"""Batches and their ledgers: no run is lost and none made twice, whoever dies; and however a batch is shared, its report is the same."""
import json
import os
import random
import signal
import sys
import tempfile
import time
import unittest

import gatekit
from gatekit.cli.main import main
from gatekit.ground.canonical import canonical
from gatekit.ground.errors import GatekitError
from gatekit.ground.files import make_folder
from gatekit.judging.tally import EVIDENCE
from gatekit.runs.batch import Batch, Memory
from gatekit.runs.ledger import Ledger, read_samples
from gatekit.runs.merging import in_common_order
from gatekit.runs.shards import Shard

from . import batch_agents
from .running import ROOT, call, run, write

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "ledger")
HERE = "tests.batch_agents:"


class InAFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def at(self, *names):
        return os.path.join(self.folder.name, *names)

    def lines(self, ledger):
        """All whole lines of a ledger by their run."""
        found = {}
        for leaf in sorted(os.listdir(ledger)) if os.path.isdir(ledger) else ():
            with open(os.path.join(ledger, leaf), "rb") as file:
                for line in file:
                    if line.endswith(b"\n"):
                        mapping = json.loads(line)
                        found.setdefault(mapping["sample"], []).append(line)
        return found


class Reading(InAFolder):
    def test_folders(self):
        with open(os.path.join(DATA, "folders.json"), encoding="utf-8") as file:
            rows = json.load(file)
        for place, row in enumerate(rows):
            with self.subTest(row["about"]):
                write(self.at(str(place)), row["files"])
                ledger = Ledger(self.at(str(place)))
                taken, known = [], set()

                def take(sample):
                    key = sample.sample, sample.attempt or 1
                    taken.extend([sample.sample] * (key not in known))
                    return key not in known and not known.add(key)

                errors = read_samples([ledger], take, {"a"})
                self.assertEqual(taken, row["taken"])
                self.assertEqual([[os.path.basename(error.file), error.line] for error in errors], [wanted[:2] for wanted in row["errors"]], list(map(str, errors)))
                for error, wanted in zip(errors, row["errors"]):
                    self.assertIn(wanted[2] if len(wanted) > 2 else "", error.message)
                self.assertEqual([os.path.basename(note.split(": ")[0]) for note in ledger.notes], row["notes"])

    def test_a_writer_goes_on_with_its_file(self):
        whole = '{"case": "a", "sample": "1", "output": "x"}'
        for before, after, cut in (
            ("", "", 0),
            (whole + "\n", whole + "\n", 0),
            (whole, whole + "\n", 0),
            (whole + "\n" + whole[:-1], whole + "\n", len(whole) - 1),
            (whole[:5], "", 5),
            (whole + "\n{oh\n", whole + "\n", 4),
            (whole + "\n\n", whole + "\n", 1),
            (whole + "\n" + '{"' + "x" * 200000, whole + "\n", 200002),
        ):
            write(self.folder.name, {"l/w.jsonl": before})
            writer = Ledger(self.at("l")).writer("w")
            self.assertEqual(writer.cut, cut, before[:80])
            writer.add(gatekit.Sample("y", case="a", sample="2"))
            writer.close()
            with open(self.at("l", "w.jsonl"), encoding="utf-8") as file:
                self.assertEqual(file.read(), after + '{"case": "a", "sample": "2", "output": "y"}\n')

    def test_whatever_a_sample_holds_comes_back(self):
        made = []
        for number, sample in enumerate(
            (
                gatekit.Sample({"n": 10**30, "f": 0.1, "t": [True, None, "\ud800\x00\u2028 \x85 é"]}),
                gatekit.Sample(gatekit.read_json('{"exact": 0.1234567890123456789012345678901234567890, "big": 1e300, "one": 1.0}')),
                gatekit.Sample(None),
                gatekit.Sample(error="x\ny", status="error"),
                gatekit.Sample(messages=[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]),
            )
        ):
            sample = gatekit.Sample(**{**sample.fields, "case": "a", "sample": str(number)})
            made.append(sample)
            writer = Ledger(self.at("l")).writer("w")
            writer.add(sample)
            writer.close()
        read = []
        self.assertEqual(read_samples([Ledger(self.at("l"))], lambda one: read.append(one) or True, {"a"}), [])
        self.assertEqual(len(read), 5)
        self.assertEqual([canonical(one.fields.get("output")) for one in read], [canonical(one.fields.get("output")) for one in made])
        self.assertIn("0.123456789012345678901234567890123456789", canonical(read[1].output))

    def test_what_is_refused(self):
        write(self.folder.name, {"file": ""})
        with self.assertRaisesRegex(GatekitError, "is a folder"):
            Ledger(self.at("file"))
        for name in ("", "../x", "a/b", ".x", "overrides", "x.jobs", "a b", "x" * 200):
            with self.assertRaises(GatekitError, msg=name):
                Ledger(self.at("l")).writer(name)
        self.assertFalse(os.path.exists(self.at("l")))

    def test_a_writers_error_is_in_words(self):
        write(self.folder.name, {"l/w.jsonl/x": ""})
        with self.assertRaisesRegex(GatekitError, "cannot be written"):
            Ledger(self.at("l")).writer("w")


class Batches(InAFolder):
    def batch(self, *words, code=None):
        done = call("batch", *words, cwd=ROOT)
        if code is not None:
            self.assertEqual(done[0], code, done)
        return done

    def test_the_report_is_that_of_the_ledger(self):
        plain = self.batch(HERE + "UNSTEADY", "-n", "60", "--no-curtail", code=1)
        kept = self.batch(HERE + "UNSTEADY", "-n", "60", "--no-curtail", "--ledger", self.at("l"), code=1)
        self.assertEqual(kept, plain)
        again = self.batch(HERE + "UNSTEADY", "-n", "60", "--no-curtail", "--ledger", self.at("l"), code=1)
        self.assertEqual(again[1], plain[1])
        self.assertEqual(again[2], b"note: 60 of 60 runs stand in the ledger and are not made again\n")
        self.assertEqual({len(lines) for lines in self.lines(self.at("l")).values()}, {1})

    def test_every_outcome(self):
        report = json.loads(self.batch(HERE + "UNSTEADY", "-n", "200", "--no-curtail", "--format", "json")[1])
        self.assertTrue(all(report["counts"][name] for name in ("passed", "check_failed", "error", "transient", "inconclusive")), report["counts"])
        self.assertEqual(report["counts"]["samples"], 200)

    def test_asynchronous_agents_give_the_same(self):
        self.assertEqual(self.batch(HERE + "WAITING", "-n", "60")[:2], self.batch(HERE + "UNSTEADY", "-n", "60")[:2])

    def test_more_runs_later(self):
        self.batch(HERE + "STEADY", "-n", "5", "--ledger", self.at("l"), code=0)
        first = self.lines(self.at("l"))
        self.batch(HERE + "STEADY", "-n", "12", "--ledger", self.at("l"), code=0)
        self.assertEqual(sorted(self.lines(self.at("l"))), [f"run-{number:04d}" for number in range(1, 13)])
        self.assertLessEqual(first.items(), self.lines(self.at("l")).items())

    def test_a_batch_that_is_settled_stops_and_says_so(self):
        code, out, _ = self.batch(HERE + "FAILING", "-n", "100", "--ledger", self.at("l"))
        self.assertEqual((code, len(self.lines(self.at("l")))), (1, 2))
        self.assertIn(b"stopped after 2 of 100 samples: no other could change the outcome", out)
        self.assertEqual(self.batch(HERE + "FAILING", "-n", "100", "--ledger", self.at("l"))[:2], (code, out))
        self.assertIn(b"samples:        100\n", self.batch(HERE + "FAILING", "-n", "100", "--ledger", self.at("l"), "--no-curtail")[1])

    def test_a_ledger_is_a_folder_of_samples(self):
        self.batch(HERE + "UNSTEADY", "-n", "30", "--ledger", self.at("l"), "--no-curtail")
        write(self.folder.name, {"set/c.json": '{"id": "unsteady", "rubric": {"must_include": ["refund"]}}'})
        code, out, err = call(self.at("set"), "--samples", self.at("l", "runs.jsonl"))
        self.assertIn(b"samples:        30\n", out)
        self.assertEqual(err, b"")

    def test_runs_with_other_feedback_are_not_taken_for_this_batchs(self):
        self.batch(HERE + "TALK", "-n", "3", "--ledger", self.at("l"), code=0)
        out = self.batch(HERE + "TALK", "-n", "3", "--ledger", self.at("l"), "--feedback", "sooner", code=4)[1]
        self.assertIn(b"made with other feedback", out)
        self.batch(HERE + "TALK", "-n", "3", "--ledger", self.at("m"), "--feedback", "sooner", code=0)
        self.assertEqual({len(lines) for lines in self.lines(self.at("l")).values()}, {1})  # the ledger was not spoiled
        self.batch(HERE + "TALK", "-n", "3", "--ledger", self.at("l"), code=0)

    def test_a_folder_that_another_writer_makes_at_the_same_moment(self):
        for _ in range(2):
            make_folder(self.at("l"), "l")
        write(self.folder.name, {"file": ""})
        with self.assertRaises(GatekitError):
            make_folder(self.at("file"), "file")

    def test_a_report_in_the_place_of_the_ledger_is_refused(self):
        self.batch(HERE + "STEADY", "-n", "2", "--ledger", self.at("l"))
        code, _, err = self.batch(HERE + "STEADY", "-n", "2", "--ledger", self.at("l"), "--report", f"json={self.at('l', 'runs.jsonl')}")
        self.assertEqual(code, 4)
        self.assertIn(b"would overwrite", err)

    def test_thresholds_of_the_command_line(self):
        for words, code in (
            ((), 0), (("--min-judged", "41"), 2), (("--max-failure-rate", "1%", "--confidence", "95%"), 2), (("--max-failure-rate", "50%", "--confidence", "95%"), 0), (("--max-failure-rate", "0"), 0),
        ):
            self.batch(HERE + "STEADY", "-n", "40", *words, code=code)

    def test_usage(self):
        for words, told in (
            ((), "name one scenario"),
            ((HERE + "STEADY", HERE + "TALK"), "name one scenario"),
            ((HERE + "STEDY",), "did you mean STEADY"),
            (("tests.batch_agents",), "MODULE:NAME"),
            ((HERE + "STEADY", "-n", "0"), "from 1 to"),
            ((HERE + "STEADY", "-n", "x"), "whole number"),
            ((HERE + "STEADY", "--shard", "3/2"), "from 1 to N"),
            ((HERE + "STEADY", "--shard", "half"), "a shard is I/N"),
            ((HERE + "STEADY", "--writer", "w"), "--ledger DIR"),
            ((HERE + "STEADY", "--ledger", ROOT + "/README.md"), "is a folder"),
            ((HERE + "STEADY", "--agent", HERE + "steady"), "goes with --corpus"),
            ((HERE + "STEADY", "--max-failure-rate", "5"), "between 0 and 1"),
            ((HERE + "STEADY", "--legder", "x"), "did you mean --ledger"),
            ((HERE + "UNCHECKED",), "has no checks"),
            (("--corpus", "x"), "--agent"),
            (("--corpus", "x", "--agent", HERE + "replayed"), "--template"),
            (("--corpus", "x", "--agent", HERE + "replayed", "--template", HERE + "TEMPLAET"), "did you mean TEMPLATE"),
            (("--corpus", "nowhere", "--agent", HERE + "replayed", "--template", HERE + "TEMPLATE"), "it is not there"),
        ):
            code, out, err = self.batch(*words)
            self.assertEqual((code, out), (4, b""), words)
            self.assertIn(told, err.decode(), words)

    def test_help(self):
        for command in ("batch", "merge"):
            code, out, _ = call(command, "--help")
            self.assertEqual(code, 0)
            self.assertTrue(all(len(line) <= 132 for line in out.decode().splitlines()))


@unittest.skipUnless(hasattr(os, "fork"), "there are no processes to fork here")
class Killed(InAFolder):
    def child(self, *words):
        """Begin a command in a process of its own that has everything loaded; gives its id."""
        made = os.fork()
        if made:
            return made
        try:
            sys.stdout = sys.stderr = open(os.devnull, "w")
            os.chdir(ROOT)
            code = main(list(words))
        finally:
            os._exit(code)

    def test_fifty_times(self):
        runs, kills, ledger, trace = 1000, 50, self.at("l"), self.at("trace")
        words = ("batch", HERE + "TRACED", "-n", str(runs), "--ledger", ledger)
        os.environ["GATEKIT_TEST_TRACE"] = trace
        self.addCleanup(os.environ.pop, "GATEKIT_TEST_TRACE")
        write(self.folder.name, {"trace": ""})
        call("batch", HERE + "STEADY", cwd=ROOT)  # everything is loaded before the first fork
        rng, before, begun, deadline = random.Random(11), {}, 0, time.monotonic() + 15
        died = went_on = 0
        while died < kills and len(before) < runs and time.monotonic() < deadline:
            child = self.child(*words)
            size, patience = os.path.getsize(trace), time.monotonic() + (1 if rng.random() < 0.9 else 0)
            while os.path.getsize(trace) == size and time.monotonic() < patience:
                time.sleep(0.001)  # some die before their first run, most among their runs
            time.sleep(rng.random() * 0.02)
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            died += os.WIFSIGNALED(status)
            now = self.lines(ledger)
            self.assertLessEqual(before.items(), now.items())  # what was finished stays, byte for byte
            with open(trace, "rb") as file:
                started = file.read().split()
            self.assertFalse({name.decode() for name in started[begun:]} & before.keys())  # and is not made again
            went_on += len(now) > len(before)
            before, begun = now, len(started)
        self.assertGreater(min(died, went_on), 5)
        code, out, _ = call(*words, cwd=ROOT)
        found = self.lines(ledger)
        self.assertEqual((code, len(found), {len(lines) for lines in found.values()}), (0, runs, {1}))
        self.assertEqual(out, call("batch", HERE + "TRACED", "-n", str(runs), cwd=ROOT)[1])

    def test_a_last_line_that_is_torn_anywhere(self):
        words = ("batch", HERE + "UNSTEADY", "-n", "4", "--ledger", self.at("l"))
        whole = call(*words, cwd=ROOT)[:2]
        with open(self.at("l", "runs.jsonl"), "rb") as file:
            content = file.read()
        last = content.rstrip(b"\n").rfind(b"\n") + 1
        for length in range(last, len(content) + 1):
            with open(self.at("l", "runs.jsonl"), "wb") as file:
                file.write(content[:length])
            self.assertEqual(call(*words, cwd=ROOT)[:2], whole, length)
            with open(self.at("l", "runs.jsonl"), "rb") as file:
                self.assertEqual(file.read().rstrip(b"\n"), content.rstrip(b"\n"), length)

    def test_two_writers_at_once_lose_nothing(self):
        for share in (lambda number: ("--shard", f"{number}/2"), lambda number: ("--writer", f"w{number}")):
            ledger = self.at(share(1)[0])
            children = [self.child("batch", HERE + "STEADY", "-n", "150", "--ledger", ledger, *share(number)) for number in (1, 2)]
            self.assertEqual([os.waitpid(child, 0)[1] for child in children], [0, 0])
            self.assertEqual(len(self.lines(ledger)), 150)
            code, out, err = call("merge", ledger, "--scenario", HERE + "STEADY", "-n", "150", cwd=ROOT)
            self.assertEqual((code, out, err), (0, call("batch", HERE + "STEADY", "-n", "150", cwd=ROOT)[1], b""))

    def test_ctrl_c(self):
        os.environ["GATEKIT_TEST_TRACE"] = self.at("trace")
        self.addCleanup(os.environ.pop, "GATEKIT_TEST_TRACE")
        kept = []

        def steps():
            batch = Batch([batch_agents.STEADY], 10, [Ledger(self.at("l"))])
            batch.read()
            writer = Ledger(self.at("l")).writer("runs")
            self.addCleanup(writer.close)

            def keep(sample):
                if len(kept) == 4:
                    raise KeyboardInterrupt
                kept.append(sample)
                writer.add(sample)

            for _ in batch.steps(keep):
                pass

        with self.assertRaises(KeyboardInterrupt):
            steps()
        code, out, _ = call("batch", HERE + "STEADY", "-n", "10", "--ledger", self.at("l"), cwd=ROOT)
        self.assertEqual((code, len(self.lines(self.at("l")))), (0, 10))

    def test_ctrl_c_on_the_command_line_ends_with_a_report_of_what_is_there(self):
        write(
            self.folder.name,
            {
                "slow.py": "import os, signal, gatekit\n"
                "def plain(step):\n    if step.sample == 'run-0003': os.kill(os.getpid(), signal.SIGINT)\n    return 'refund'\n"
                "async def waiting(step):\n    import asyncio\n    if step.sample == 'run-0003': os.kill(os.getpid(), signal.SIGINT); await asyncio.sleep(5)\n    return 'refund'\n"
                "CHECKS = [{'must_include': ['refund']}]\n"
                "PLAIN = gatekit.Scenario('s', plain, inputs=1, checks=CHECKS)\nWAITING = gatekit.Scenario('s', waiting, inputs=1, checks=CHECKS)\n"
            },
        )
        for name in ("PLAIN", "WAITING"):
            code, out, err = run("batch", f"slow:{name}", "-n", "9", "--ledger", self.at(name), cwd=self.folder.name)
            self.assertEqual((code, err), (4, b""), name)
            self.assertIn(b"error: interrupted, 7 runs are missing: the same command goes on from the ledger", out)
            self.assertIn(b"passed:         2\n", out)


class Shared(InAFolder):
    def shards(self, command, of, *words):
        """The reports of all shards, as files."""
        files = []
        for number in range(1, of + 1):
            files.append(self.at(f"{of}-{number}.json"))
            call(*command, *words, "--shard", f"{number}/{of}", "--report", f"json={files[-1]}", cwd=ROOT)
        return files

    def test_a_batch_in_shards(self):
        rng = random.Random(5)
        for of, count in ((1, 10), (2, 61), (3, 120), (7, 45)):
            batch = ("batch", HERE + "UNSTEADY", "-n", str(count), "--no-curtail")
            files = self.shards(batch, of)
            rng.shuffle(files)
            ledgers = []
            for number in range(1, of + 1):
                ledgers.append(self.at(f"ledger-{of}-{number}"))
                call(*batch, "--shard", f"{number}/{of}", "--ledger", ledgers[-1], cwd=ROOT)
            rng.shuffle(ledgers)
            for form in ("json", "text"):
                whole = call(*batch, "--format", form, cwd=ROOT)
                self.assertEqual(call("merge", *files, "--format", form), whole)
                self.assertEqual(call("merge", *ledgers, "--scenario", HERE + "UNSTEADY", "-n", str(count), "--format", form, cwd=ROOT), whole)

    def test_what_a_case_forbids_is_hidden_in_all_shards(self):
        folder, token = self.at("forbids"), "zq-" + "correct-horse"
        samples = [{"case": "one", "sample": f"s{number}", "output": f"a {token} thing"} for number in range(6)]
        write(
            folder,
            {
                "one.json": '{"id": "one", "rubric": {"must_include": ["refund"]}}',
                "two.json": '{"id": "two", "rubric": {"forbidden_prefix": ["zq-"]}}',
                "a.jsonl": "".join(json.dumps(sample) + "\n" for sample in samples),
            },
        )
        whole = call(folder, "--format", "json")
        self.assertIn(b"[secret 1: token beginning with 'zq-', 16 characters]", whole[1])
        self.assertEqual(call("merge", *self.shards((folder,), 2), "--format", "json"), whole)

    def test_a_set_in_shards(self):
        rng = random.Random(6)
        for of in (2, 5):
            folder, lines = self.at(f"set{of}"), []
            for number in range(60):
                case = rng.choice(("one", "two", "gone"))
                output = rng.choice(("a refund", "nothing", "", {"refund": [1.50, 10**20]}, f"my key {batch_agents.KEY}", "refund \x1b[31m\ud800 ##[x]"))
                sample = {"case": case, "sample": f"s{number}", "output": output}
                sample.update(rng.choice(({}, {}, {"label": "rejected", "note": "no"}, {"model": "m"}, {"finish_reason": "length"}, {"case_verdict": "rejected"})))
                lines.append(json.dumps(sample))
                if rng.random() < 0.1:
                    lines.append(json.dumps({**sample, "attempt": 2, "output": "refund"}))
                if rng.random() < 0.1:
                    lines.append(rng.choice(("{", '{"case": "none", "sample": "x", "output": "x"}', '{"case": "one", "output": "x"}', lines[-1])))
            write(
                folder,
                {
                    "one.json": '{"id": "one", "description": "d", "tags": ["t"], "owner": "me", "rubric": {"must_include": ["refund"], "packs": ["refusals"]}}',
                    "two.json": '{"id": "two", "matchers": [{"type": "no_secrets", "veto": false}], "gate": {"max_failure_rate": "10%", "confidence": 0.9}}',
                    "gone.json": '{"id": "gone", "deprecated": true, "deprecated_at": "2026-01-01", "deprecated_reason": "x"}',
                    "a.jsonl": "\n".join(lines[:30]),
                    "b.jsonl": "\n".join(lines[30:]),
                },
            )
            files = self.shards((folder,), of)
            rng.shuffle(files)
            whole = call(folder, "--format", "json")
            code, out, err = call("merge", *files, "--format", "json")
            # In shards secrets are numbered by themselves in each sample: nobody knows of the others'.
            first = [part.split(b": github token")[0] for part in whole[1].split(b"[secret ")[1:]]
            out_first = [part.split(b": github token")[0] for part in out.split(b"[secret ")[1:]]
            self.assertEqual(len(first), len(out_first))
            self.assertEqual((code, out, err), whole)

    def test_the_evidence_of_many_failures(self):
        count = EVIDENCE + 300
        lines = [json.dumps({"case": "one", "sample": f"s{number}", "output": "no" if number % 10 else "refund"}) for number in range(count + count // 8)]
        random.Random(4).shuffle(lines)
        write(self.folder.name, {"set/one.json": '{"id": "one", "rubric": {"must_include": ["refund"]}}', "set/a.jsonl": "\n".join(lines)})
        whole = call(self.at("set"), "--format", "json")
        self.assertIn(b'"findings_left_out"', whole[1])
        self.assertEqual(call("merge", *self.shards((self.at("set"),), 3), "--format", "json"), whole)

    def test_what_does_not_belong_together(self):
        batch = ("batch", HERE + "UNSTEADY", "-n", "20", "--no-curtail")
        two, three = self.shards(batch, 2), self.shards(batch, 3)
        call(*batch, "--report", f"json={self.at('whole.json')}", cwd=ROOT)
        call("batch", HERE + "STEADY", "-n", "20", "--shard", "2/2", "--report", f"json={self.at('steady.json')}", cwd=ROOT)
        call(*batch, "--shard", "2/2", "--max-failure-rate", "3%", "--report", f"json={self.at('other.json')}", cwd=ROOT)
        write(self.folder.name, {"no.json": "{}", "torn.json": '{"format": "gatekit-report/1", "cases": [', "l/runs.jsonl": ""})
        with open(two[0], encoding="utf-8") as file:
            write(self.folder.name, {"changed.json": file.read().replace('"status": "passed"', '"status": "pased"')})
        for files, told in (
            ((two[0], three[1]), "it is a shard of 3"),
            ((two[0], two[0]), "is named twice"),
            ((two[0], self.at("whole.json")), "name one kind"),
            ((two[0], self.at("steady.json")), "it has no case"),
            ((two[0], self.at("other.json")), "is another one than in"),
            ((self.at("no.json"),), "no JSON report"),
            ((self.at("torn.json"),), "torn.json"),
            ((self.at("changed.json"), two[1]), "cases[0].samples[0].status: must be one of"),
            ((self.at("nowhere.json"),), "is not there"),
            ((self.at("nowhere"), "--scenario", HERE + "UNSTEADY"), "is not there"),
            ((self.at("l"), two[0]), "not merged with each other"),
            ((self.at("l"),), "--scenario"),
            ((two[0], two[1], "--scenario", HERE + "UNSTEADY"), "says itself"),
            ((), "name what is to be merged"),
        ):
            code, out, err = call("merge", *files, cwd=ROOT)
            self.assertEqual((code, out), (4, b""), files)
            self.assertIn(told, err.decode(), files)
        code, out, _ = call("merge", three[0], three[2])
        self.assertEqual(code, 4)
        self.assertIn(b"error: the shard 2/3 is missing", out)

    def test_reports_on_other_sets_are_put_beside_each_other(self):
        for name in ("STEADY", "UNSTEADY"):
            call("batch", HERE + name, "-n", "30", "--no-curtail", "--report", f"json={self.at(name + '.json')}", cwd=ROOT)
        code, out, _ = call("merge", self.at("UNSTEADY.json"), self.at("STEADY.json"))
        self.assertIn(b"samples:        60\n", out)
        self.assertNotEqual(code, 0)

    def test_missing_runs_in_ledgers(self):
        call("batch", HERE + "STEADY", "-n", "5", "--ledger", self.at("l"), cwd=ROOT)
        self.assertEqual(call("merge", self.at("l"), "--scenario", HERE + "STEADY", cwd=ROOT)[0], 0)
        code, out, _ = call("merge", self.at("l"), "--scenario", HERE + "STEADY", "-n", "6", cwd=ROOT)
        self.assertEqual(code, 4)
        self.assertIn(b"1 of 6 runs are missing", out)

    def test_shards_share_all_there_is(self):
        for of in (1, 2, 3, 10, 64):
            counts = [0] * of
            for number in range(500):
                takers = [shard for shard in range(1, of + 1) if Shard(shard, of).takes("c", f"run-{number}")]
                self.assertEqual(len(takers), 1)
                counts[takers[0] - 1] += 1
            self.assertGreater(min(counts), 0)
        self.assertEqual([Shard(number, 4).takes("c", "run-0001") for number in range(1, 5)].index(True), SHARD_OF_FOUR)

    def test_the_order_of_errors(self):
        def error(line):
            return GatekitError("x", file="f", line=line)

        rng = random.Random(3)
        for _ in range(200):
            whole = [error(line) for line in range(rng.randrange(8))]
            parts = [[one for one in whole if rng.random() < 0.6] for _ in range(3)] + [[]]
            missing = [one for one in whole if not any(one in part for part in parts)]
            made = in_common_order(parts, lambda one: one.line)
            self.assertEqual([one.line for one in made], [one.line for one in whole if one not in missing])


class ManyCases(unittest.TestCase):
    def test_scenarios_of_one_name_are_one_case(self):
        jobs = [batch_agents.STEADY.changed(source_job_id=name, inputs={"days": 3}) for name in ("a", "b")]
        memory = Memory()
        batch = Batch(jobs, 2, [memory])
        batch.read()
        for _ in batch.steps(memory.add):
            pass
        self.assertEqual(sorted(batch.report().cases[0].statuses), ["a/run-0001", "a/run-0002", "b/run-0001", "b/run-0002"])
        with self.assertRaisesRegex(GatekitError, "other checks"):
            Batch([jobs[0], jobs[1].changed(max_failure_rate="50%")], 1, [memory])
        with self.assertRaisesRegex(GatekitError, "same ids"):
            Batch([jobs[0], jobs[0]], 1, [memory])
        with self.assertRaisesRegex(GatekitError, "nothing to run"):
            Batch([], 1, [memory])


# As `printf 'c\nrun-0001' | sha256sum` gives it, modulo 4: its last hexadecimal digit decides.
SHARD_OF_FOUR = 1

if __name__ == "__main__":
    unittest.main()
