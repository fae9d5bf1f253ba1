"""The example of one batch on many engines: all that are installed give the same bytes."""
import contextlib
import io
import unittest

from examples.scale import batch

from .running import run


def printed(engine):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = batch.main(engine)
    return code, out.getvalue()


class Engines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.expected = printed("here")

    def test_here(self):
        code, text = self.expected
        self.assertEqual(code, 0)
        self.assertIn("passed:         391\ncheck_failed:   3\ntransient:      6 (excluded from the rate)\nfailure rate:   0.76% (3 of 394) (threshold 3.0%)\n", text)

    def test_processes(self):
        code, out, err = run("processes", module="examples.scale.batch")
        self.assertEqual((code, out.decode().replace("\r\n", "\n"), err), (*self.expected, b""))

    def test_dask(self):
        try:
            import dask.bag  # noqa: F401
        except ImportError:
            self.skipTest("Dask is not installed")
        code, out, _ = run("dask", module="examples.scale.batch")
        self.assertEqual((code, out.decode()), self.expected)

    def test_spark(self):
        try:
            import pyspark  # noqa: F401
        except ImportError:
            self.skipTest("PySpark is not installed")
        code, out, _ = run("spark", module="examples.scale.batch")
        self.assertEqual((code, out.decode()), self.expected)

    def test_the_command_gives_the_same_counts(self):
        code, out, _ = run("batch", "examples.scale.batch:SCENARIO", "-n", "400")
        self.assertEqual(code, 0)
        rows = self.expected[1].split("samples:")[1].split("gate:")[0].splitlines()
        for row in rows:
            self.assertIn(row.strip(), out.decode())


if __name__ == "__main__":
    unittest.main()
