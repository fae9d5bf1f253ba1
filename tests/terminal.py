"""Runs the program on a pseudo-terminal, as a person does at a keyboard: it waits for words, and types an answer."""
import os
import select
import subprocess
import sys
import time

from .running import COMPILED, ROOT

try:
    import fcntl
    import pty
    import struct
    import termios
except ImportError:  # not on this system: who asks `AVAILABLE` is skipped
    pty = None

AVAILABLE = pty is not None
INTERRUPT = b"\x03"  # Ctrl-C
END = b"\x04"  # Ctrl-D
SECONDS = 60


class Terminal:
    """`python -m gatekit WORDS` on a terminal of its own, of so many columns (0: nobody knows). `seen` is all that stood on the screen, with plain line ends."""

    def __init__(self, *words, cwd=ROOT, env=None, columns=0):
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 0, columns, 0, 0))
        surroundings = {**os.environ, "PYTHONPATH": ROOT, "PYTHONUTF8": "1", "TERM": "dumb", "NO_COLOR": "1", **COMPILED, **(env or {})}
        self._program = subprocess.Popen(
            [sys.executable, "-m", "gatekit", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=cwd,
            env=surroundings,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self._deadline = time.monotonic() + SECONDS
        self._raw = b""
        self._read = 0  # up to here the screen was waited for

    @property
    def seen(self):
        return self.read_as("utf-8")

    def read_as(self, encoding):
        """All that stood on a screen that shows another encoding."""
        return self._raw.decode(encoding, "backslashreplace").replace("\r\n", "\n")

    def wait(self, words):
        """Wait until words stand on the screen, after those that were waited for before."""
        wanted = words.encode()
        while wanted not in self._raw[self._read :]:
            if not self._more():
                raise AssertionError(f"the program ended without {words!r} on the screen:\n{self.seen}")
        self._read = self._raw.index(wanted, self._read) + len(wanted)

    def type(self, keys):
        """Press keys: text is a line, bytes are keys as they are."""
        os.write(self._master, keys if isinstance(keys, bytes) else keys.encode() + b"\n")

    def answer(self, prompt, *lines):
        """Wait for a prompt before each line that is typed."""
        for line in lines:
            self.wait(prompt)
            self.type(line)

    def pause(self):
        """Let the program work for a moment."""
        if time.monotonic() > self._deadline or self._program.poll() is not None:
            raise AssertionError(f"the program took too long, or ended; on the screen:\n{self.seen}")
        time.sleep(0.01)

    def end(self):
        """Wait for the end of the program; gives its exit code."""
        while self._more():
            pass
        return self._program.wait(max(1, self._deadline - time.monotonic()))

    def _more(self):
        left = self._deadline - time.monotonic()
        if left <= 0 or not select.select([self._master], [], [], left)[0]:
            raise AssertionError(f"the program took too long; on the screen:\n{self.seen}")
        try:
            piece = os.read(self._master, 65536)
        except OSError:  # Linux says so that nobody holds the other side any more
            piece = b""
        self._raw += piece
        return bool(piece)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self._program.poll() is None:
            self._program.kill()
        self._program.wait()
        os.close(self._master)
