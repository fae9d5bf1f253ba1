"""Markup that a reader does not see: paired emphasis, code ticks, links, and backslashes before punctuation; for bans also HTML.

The rules are those of CommonMark 0.31 where prose needs them, and stricter where plain text would be changed:

* A run of ticks is closed by the next run of the same length. Nothing between them is markup.
* A run of `*` or `_` opens or closes emphasis by the sides it flanks (CommonMark 6.2), and is removed only together with its partner.
  `_` is never emphasis inside a word (`max_retries`), nor are two around one name (`__init__`). `*` is none between digits (`2*3*4`),
  and inside a word only where it is doubled, for bans, or where a script writes no spaces.
* `[text](target)` and `![text](target)` read as their text. What stands in the round brackets is given back as a place of its own.
* A backslash before ASCII punctuation is removed, and what follows it is no markup.

For bans (`wide`) also: `~~` is removed, tags and comments of HTML read as nothing (those that are not part of a line as a space) and are given back as places of
their own, character references (`&nbsp;`, `&#112;`) read as their character, and the `>` of a block quote that goes on reads as nothing.

One pass from left to right: a stack for each kind of opener, and each character is looked at a bounded number of times.
"""
from __future__ import annotations

import re

from .characters import category, spaceless_scripts, white_space

_TOKEN = r"\\[!-/:-@\[-`{-~]|`+|\*+|_+|!?\[|\]"
_TAGS = (
    "a|abbr|article|aside|b|blockquote|body|br|button|caption|center|cite|code|dd|del|details|div|dl|dt|em|embed|figure|font|footer|form|h[1-6]|head|header|hr|html|i|"
    "iframe|img|input|ins|kbd|label|li|link|main|mark|meta|nav|object|ol|option|p|pre|s|script|section|select|small|span|strike|strong|style|sub|summary|sup|svg|"
    "table|tbody|td|textarea|th|thead|title|tr|tt|u|ul|var|video|wbr"
)
_WIDE_TOKEN = _TOKEN + rf"|~~+|<!--|(?i:</?(?:{_TAGS})(?=[\s/>])[^<>]*>)|&(?:[A-Za-z]{{2,8}}|#[0-9]{{1,7}}|#[xX][0-9A-Fa-f]{{1,6}});|(?<=\n)[ \t]*>+"
_INLINE = r"</?(?:abbr|a|b|code|del|em|font|i|ins|kbd|mark|s|small|span|strike|strong|tt|u|wbr)\b|<!--"
_REFERENCES = {"nbsp": " ", "amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "shy": "", "zwj": "", "zwnj": "", "rsquo": "'", "lsquo": "'",
               "ldquo": '"', "rdquo": '"', "ndash": "-", "mdash": "-", "hellip": "...", "ensp": " ", "emsp": " ", "thinsp": " ", "hyphen": "-"}  # fmt: skip
_TARGET = r"\(\s{0,9}([^\s()]*(?:\([^\s()]*\)[^\s()]*)*(?:\s{1,9}(?:\"[^\"\n]*\"|'[^'\n]*'))?)\s{0,9}\)"
_NAME = r"[A-Za-z][A-Za-z0-9_]*"


