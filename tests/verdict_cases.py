"""Reads the data files of verdicts: rules, a sample, and what a careful reader expects of them.

A line holds `why`, `rules` (the fields of a case), `sample`, `status`, and, where they matter, `fails` (rule: reason, exactly),
`unknown` and `passes` (names of rules). `refused` in the place of a status means that the rules are refused, with a message that holds the words
of `says`. `{"join": [...]}` spells a text in pieces that should not stand whole in a file, `{"times": [text, n]}` a long one.
"""
import json
import os

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "verdicts")


def spelt(value):
    """A value with the texts put together that the file spells in pieces."""
    if isinstance(value, dict):
        if set(value) == {"join"}:
            return "".join(spelt(part) for part in value["join"])
        if set(value) == {"times"}:
            return value["times"][0] * value["times"][1]
        return {key: spelt(item) for key, item in value.items()}
    if isinstance(value, list):
        return [spelt(item) for item in value]
    return value


def read():
    """Yield `(file, line number, case)` of every line of every data file."""
    for leaf in sorted(os.listdir(HERE)):
        if leaf.endswith(".jsonl"):
            with open(os.path.join(HERE, leaf), encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        yield leaf, number, spelt(json.loads(line))
