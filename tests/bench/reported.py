"""Sets that are judged and then reported: mostly passes, half failures in many cases (so that the evidence of all is kept), and conversations."""
import json
import os
import random

from .conversations import RULES as INVARIANTS
from .conversations import conversations
from .measure import RULES, answer

PROSE = {**RULES, "tags": ["refund", "prose"], "owner": "support"}
TALK = {"id": "talk", "tags": ["refund", "talk"], "owner": "agents", "invariants": INVARIANTS, "matchers": [{"type": "contains", "value": "goodbye"}]}


def mostly_passing(count):
    """A case of so many samples, of which one in a hundred fails, as `(case, samples)`."""
    return [_prose("bench", count, 100)]


def half_failing(count):
    """Cases of a thousand samples each, of which every second fails: the evidence of each is kept."""
    return [_prose(f"bench-{number:03}", 1000, 2) for number in range(count // 1000)]


def talking(count):
    """Cases of fifty conversations of 40 messages each, none of which passes: all are told."""
    talks = [json.loads(text) for text in conversations(50, 40)]
    return [({**TALK, "id": f"talk-{number:03}"}, [{"sample": f"talk-{place:02}", "messages": talk} for place, talk in enumerate(talks)]) for number in range(count // 50)]


def _prose(name, count, one_in):
    rng = random.Random(7)
    answers = [answer(rng, 600) for _ in range(500)]
    texts = (answers[place % 500].replace("14 days", "114 days") if place % one_in == 0 else answers[place % 500] for place in range(count))
    return {**PROSE, "id": name}, [{"sample": f"run-{place:07}", "output": text} for place, text in enumerate(texts)]


def write(folder, cases):
    """Write a set to a folder."""
    with open(os.path.join(folder, "samples.jsonl"), "w", encoding="utf-8") as lines:
        for case, samples in cases:
            with open(os.path.join(folder, f"{case['id']}.json"), "w", encoding="utf-8") as file:
                json.dump(case, file)
            lines.writelines(json.dumps({"case": case["id"], **sample}) + "\n" for sample in samples)
