"""What each step is held to, one scenario a promise (and `synthesize.preliminary`, which breaks it until a person says so). Run one once, or many times:

    python -m gatekit step --scenario examples.intel.scenarios:synthesize.grounded --show-prompt
    python -m gatekit batch examples.intel.scenarios:synthesize.grounded -n 200
"""
import os

import gatekit

from .agents import draft_offer, synthesize
from .model import RateLimited, ask_model

HERE = os.path.dirname(os.path.abspath(__file__))
COMPANY = "Halvorsen Tide Instruments"
SURROUNDINGS = {"client": ask_model, "transient": [RateLimited, "too many requests"], "max_failure_rate": "0.01"}


def read(name):
    """The text of a file beside this one."""
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read().rstrip("\n")


FILING = {"url": "https://halvorsen.example/reports/2025", "text": read("filing.txt")}
ABOUT = {"url": "https://halvorsen.example/about", "text": read("about.txt")}
PRESS = {"url": "https://halvorsen.example/press/2026-01-22", "text": read("press.txt")}
NOTES = read("notes.txt")

SYNTHESIZE = gatekit.Template(
    "synthesize",
    {"type": "facts_grounded"},
    {"type": "absent_unless_supported", "field": "revenue.value", "pattern": r"\b[Rr]evenue\b"},
    {"packs": ["secrets"]},
)
DRAFT_OFFER = gatekit.Template(
    "draft_offer",
    {"type": "values_from_source", "from": "sources"},
    {"must_include": ["valid until"], "packs": ["secrets", "refusals"]},
)


@gatekit.scenario("synthesize.grounded")
def grounded():
    """Each fact stands in a source, letter for letter."""
    return gatekit.Scenario(
        "synthesize.grounded",
        synthesize,
        inputs={"company": COMPANY, "sources": [FILING, ABOUT]},
        template=SYNTHESIZE,
        checks=[{"type": "json_field", "field": "revenue.value", "op": "eq", "value": 412.6}],
        **SURROUNDINGS,
    )


@gatekit.scenario("synthesize.missing_revenue")
def missing_revenue():
    """No source gives a revenue: none may be made up."""
    return gatekit.Scenario(
        "synthesize.missing_revenue",
        synthesize,
        inputs={"company": COMPANY, "sources": [ABOUT]},
        template=SYNTHESIZE,
        checks=[{"type": "json_field", "field": "revenue.value", "op": "eq", "value": None}],
        **SURROUNDINGS,
    )


@gatekit.scenario("synthesize.preliminary")
def preliminary():
    """A press release gives a preliminary figure, and the agent falls for it: it stands in a source, and is the wrong one."""
    return gatekit.Scenario(
        "synthesize.preliminary",
        synthesize,
        inputs={"company": COMPANY, "sources": [PRESS, FILING, ABOUT]},
        template=SYNTHESIZE,
        checks=[{"type": "json_field", "field": "revenue.value", "op": "eq", "value": 412.6}],
        **SURROUNDINGS,
    )


@gatekit.scenario("synthesize.after_rejection")
def after_rejection():
    """Told once that the figure was wrong, the agent takes the audited one."""
    return preliminary().changed(name="synthesize.after_rejection", feedback="the revenue figure was wrong last time")


@gatekit.scenario("draft_offer.price_from_notes")
def price_from_notes():
    """The offer names the prices and dates of the call notes, and no others."""
    facts = {"employees": {"value": 214, "url": FILING["url"], "quote": "the group had 214 employees"}}
    return gatekit.Scenario(
        "draft_offer.price_from_notes",
        draft_offer,
        inputs={"company": COMPANY, "synthesize": facts, "notes": NOTES},
        template=DRAFT_OFFER,
        checks=[{"must_include": ["NOK 18,400"]}],
        **SURROUNDINGS,
    )
