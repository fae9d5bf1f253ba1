"""Runs the program as a user does, in a process of its own."""
import atexit
import io
import os
import shutil
import subprocess
import sys
import tempfile

# Compiled modules of all programs that the tests start, so that each Python compiles the package once; nothing is written into the tree.
_CACHE = tempfile.mkdtemp()
atexit.register(shutil.rmtree, _CACHE, True)
COMPILED = {"PYTHONPYCACHEPREFIX": _CACHE, "PYTHONDONTWRITEBYTECODE": ""}
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(*words, cwd=ROOT, stdin=b"", python=(sys.executable,), env=None, module="gatekit"):
    """The exit code, the standard output and the standard error, as bytes, of `python -m gatekit WORDS`."""
    surroundings = {**os.environ, "PYTHONPATH": ROOT, **COMPILED, **(env or {})}
    done = subprocess.run([*python, "-m", module, *words], cwd=cwd, input=stdin, capture_output=True, env=surroundings, timeout=120)
    return done.returncode, done.stdout, done.stderr


def write(folder, files):
    """Write files below a folder: name to text, or to bytes."""
    for name, content in files.items():
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8"))


def call(*words, cwd=ROOT, stdin=b""):
    """As `run`, in this process: faster, for what needs no process of its own."""
    from gatekit.cli.main import main

    streams = sys.stdin, sys.stdout, sys.stderr
    here = os.getcwd()
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
    sys.stdout, sys.stderr = io.TextIOWrapper(out, encoding="utf-8"), io.TextIOWrapper(err, encoding="utf-8")
    os.chdir(cwd)
    try:
        code = main(list(words))
        sys.stdout.flush()
        sys.stderr.flush()
        return code, out.getvalue(), err.getvalue()
    finally:
        os.chdir(here)
        sys.stdin, sys.stdout, sys.stderr = streams
