"""Three changes of the support agent, to be run on its recording by `python -m gatekit regress`."""
import re

from .agent import SYSTEM, SupportAgent


def control(client, tools):
    """No change that anybody could see: it replies as before."""
    return SupportAgent(client, tools)


class Regressed(SupportAgent):
    """Asks for the order id wherever the message at hand has none: each reply is fine by itself, and the customer is asked again."""

    def __call__(self, text):
        if not re.search(r"\d{4}", text):
            return "Happy to help! Could you tell me your order id, please?"
        return super().__call__(text)


def regressed(client, tools):
    """An agent that forgets what it was told."""
    return Regressed(client, tools)


def reworded(client, tools):
    """Another system prompt: what the model would answer to it was never recorded."""
    return SupportAgent(client, tools, system=SYSTEM.replace("brief and friendly", "short and polite"))
