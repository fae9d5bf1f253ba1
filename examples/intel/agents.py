"""Two steps: one gathers what the sources say of a company, the other drafts an offer from that and from the notes of a call."""
import json

from .model import ask_model

SYNTHESIZE = """\
Synthesize what the sources say of {company}: revenue, employees, founded. Answer with JSON; each fact has a value, the url of its source and
the sentence that it stands in, letter for letter. What no source says is null.
{feedback}{sources}"""

DRAFT_OFFER = """\
Draft an offer to {company}, which had {employees} employees at last count. Take prices and dates from the notes and from nowhere else.
{feedback}<notes>
{notes}
</notes>
"""


def synthesize(step):
    """The facts of the sources, as JSON."""
    sources = step.inputs["sources"]
    prompt = SYNTHESIZE.format(company=step.inputs["company"], feedback=said_before(step), sources="".join(map(shown, sources)))
    return step.finish(json.loads(ask(step, prompt)), sources=sources)


def draft_offer(step):
    """An offer, as text."""
    facts = step.inputs["synthesize"]
    employees = facts["employees"]["value"]
    prompt = DRAFT_OFFER.format(company=step.inputs["company"], employees=employees, feedback=said_before(step), notes=step.inputs["notes"])
    return step.finish(ask(step, prompt), sources=[{"url": "notes", "text": step.inputs["notes"]}])


def ask(step, prompt):
    """The model's answer: through the scenario's client, or where it has none (a job of a log knows of no client) from the model itself."""
    if step.client is not None:
        return step.client(prompt=prompt, user=step.sample)
    return step.response(ask_model(step.prompt(prompt), step.sample))


def said_before(step):
    """What was said of earlier attempts, as a part of the prompt."""
    return "".join(f"An earlier attempt was rejected: {reason}\n" for reason in step.feedback)


def shown(source):
    """A source as a part of the prompt."""
    return f'<source url="{source["url"]}">\n{source["text"]}\n</source>\n'
