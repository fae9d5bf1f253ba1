"""The stand-in for a model: it reads the sources in a prompt and writes what it found, as a real one would, and slips now and then.

It slips without a seed or a clock: which of its answers goes wrong is told by the digest of what was asked under which name, so that each run of the
examples is the same. Put your own client in its place and nothing else changes.
"""
import hashlib
import json
import re

SLIPS = 317  # one answer in so many is wrong, and one in so many meets a provider that is down
SOURCE = r'<source url="([^"]*)">\n(.*?)\n</source>'
FACTS = {
    "revenue": r"Revenue for 2025 was NOK (?P<value>[0-9.]+) million",
    "employees": r"the group had (?P<value>[0-9]+) employees",
    "founded": r"Founded in Bergen in (?P<value>[0-9]{4})",
}
OFFER = """\
Dear Ingrid Halvorsen,

we offer 40 tide loggers, mounted, at NOK {each} per logger, NOK {all} in all.
The offer is valid until 30 April 2026.
"""
PRICE = r"NOK (?P<each>[0-9,]+) per logger, NOK (?P<all>[0-9,]+) in all"


class RateLimited(Exception):
    """The provider has had enough of us for a while."""


def ask_model(prompt, user):
    """The model's answer to a prompt. `user` is who asks: here, the run."""
    chance = int(hashlib.sha256(f"{prompt}\n{user}".encode()).hexdigest()[:8], 16) % SLIPS
    if chance == 1:
        raise RateLimited("429: too many requests, try again later")
    write = offer if prompt.startswith("Draft an offer") else profile
    return write(prompt, slips=chance == 0)


def profile(prompt, slips):
    """The facts of the sources as JSON, each with where it stands. One that slips invents a revenue."""
    sources = re.findall(SOURCE, prompt, re.S)
    if "the revenue figure was wrong last time" in prompt:  # it learns: audited figures before preliminary ones
        sources = [source for source in sources if "preliminary" not in source[1]]
    facts = {}
    for fact, pattern in FACTS.items():
        facts[fact] = {"value": None, "url": None, "quote": None}
        for url, text in sources:
            found = re.search(pattern, text)
            if found and facts[fact]["value"] is None:
                facts[fact] = {"value": json.loads(found["value"]), "url": url, "quote": found.group()}
    if slips:
        url = sources[0][0]
        facts["revenue"] = {"value": 450, "url": url, "quote": "Revenue for 2025 was NOK 450 million"}
    return json.dumps(facts, indent=1)


def offer(prompt, slips):
    """An offer in words, at the price of the call notes. One that slips rounds it up."""
    price = re.search(PRICE, prompt)
    each = "19,000" if slips else price["each"]
    return OFFER.format(each=each, all=price["all"])