def unwrap(text: str, wide: bool = False) -> tuple:
    """What to change in a text so that it reads as its reader sees it.

    Returns the edits `[(start, end, new)]` in order and without overlap, and what is passed over and yet read by itself (link targets, tags)
    as `[(start, end)]`.
    """
    edits: list = []
    targets: list = []
    emphasis: dict = {"*": [], "_": []}
    brackets: list = []
    closing_ticks = _pair_ticks(text, wide)
    position = comment_end = 0
    for token in re.finditer(_WIDE_TOKEN if wide else _TOKEN, text):
        start, end = token.span()
        if start < position:
            continue
        mark = text[end - 1] if text[start] not in "\\<&~" and text[start] > " " else text[start]
        if mark in "<&~ \t>":
            if token.group() == "<!--":
                end = comment_end = text.find("-->", end) + 3 if comment_end >= 0 else 0
                if end < 3:  # no comment ends from here on: what looks like one is text
                    comment_end = -1
                    continue
            edits.append((start, end, _html(token.group())))
            if mark == "<":
                targets.append((start, end))
            position = end
        elif mark == "\\":
            edits.append((start, start + 1, ""))
        elif mark == "`" and wide and _is_apostrophe(text, start, end):
            edits.append((start, end, "'"))
        elif mark == "`":
            partner = closing_ticks.get(start)
            if partner is not None:
                edits += [(start, end, ""), (partner, partner + end - start, "")]
                position = partner + end - start
        elif mark == "[":
            brackets.append((start, end))
        elif mark == "]":
            opener = brackets.pop() if brackets else None
            target = re.compile(_TARGET).match(text, end) if opener else None
            if target:
                edits += [(*opener, ""), (start, target.end(), "")]
                targets.append(target.span(1))
                position = target.end()
        else:
            _emphasis(text, start, end, emphasis[mark], wide, edits)
    edits.sort()
    return edits, targets


def _html(token: str) -> str:
    """What a reader sees of a tag, a comment, a character reference, `~~` or the mark of a block quote."""
    if token[0] == "<":
        return "" if re.match(_INLINE, token, re.I) else " "
    if token[0] != "&":
        return ""
    name = token[1:-1]
    if name[0] != "#":
        return _REFERENCES.get(name, token)
    point = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    return chr(point) if 0 < point < 0x110000 else token


def _pair_ticks(text: str, wide: bool) -> dict:
    """Start of each run of ticks to the start of the next run of the same length."""
    if "`" not in text:
        return {}
    following: dict = {}
    partner: dict = {}
    for run in reversed(list(re.finditer("`+", text))):
        length = run.end() - run.start()
        if wide and _is_apostrophe(text, *run.span()):
            continue
        if length in following:
            partner[run.start()] = following[length]
        following[length] = run.start()
    return partner


def _is_apostrophe(text: str, start: int, end: int) -> bool:
    """Whether a tick stands between two letters, alone in its word: there it is typed for an apostrophe."""
    if end - start != 1 or not start or not text[start - 1].isalpha() or not text[end : end + 1].isalpha():
        return False
    before, after = text[max(0, start - 40) : start].split()[-1:], text[end : end + 40].split()[:1]
    return "`" not in "".join(before + after)


def _emphasis(text: str, start: int, end: int, openers: list, intraword: bool, edits: list) -> None:
    opens, closes = _flanks(text, start, end, intraword)
    if closes:
        while openers and start < end:
            first, last = openers.pop()
            taken = min(last - first, end - start)
            if text[start] == "_" and taken == 2 and re.compile(_NAME).fullmatch(text, last, start):
                openers.append((first, last))
                return
            edits += [(last - taken, last, ""), (start, start + taken, "")]
            start += taken
            if last - taken > first:
                openers.append((first, last - taken))
    if opens and start < end:
        openers.append((start, end))


def _flanks(text: str, start: int, end: int, intraword: bool) -> tuple:
    """Whether a run of delimiters can open and whether it can close emphasis (CommonMark 6.2, and the rules above)."""
    before = _side(text[start - 1]) if start else " "
    after = _side(text[end]) if end < len(text) else " "
    left = after != " " and (after != "." or before != "w")
    right = before != " " and (before != "." or after != "w")
    if before == after == "w":
        neighbours = text[start - 1] + text[end]
        if text[start] == "_":
            return False, False
        if not any(character in spaceless_scripts for character in neighbours):
            if not intraword and end - start < 2 or any(character.isdecimal() for character in neighbours):
                return False, False
    return left, right


def _side(character: str) -> str:
    """A neighbour as emphasis sees it: white space, punctuation, or part of a word."""
    if character in white_space:
        return " "
    if character < "\x80":
        return "w" if character.isalnum() else "."
    return "." if category(character)[0] in "PS" else "w"
