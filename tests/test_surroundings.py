"""Where the package must run, and that its output is the same bytes everywhere."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from .running import COMPILED, ROOT, run, write

PACKAGE = os.path.join(ROOT, "gatekit")
EXAMPLE = os.path.join(ROOT, "examples", "refund")


# Runs the program once for each argument, words and all, and tells the exit codes and outputs: a Python is started once, and not for each of them.
IN_ONE_PROCESS = """
import io, json, sys
from gatekit.cli.main import main
told, out = [], sys.stdout
for words in sys.argv[1:]:
    sys.stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    told.append([main(words.split()), sys.stdout.buffer.getvalue().decode("utf-8")])
out.write(json.dumps(told))
"""


def expected():
    return run(EXAMPLE)[:2]


def pythons():
    """Every CPython from 3.9 on at hand, this one among them; one of each version."""
    found = {sys.version_info[:2]: sys.executable}
    roots = [os.path.join(os.path.expanduser("~"), ".pyenv", "versions")]
    candidates = [os.path.join(root, name, "bin", "python") for root in roots if os.path.isdir(root) for name in sorted(os.listdir(root))]
    candidates += [shutil.which(f"python3.{minor}") for minor in range(9, 15)]
    for candidate in candidates:
        if candidate and os.path.exists(candidate):
            said = subprocess.run([candidate, "-c", "import sys; print(*sys.version_info[:2], sys.implementation.name)"], capture_output=True, text=True)
            words = said.stdout.split()
            if said.returncode == 0 and len(words) == 3 and words[2] == "cpython" and (int(words[0]), int(words[1])) >= (3, 9):
                found.setdefault((int(words[0]), int(words[1])), candidate)
    return found


class Surroundings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.expected = expected()
        if cls.expected[0] != 1 or b"3 of 6 passed" not in cls.expected[1]:
            raise AssertionError("the example itself does not run")

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def start(self, *command, cwd=None, env=None):
        [told] = self.start_all([(command, env)], cwd)
        return told

    def start_all(self, commands, cwd=None):
        """The exit code and the output of each `(command, environment)`, all of them running at once."""
        surroundings = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        started = [
            subprocess.Popen(command, cwd=cwd or self.folder.name, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**surroundings, **COMPILED, **(env or {})})
            for command, env in commands
        ]
        told = [(process, *process.communicate()) for process in started]
        self.assertEqual([err for _, _, err in told], [b""] * len(told))
        return [(process.returncode, out) for process, out, _ in told]

    def test_vendored(self):
        shutil.copytree(PACKAGE, os.path.join(self.folder.name, "host", "_vendor", "gatekit"), ignore=shutil.ignore_patterns("__pycache__"))
        write(self.folder.name, {"host/__init__.py": "", "host/_vendor/__init__.py": ""})
        self.assertEqual(self.start(sys.executable, "-m", "host._vendor.gatekit", EXAMPLE), self.expected)
        self.assertTrue(os.path.exists(os.path.join(self.folder.name, "host", "_vendor", "gatekit", "LICENSE")))

    def test_from_a_zip(self):
        with zipfile.ZipFile(os.path.join(self.folder.name, "gatekit.zip"), "w") as archive:
            for folder, _, leaves in os.walk(PACKAGE):
                for leaf in leaves:
                    if leaf.endswith(".py"):
                        path = os.path.join(folder, leaf)
                        archive.write(path, os.path.relpath(path, ROOT))
        code = "import sys; sys.path.insert(0, 'gatekit.zip'); from gatekit.cli.main import main; sys.exit(main(sys.argv[1:]))"
        self.assertEqual(self.start(sys.executable, "-c", code, EXAMPLE), self.expected)

    def test_the_folder_as_a_script(self):
        for way in (PACKAGE, os.path.join(PACKAGE, "__main__.py")):
            self.assertEqual(self.start(sys.executable, "-W", "error", way, EXAMPLE), self.expected)
        with zipfile.ZipFile(os.path.join(self.folder.name, "p.zip"), "w") as archive:
            for folder, _, leaves in os.walk(PACKAGE):
                for leaf in leaves:
                    if leaf.endswith(".py"):
                        archive.write(os.path.join(folder, leaf), os.path.relpath(os.path.join(folder, leaf), ROOT))
        self.assertEqual(self.start(sys.executable, os.path.join("p.zip", "gatekit"), EXAMPLE), self.expected)

    def test_a_folder_whose_name_is_none(self):
        shutil.copytree(PACKAGE, os.path.join(self.folder.name, "gate-kit"), ignore=shutil.ignore_patterns("__pycache__"))
        done = subprocess.run([sys.executable, "gate-kit", EXAMPLE], cwd=self.folder.name, capture_output=True, env={**os.environ, **COMPILED})
        self.assertEqual((done.returncode, done.stdout), (4, b""))
        self.assertRegex(done.stderr.decode(), "^error: 'gate-kit' is no name that Python can import: .*\n$")

    def test_isolated_without_site_optimised_and_with_warnings_as_errors(self):
        code = f"import sys; sys.path.insert(0, {ROOT!r}); from gatekit.cli.main import main; sys.exit(main(sys.argv[1:]))"
        every = (("-I", "-S"), ("-O",), ("-OO",), ("-W", "error"), ("-X", "utf8=0"), ("-B",))
        for flags, told in zip(every, self.start_all([((sys.executable, *flags, "-c", code, EXAMPLE), {}) for flags in every])):
            self.assertEqual(told, self.expected, flags)

    def test_read_only(self):
        target = os.path.join(self.folder.name, "gatekit")
        shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
        for folder, _, leaves in os.walk(target):
            for leaf in leaves:
                os.chmod(os.path.join(folder, leaf), 0o444)
            os.chmod(folder, 0o555)
        try:
            self.assertEqual(self.start(sys.executable, "-m", "gatekit", EXAMPLE), self.expected)
        finally:
            for folder, _, _ in os.walk(target):
                os.chmod(folder, 0o755)

    def test_ten_hash_seeds(self):
        seeds = [{"PYTHONPATH": ROOT, "PYTHONHASHSEED": str(seed)} for seed in range(10)]
        self.assertEqual(self.start_all([((sys.executable, "-m", "gatekit", EXAMPLE), env) for env in seeds]), [self.expected] * 10)

    def test_two_working_directories(self):
        self.assertEqual(self.start(sys.executable, "-m", "gatekit", "examples/refund", cwd=ROOT), self.expected)
        self.assertEqual(self.start(sys.executable, "-m", "gatekit", "refund/", cwd=os.path.dirname(EXAMPLE), env={"PYTHONPATH": ROOT}), self.expected)

    def test_locales(self):
        locales = [
            {"PYTHONPATH": ROOT, "LC_ALL": name, "PYTHONCOERCECLOCALE": coerced, "PYTHONUTF8": "0"} for name in ("C", "POSIX", "C.UTF-8") for coerced in ("0", "1")
        ]
        self.assertEqual(self.start_all([((sys.executable, "-m", "gatekit", EXAMPLE), env) for env in locales]), [self.expected] * len(locales))

    def test_every_python_at_hand(self):
        write(
            self.folder.name,
            {
                "set/case.json": '{"id": "odd", "rubric": {"must_include": ["caf\u00e9"], "must_exclude": ["p\u0430ypal"], "packs": ["secrets", "refusals"]},'
                ' "matchers": [{"type": "regex", "value": "[a-z]+"}, {"type": "json_field", "field": "a[*].b", "op": "gt", "value": 1.5}]}',
                "set/runs.jsonl": "\n".join(
                    (
                        '{"case": "odd", "sample": "a", "output": "\\u001b[31mpaypal \\ud800 \\u202e \U0001e030\U00010d40 Cafe\u0301 I can\u2019t help"}',
                        '{"case": "odd", "sample": "b", "output": {"a": [{"b": 1e0}, {"b": 99999999999999999999}], "c": 0.1}}',
                        '{"case": "odd", "sample": "c", "output": "{\\"a\\": [{\\"b\\": 2}], \\"a\\": 1}"}',
                        '{"case": "odd", "sample": "d", "error": "Timeout"}',
                        '{"case": "odd", "sample": "e", "output": NaN}',
                        '{"case": "odd" "sample": "f"}',
                    )
                ),
                "set/bad.json": '{"id": "bad", "matchers": [{"type": "regex", "value": "(?<=a+)b"}]}',
                "set/worse.json": '{"id": "worse", "rubric": {"must_include": ["x"],}}',
            },
        )
        known, every = pythons(), (("set",), ("set", "--format", "json"), ("set", "--verbose"), ("--help",), ("--explain", "all"))
        told = self.start_all([((python, "-c", IN_ONE_PROCESS, *map(" ".join, every)), {"PYTHONPATH": ROOT}) for python in known.values()])
        self.assertEqual([code for code, _ in told], [0] * len(known))
        seen = {words: {version: tuple(json.loads(out)[place]) for version, (_, out) in zip(known, told)} for place, words in enumerate(every)}
        for words, answers in seen.items():
            self.assertTrue(all(out for _, out in answers.values()), words)
            self.assertEqual(len(set(answers.values())), 1, f"{words} differs between {sorted(answers)}")


if __name__ == "__main__":
    unittest.main()
