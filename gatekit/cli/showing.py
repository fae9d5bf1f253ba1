"""One run of a step for who looks at it: what was asked and answered, the output, and what the checks say. Nothing in it acts, and no secret is shown."""
from __future__ import annotations

import json

from ..data.redaction import Redaction
from ..data.sample import Sample
from ..ground.canonical import canonical
from ..judging.verdict import Verdict, finding_lines
from ..text.quoting import visible

# Whoever asks to see it wants the whole; a text that is longer than this is cut all the same.
LONGEST = 100_000
_INDENT = "    "


class Show:
    """Shows runs under one redaction: the same secret has the same number in all of them."""

    __slots__ = ("_redaction",)

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction

    def text(self, words: str) -> str:
        """Words that belong to no sample, on one line."""
        return visible(self._redaction.text(words))

    def output(self, sample: Sample) -> list:
        """What the agent gave, as lines."""
        curtain = self._redaction.of(sample)
        if sample.conversation is not None and sample.output is None:
            return _json_lines("messages", curtain.value(sample.messages, LONGEST))
        if sample.output is None:
            return ["no output"]
        return _json_lines("output", curtain.value(sample.output, LONGEST))

    def verdict(self, verdict: Verdict) -> list:
        """The status and every finding, as lines; those that held come last."""
        lines = [f"verdict: {verdict.status}"]
        for outcome in ("fail", "unknown", "review", "pass"):
            for line in finding_lines([finding for finding in verdict.findings if finding.outcome == outcome]):
                lines.append(f"  {line}" if line.startswith(" ") else f"  [{outcome}] {line.rstrip(': ') if outcome == 'pass' else line}")
        if verdict.reasoning:
            lines.append(f"  reasoning in the output: {verdict.reasoning}")
        return lines

    def problems(self, verdict: Verdict) -> list:
        """The status and what did not hold, as lines."""
        return [f"verdict: {verdict.status}", *(f"  {line}" for line in finding_lines(verdict.blamed))]

    def log(self, log: tuple) -> list:
        """Every prompt and response, and every call of a tool, in their order, as lines."""
        lines: list = []
        for number, entry in enumerate(log, 1):
            kind = entry["kind"]
            if kind == "tool":
                lines += self._part(f"{number}. call of the tool {visible(entry['name'])}", entry["arguments"])
                lines += self._answer(f"{number}. result", entry, "result")
            else:
                lines += self._part(f"{number}. prompt", entry["request" if kind == "model" else "prompt"])
                lines += self._answer(f"{number}. response", entry, "response")
        return lines or ["no prompt was kept: the agent asks its model through step.client, or tells step.prompt(...)"]

    def _answer(self, head: str, entry: dict, name: str) -> list:
        for part, words in ((name, ""), ("stream", ", in pieces"), ("failed", ", which failed")):
            if entry.get(part) is not None:
                return self._part(head + words, entry[part])
        return [f"{head}: none was kept"]

    def _part(self, head: str, value: object) -> list:
        return [f"{head}:", *_outline(self._redaction.of_value(value).value(value, LONGEST), _INDENT)]


def _json_lines(head: str, value: object) -> list:
    """A text as it stands, any other value as JSON, below a head."""
    text = value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False)
    return [f"{head}:", *_text_lines(text, _INDENT)]


def _text_lines(text: str, indent: str) -> list:
    return [indent + visible(line) if line else "" for line in text.split("\n")]


def _outline(value: object, indent: str) -> list:
    """A JSON value as indented lines, with its texts as they stand: for people, who look for what was said."""
    if isinstance(value, str):
        return _text_lines(value, indent)
    if not value or not isinstance(value, (dict, list)):
        return [indent + visible(canonical(value))]
    lines: list = []
    if isinstance(value, list):
        for item in value:
            first, *rest = _outline(item, indent + "  ")
            lines += [f"{indent}- {first[len(indent) + 2:]}", *rest]
        return lines
    for key, member in value.items():
        below = _outline(member, indent + "  ")
        if len(below) == 1 and not (member and isinstance(member, (dict, list))):
            lines.append(f"{indent}{visible(key)}: {below[0].lstrip(' ')}")
        else:
            lines += [f"{indent}{visible(key)}:", *below]
    return lines
