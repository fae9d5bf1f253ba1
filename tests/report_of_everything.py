"""One report that holds every status, every tier, a conversation and hostile text: what the golden files of all formats are made from.

The set is written to a folder and judged there, as a user's is. Its keys are spelt in pieces, so that no file holds one whole.
"""
import functools
import json
import tempfile

import gatekit

from .running import write

KEY = "gh" + "p_" + "Zk7Qw2Lm9Xv4" + "Rt6Yb3Nc8Hd5" + "Jf1Gs0Pa2We4"
PASSWORD = "Tr0ub4" + "dor&3-horse"
# Each acts somewhere: in a terminal, in the log of a build service, in Markdown, HTML or XML, or in a file of `name<<EOF` blocks.
HOSTILE = (
    "\x1b[31mred\x1b[0m \x07\x00 \x9b2J \u202egnp.exe\u202c \u2066x\u2069 \ud800 \udfff \ufffe \u2028",
    "\n::error file=README.md,line=1::planted\n  ::set-output name=a::b\n##[error]planted ##vso[task.complete result=Succeeded;]",
    "GITHUB_ENV<<EOF\nPLANTED=1\nEOF\n%0A::warning::planted %25",
    "```\n~~~\n````\n</details></summary><script>alert(1)</script><img src=x onerror=alert(1)> <!-- -->",
    "| cell | cell |\n|---|---|\n![image](https://example.com/x.png) [link](javascript:alert(1)) <https://example.com> https://example.com/y www.example.com",
    "@octocat @org/team #1 GH-1 org/repo#2 owner@example.com :tada: $x$ $$y$$ `tick` **bold** _em_ ~~gone~~ &lt;b&gt; &#64;all [^1]: note",
    "# Heading\n> quote\n- [x] task\n1. one\n---\n===\n\\backslash\\ \\",
    "]]> <![CDATA[ <!DOCTYPE x> &amp; &#0; &x; \"double\" 'single' `tick` \t\r\n",
    "{{ 1 + 1 }} ${{ secrets.X }} ${HOME} $(id) <%= 1 %>",
)
FILES = {
    "gatekit.yaml": """\
rubric:
  packs: [secrets]
templates:
  reply:
    matchers:
      - {type: not_contains, name: no guarantee, value: guarantee}
transient: ["rate limit"]
masks: {order: 'R-\\d{4}'}
""",
    "cases/exact.json": """\
{
  "id": "exact",
  "description": "Two answers, to the letter.",
  "tags": ["smoke"],
  "owner": "core",
  "matchers": [
    {"type": "exact_text", "value": "yes"},
    {"type": "any_of", "matchers": [{"type": "exact_text", "value": "yes"}, {"type": "exact_json", "value": [1, 2]}]}
  ],
  "samples": ["yes", "Yes\\n", {"sample": "crashed", "error": "RuntimeError: boom"}, {"sample": "outage", "error": "429: rate limit"}, ""]
}
""",
    "cases/refund.yaml": """\
id: refund
description: A reply names the refund, its term, and no guarantee.
owner: support
tags: [smoke, reply]
template: reply
gate: {max_failure_rate: 0.5}
rubric:
  must_include:
    - refund
    - [14 days, 14-day]
  must_exclude: [planted]
  forbidden_prefix: [sk-]
matchers:
  - type: count
    of: words
    op: lte
    value: 12
    name: short
""",
    "cases/order.yaml": """\
id: order
description: What the order tool gives back.
owner: orders
tags: [tools]
matchers:
  - type: json_subset
    expected: {order: R-1047, items: [{sku: K-7, qty: 2}]}
  - {type: json_field, field: total, op: lte, value: 100}
  - {type: budget, max_output_tokens: 50}
""",
    "cases/chat.yaml": """\
id: chat
description: A booking is confirmed before it is made, and nothing is asked twice.
owner: support
invariants:
  - {type: confirm_before, tool: book, confirm: '(?i)\\byes\\b'}
  - {type: no_repeat_call, tool: book}
matchers:
  - {type: contains, value: booked}
  - {type: tool_calls, mode: superset, args: subset, expected: [{name: book, args: {people: 2, day: Friday}}]}
""",
    "cases/tone.yaml": """\
id: tone
owner: support
matchers:
  - {type: embedding_similarity, golden_text: Hello, model: tiny, threshold: 0.9, name: like a greeting}
""",
    "cases/sincere.yaml": """\
id: sincere
tags: [reply]
matchers:
  - type: human_review
    criteria: [Does it name what went wrong?]
""",
    "cases/clean.yaml": """\
id: clean
level: 1
matchers:
  - {type: exact_text, value: yes indeed}
samples: [yes indeed, yes indeed]
""",
    "cases/old.yaml": """\
id: old
deprecated: true
rubric: {must_include: [BLACK25]}
""",
    "cases/hostile,@all%0A#1.yaml": """\
id: "<b>&'\\"|`@octocat` #1 ::error:: ]]> \\u202e%0A"
description: "</summary></details> @octocat ![x](y) ]]>"
owner: "@octocat"
tags: ["<i>#1", "a|b"]
matchers:
  - {type: not_contains, name: "x`|<u>@octocat #1]]>::", value: planted}
  - {type: json_field, field: "a.b", op: eq, value: "<s>"}
""",
    "cases/broken.json": """\
{
  "id": "broken",
  "matchers": [{"type": "exact_txt", "value": "</script>"}]
}
""",
}
CONVERSATION = [
    {"role": "user", "content": "Book a table for two."},
    {"role": "assistant", "content": "Shall I book it for 19:00?"},
    {"role": "user", "content": "Which day do you mean? <b>@octocat</b>"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": {"name": "book", "arguments": '{"people": 2, "key": "%s"}' % KEY}}]},
    {"role": "tool", "tool_call_id": "c1", "content": "no table left </script>"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c2", "function": {"name": "book", "arguments": '{"people": 2, "key": "%s"}' % KEY}}]},
    {"role": "tool", "tool_call_id": "c2", "content": "done"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c3", "function": {"name": "</a>\n::error::x\u202e\x1b", "arguments": '{"note": "%s"}' % KEY}}]},
    {"role": "tool", "tool_call_id": "c3", "content": "done"},
    {"role": "assistant", "content": "It is booked.\n::error::planted"},
]
HOSTILE_CASE = "<b>&'\"|`@octocat` #1 ::error:: ]]> \u202e%0A"
GOOD = "Your refund comes within 14 days."


def _samples():
    yield {"case": "refund", "sample": "good", "output": GOOD, "model": "m-1", "prompt_version": "7"}
    yield {"case": "refund", "sample": "good-2", "output": GOOD, "model": "m-1"}
    yield {"case": "refund", "sample": "good-2", "attempt": 2, "output": "No."}
    yield {"case": "refund", "sample": "no term", "output": "A refund for R-1047 and R-1048, we guarantee it: R-1047.", "note": "@octocat saw it", "label": "approved"}
    yield {"case": "refund", "sample": "key", "output": f"The refund key is {KEY}, use it within 14 days. password: {PASSWORD}"}
    yield {"case": "refund", "sample": f"named {KEY}", "output": "refund sk-" + "ant-horse-battery-staple", "model": "<m>|@octocat"}
    yield {"case": "refund", "sample": "cut", "output": GOOD, "finish_reason": "length"}
    yield {"case": "order", "sample": "left", "status": "diverged"}
    yield {"case": "order", "sample": "taken out", "output": {"order": "R-1"}, "case_verdict": "rejected"}
    yield {"case": "order", "sample": "wrong", "output": {"order": "R-1048", "items": [{"sku": "K-7", "qty": "2"}], "total": 140}, "usage": {"output_tokens": 70}}
    yield {"case": "order", "sample": "unknown", "output": {"order": "R-1047", "items": [{"sku": "K-7", "qty": 2}], "total": 40}}
    yield {"case": "order", "sample": "prose", "output": 'One {"order": 1} or two {"order": 2}'}
    yield {"case": "chat", "sample": "booked", "messages": CONVERSATION}
    yield {"case": "tone", "sample": "far", "output": "Go away.", "embeddings": {"tiny": {"output": [1, 0], "golden": [0, 1]}}}
    yield {"case": "tone", "sample": "let pass", "output": "Hey.", "embeddings": {"tiny": {"output": [1, 1], "golden": [0, 1]}}}
    yield {"case": "tone", "sample": "no vector", "output": "Hi."}
    yield {"case": "sincere", "sample": "waits", "output": "Sorry <think>not really</think> about that."}
    yield {"case": "sincere", "sample": "approved", "output": "We sent the wrong parcel."}
    yield {"case": "old", "sample": "1", "output": "BLACK25"}
    for number, text in enumerate(HOSTILE, 1):
        yield {"case": HOSTILE_CASE, "sample": f"h{number}", "output": f"planted {text} planted", "note": text, "label": "approved"}
    yield {"case": HOSTILE_CASE, "sample": "</td><b>|`@octocat #1\n::error::x ]]>\u202e\x1b", "output": {"a": {"b": HOSTILE[3]}}, "model": "]]>\"'", "prompt_version": "`|"}
    yield {"case": HOSTILE_CASE, "sample": "provider", "status": "transient", "error": HOSTILE[1]}
    yield {"case": HOSTILE_CASE, "sample": "crash", "status": "error", "error": f"{HOSTILE[7]}{HOSTILE[0]} token {KEY}"}


def _decision(**fields):
    return json.dumps(fields) + "\n"


def files():
    """The files of the set: name to text."""
    from gatekit.ground.canonical import digest

    lines = "".join(json.dumps(sample) + "\n" for sample in _samples()) + '{"case": "refund"\n' + json.dumps({"case": "refnd", "sample": "1", "output": KEY}) + "\n"
    override = _decision(
        case="tone", matcher="like a greeting", output_sha256=digest("Hey."), approved_by="@octocat", ticket="#12", reason="| It greets <b>, in a way."
    )
    review = _decision(case="sincere", matcher="matchers[0]", output_sha256=digest("We sent the wrong parcel."), decision="approved", reviewed_by="ann", reason="It does.")
    return {**FILES, "samples.jsonl": lines, "overrides.jsonl": override, "reviews.jsonl": review}


@functools.lru_cache(maxsize=None)
def report():
    """The report on the set."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, files())
        return gatekit.judge(folder)
