"""The examples, byte for byte."""
import os
import subprocess
import sys
import unittest

from .running import COMPILED, ROOT, call

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "examples")
NAIVE = "the naive gate, output == golden: 0 of 6 pass\n"


def stored(name):
    with open(os.path.join(HERE, name), "rb") as file:
        return file.read()


class Examples(unittest.TestCase):
    def test_refund(self):
        self.assertEqual(call("examples/refund"), (1, stored("refund.txt"), b""))

    def test_refund_as_json(self):
        self.assertEqual(call("examples/refund", "--format", "json"), (1, stored("refund.json"), b""))

    def test_golden(self):
        """The older model passes all that a program can judge; the newer one breaks what its captured answers were made to break."""
        for model, code in (("model-2026-08", 2), ("model-2026-11", 1)):
            self.assertEqual(call("examples/golden", "--samples", f"examples/golden/captured/{model}.jsonl"), (code, stored(f"golden-{model}.txt"), b""))

    def test_golden_without_what_a_person_decides(self):
        words = ("--samples", "examples/golden/captured/model-2026-08.jsonl", "--tag", "smoke", "--tag", "tools", "--tag", "drafts")
        self.assertEqual(call("examples/golden", *words)[0], 0)

    def test_regression_gate(self):
        done = subprocess.run([sys.executable, os.path.join("examples", "regression_gate.py")], cwd=ROOT, capture_output=True, env={**os.environ, **COMPILED})
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout, stored("regression_gate.txt"))
        self.assertTrue(done.stdout.decode().startswith(NAIVE))


if __name__ == "__main__":
    unittest.main()
