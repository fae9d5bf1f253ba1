"""Cost grows with the length of an output and no faster, on hostile text too: ten times the text may take at most 40 times the time."""
import time
import unittest

import gatekit

HOSTILE = {
    "brackets": "[",
    "objects": '{"a":',
    "pairs": "[[],",
    "quotes": '"',
    "backslashes": "\\",
    "open reasoning": "<think>",
    "closed reasoning": "<think></think>",
    "ticks of two lengths": "`` `",
    "stars": "*a ",
    "stars that pair": "**a**",
    "underscores": "_a_ ",
    "links": "[a](b)",
    "half links": "[a](",
    "marks": "a\u0301\u0316",
    "only marks": "\u0301\u0316",
    "nobody sees": "\u200b",
    "full width": "\uff41",
    "prefixes": "sk-",
    "fused prefixes": "task-1",
    "key heads": "-----BEGIN ",
    "tokens": "eyJ",
    "addresses": "://a:b@",
    "assignments": "password=",
    "refusals begun": "i can't ",
    "digits": "1,",
    "grouped digits": "1 000 ",
    "words": "refund ",
    "fences": "```json\n",
    "spaces": "  \n",
}


class Linear(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gate = gatekit.Gate(
            gatekit.Rubric(must_include=["refund", ["14 days", "1000"]], must_exclude=["zzz", "sorry"], forbidden_prefix=["sk-"], packs=["secrets", "refusals"]),
            gatekit.Matcher("near", value=["refund", "zz"], within=3),
            gatekit.Matcher("count", of="sentences", op="lte", value=5),
            gatekit.Matcher("json_field", field="a", op="eq", value=1),
        )

    def seconds(self, text):
        start = time.process_time()
        self.gate.check(text)
        return time.process_time() - start

    def test_hostile_texts(self):
        self.gate.check("warm \u2019 up sk-x")
        for name, piece in HOSTILE.items():
            with self.subTest(name=name):
                short, long = 4000, 40000
                few = min(self.seconds(piece * (short // len(piece))) for _ in range(2))
                many = self.seconds(piece * (long // len(piece)))
                # Times below a tenth of a second say nothing on a busy machine.
                self.assertTrue(many < 0.1 or many < 40 * max(few, 0.002), (few, many))


if __name__ == "__main__":
    unittest.main()
