"""Reasoning that stands in the answer's own text: `<think>...</think>` and its kin, `<|channel|>analysis<|message|>...<|end|>` among them.

A tag opens reasoning until its closing tag; tags nest. An opening tag that is never closed (a truncated answer) opens it to the
end; a closing tag that was never opened (chat templates put the opening tag into the prompt) closes what began with the text.
A tag in code ticks or in a fenced block is a mention, not a tag; so is every tag in what is one JSON value, from the start or behind reasoning.
"""
from __future__ import annotations

import re

from ..formats.strict_json import ValueReader

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|chain_of_thought|seed:think"
_TAG = rf"(?i)<(/?)({_NAMES})>|\[(/?)(THINK)\]|<\|(begin|end)_of_thought\|>|(<\|channel\|>analysis<\|message\|>)|(<\|end\|>)|\u25c1(/?)think\u25b7"


def reasoning_spans(text: str) -> list:
    """The places of reasoning in a text, tags included, as `[(start, end)]` in order."""
    spans: list = []
    depth, opened, ticks, counted = 0, 0, 0, 0
    if _is_json(text, 0):
        return spans
    for tag in re.finditer(_TAG, text):
        start, end = tag.span()
        word = tag.group().lower()
        if text[start - 1 : start] == "`" and text[end : end + 1] == "`" or word == "<|end|>" and not depth:
            continue
        if not depth:
            ticks, counted = ticks + text.count("```", counted, start), start
            if ticks % 2:
                continue
        if "/" in word or word in ("<|end_of_thought|>", "<|end|>"):
            if depth > 1:
                depth -= 1
            elif depth or not spans:
                spans.append((opened if depth else 0, end))
                depth, ticks, counted = 0, 0, end
                if _is_json(text, end):
                    break
            continue
        if not depth:
            opened = start
        depth += 1
    if depth:
        spans.append((opened, len(text)))
    return spans


def _is_json(text: str, start: int) -> bool:
    """Whether what stands from an offset on is one JSON object or array and nothing else."""
    first, last = re.compile(r"\s*").match(text, start).end(), len(text.rstrip())
    if text[first : first + 1] not in ("{", "[") or text[last - 1] not in "}]":
        return False
    found = ValueReader(text).attempt(first, last)
    return found is not None and found[1] == last
