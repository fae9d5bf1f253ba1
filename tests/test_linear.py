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

    def test_a_value_in_any_order_costs_its_size_and_not_its_depth(self):
        def seconds(depth, type):
            value = [f"text {number}" for number in range(4000)]
            for _ in range(depth):
                value = {"a": [value]}
            matcher = gatekit.Matcher(type, expected=value, unordered=True)
            output = gatekit.Sample(value)
            start = time.process_time()
            if not gatekit.Gate(matcher).check(output).passed:
                raise AssertionError("the value is itself")
            return time.process_time() - start

        for type in ("json_equal", "json_subset"):
            flat, deep = min(seconds(1, type) for _ in range(3)), min(seconds(90, type) for _ in range(3))
            self.assertLess(deep, 6 * max(flat, 0.005), type)

    def test_lists_in_lists_are_not_compared_again_and_again(self):
        def tree(leaf, depth):
            return [tree(leaf, depth - 1), tree(leaf, depth - 1)] if depth else [leaf]

        matcher = gatekit.Matcher("json_subset", expected=tree(1, 11), unordered=True)
        start = time.process_time()
        self.assertEqual(gatekit.Gate(matcher).check(gatekit.Sample(tree(2, 11))).status, "check_failed")
        self.assertLess(time.process_time() - start, 5, "each with each would be four million comparisons")

    def test_many_objects_in_any_order_are_not_compared_each_with_each(self):
        def seconds(count, quantity):
            rows = [{"id": {"row": number}, "quantity": number % 7} for number in range(count)]
            actual = [{**row, "more": True} for row in reversed(rows)]
            actual[-1]["quantity"] += quantity  # of the first expected row
            sample = gatekit.Sample(actual)
            gate = gatekit.Gate(gatekit.Matcher("json_subset", expected=rows, unordered=True))
            start = time.process_time()
            self.assertEqual(gate.judging.holds(sample), quantity == 0)
            return time.process_time() - start

        for quantity in (0, 1):
            few, many = min(seconds(400, quantity) for _ in range(3)), seconds(4000, quantity)
            self.assertLess(many, 40 * max(few, 0.002), "each with each would be a hundred times as much")


if __name__ == "__main__":
    unittest.main()
