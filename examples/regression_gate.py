"""Two gates on the same six captured answers: `==` against one golden answer, and the invariants inside the answer.

Run it from the root of the repository: python examples/regression_gate.py
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from gatekit import Gate, Rubric, read_json  # noqa: E402

GOLDEN = "You can return the headphones within 14 days for a full refund. We pay for the return shipping."

gate = Gate(
    Rubric(
        must_include=["refund", "14 days", "shipping"],
        must_exclude=["I cannot assist", "I'm unable to help"],
        forbidden_prefix=["sk-", "AKIA"],
    )
)


def captured():
    """The captured runs, as sample mappings."""
    with open(os.path.join(HERE, "refund", "runs.jsonl"), "rb") as lines:
        return [read_json(line) for line in lines]


def main():
    samples = captured()
    equal = sum(sample["output"] == GOLDEN for sample in samples)
    print(f"the naive gate, output == golden: {equal} of {len(samples)} pass")
    print()
    for sample in samples:
        verdict = gate.check(sample)
        print(verdict)
    print()
    print(gate.judge(samples).summary)
    print()
    print("6-inverted passed, and it is wrong: it carries every required word and says the opposite.")
    print("That is the floor of the method. A gate is a tripwire, not a proof.")


if __name__ == "__main__":
    main()
