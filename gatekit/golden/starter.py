"""A starter set: a golden set of two cases that passes `lint` and runs, with comments for who edits it first."""
from __future__ import annotations

# Name below the folder: content.
FILES = {
    "gatekit.yaml": """\
# What all cases below this folder share.
rubric:
  packs: [secrets]          # no key, password or private key, in any answer
transient:                  # an error that one of these is found in is the provider's
  - (?i)rate limit
  - (?i)overloaded
""",
    "refund-policy.yaml": """\
id: refund-policy           # keep it: it is how samples and the lock name the case
description: The answer names the refund, the period and who pays for shipping.
created_at: "{date}"
tags: [smoke]
input:
  question: Can I send it back?
rubric:
  must_include:             # facts, however they are worded around
    - refund
    - [14 days, 14-day]     # one of several spellings
    - shipping
  must_exclude:
    - I cannot assist
matchers:
  - {{type: count, of: words, op: lte, value: 80}}
""",
    "intent.yaml": """\
id: intent
description: The router gives JSON and nothing but JSON, with a known intent.
created_at: "{date}"
tags: [routing]
input:
  question: I want my money back.
matchers:
  - {{type: is_json, kind: object, whole: true}}
  - {{type: json_field, field: intent, op: in, value: [refund, exchange, other]}}
  - {{type: json_field, field: confidence, op: gte, value: 0.8}}
""",
    "captured.jsonl": """\
{{"case": "refund-policy", "sample": "run1", "output": "Yes: you get a full refund within 14 days, and shipping is on us."}}
{{"case": "intent", "sample": "run1", "output": "{{\\"intent\\": \\"refund\\", \\"confidence\\": 0.93}}"}}
""",
}


def starter_files(date: str) -> dict:
    """The files of the set by name. `date` stands as the date on which the cases were written, as YYYY-MM-DD."""
    return {name: content.format(date=date) if "{{" in content or "{date}" in content else content for name, content in FILES.items()}
