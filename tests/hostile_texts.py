"""Makes hostile texts from a seed: what acts in terminals, logs of build services, Markdown, HTML, XML and JSON, and keys at every cut."""
import random

LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
PIECES = (
    *(chr(point) for point in (*range(32), 127, 0x85, 0x9B, 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2065, 0x206A))),
    *map(chr, (0x2028, 0x2029, 0xFEFF, 0xFFFC, 0xFFFE, 0xFFFF, 0xFDD0, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE0041, 0xE0002, 0xFFF0, 0x180F, 0x1FFFE, 0x10FFFF)),
    *("\n::error::x", "::set-env name=x::y", "\n  ::stop-commands::x", "\u3000::error::x", "\n\xa0\u2003::error::x", ":", "--- x", "\u0301" * 9, "##[error]x", "##vso[task.complete]", "%0A::error::x", "%3A%3A", "\r::debug::x", "x<<EOF\ny\nEOF\n"),
    *("```", "~~~", "\n````\n", "</details>", "<details open>", "</summary>", "</pre>", "</code>", "|", "\n|---|\n", "\n\n", "\n# x", "\n- x", "\n---\n", "\\"),
    *("@octocat", "@org/team", "#1", "GH-1", "org/repo#1", "![x](http://x.y/z.png)", "[x](http://x.y)", "http://x.y", "www.x.y", "a@b.cd", ":tada:", "$x$", "`x`", "**x**", "_x_"),
    *("<script>alert(1)</script>", "</script>", "<img src=x onerror=alert(1)>", "<!--", "-->", "<style>", "</title>", "javascript:x", "\" onload=x ", "' onload=x ", "<a href=x>"),
    *("]]>", "<![CDATA[", "<!DOCTYPE x [", "<!ENTITY x 'y'>", "&x;", "&#0;", "&#x0;", "&amp;", "<?xml ?>", "\"", "'", "{", "}", '{"a": 1}', "[", "]", ",", ":", "\\u0000", "\\ud800"),
    *("\x1b[2J", "\x1b]0;x\x07", "\x1b]8;;http://x.y\x1b\\", "\x9b31m", "${{ secrets.X }}", "{{ x }}", "$(id)", "refund", "the", "\u00e9", "\u65e5", "\U0001f600", " ", " ", " "),
)  # fmt: skip


def body(rng, length):
    """Random letters and digits, a digit among them."""
    return "".join(rng.choice(LETTERS) for _ in range(length - 1)) + rng.choice("23456789")


def key(rng):
    """A key of a well-known shape, made anew: it stands in no file."""
    return rng.choice((lambda: "gh" + "p_" + body(rng, 36), lambda: "sk" + "-live-" + body(rng, 24), lambda: f"xox{'b'}-{rng.randrange(10**11, 10**12)}-{body(rng, 24)}"))()


def texts(count, seed):
    """Yield `(text, the key in it or None)`: pieces in any order, and in some a key, at many distances from the beginning."""
    rng = random.Random(seed)
    for _ in range(count):
        text = "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 9)))
        planted = None
        if rng.random() < 0.15:
            planted = key(rng)
            text = text + " " * rng.randrange(2) + "x " * rng.choice((0, 0, 0, 90, 100, 145, 298, rng.randrange(310))) + planted + rng.choice(("", " ", "\n", ".")) + rng.choice(PIECES)
        yield text, planted
