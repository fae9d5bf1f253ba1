"""The scenario of the support agent: a customer who names an order once, and asks two things about it.

    python -m gatekit record examples.support.scenario:support_happy examples/support/support_happy.recording.json
"""
import gatekit

from .agent import TOOLS, SupportAgent, ask_model


@gatekit.scenario
def support_happy():
    """The customer gives the order id on turn 0; nobody asks for it again."""
    return gatekit.Scenario(
        "support_happy",
        agent=SupportAgent,
        turns=["Hi, where is my order 4183?", "Can you still send it to another address?"],
        invariants=[
            {
                "type": "never_reask",
                "given": r"\border (?:id |number )?\d{4}\b",
                "ask": r"\b(?:what is|tell me|give me|need|share)\b.*\border (?:id|number)\b",
                "what": "an order id",
            }
        ],
        client=ask_model,
        tools=TOOLS,
    )
