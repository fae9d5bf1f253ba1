"""Reasoning that stands in the answer's own text: `<think>...</think>` and its kin, `<|channel|>analysis<|message|>...<|end|>` among them.

A tag opens reasoning until its closing tag; tags nest. An opening tag that is never closed (a truncated answer) opens it to the
end; a closing tag that was never opened (chat templates put the opening tag into the prompt) closes what began with the text.
A tag in code ticks is a mention, not a tag.
"""
from __future__ import annotations

import re

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|chain_of_thought|seed:think"
_TAG = rf"(?i)<(/?)({_NAMES})>|\[(/?)(THINK)\]|<\|(begin|end)_of_thought\|>|(<\|channel\|>analysis<\|message\|>)|(<\|end\|>)|\u25c1(/?)think\u25b7"


def reasoning_spans(text: str) -> list:
    """The places of reasoning in a text, tags included, as `[(start, end)]` in order."""
    spans: list = []
    depth, opened = 0, 0
    for tag in re.finditer(_TAG, text):
        if text[tag.start() - 1 : tag.start()] == "`" and text[tag.end() : tag.end() + 1] == "`":
            continue
        closes = "/" in tag.group() or tag.group().lower() in ("<|end_of_thought|>", "<|end|>")
        if tag.group().lower() == "<|end|>" and not depth:
            continue
        if not closes:
            if not depth:
                opened = tag.start()
            depth += 1
        elif depth > 1:
            depth -= 1
        elif depth or not spans:
            spans.append((opened if depth else 0, tag.end()))
            depth = 0
    if depth:
        spans.append((opened, len(text)))
    return spans
