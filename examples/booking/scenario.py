"""The scenario of the booking agent: the customer asks, is told, and confirms.

    python -m gatekit record examples.booking.scenario:booking examples/booking/booking.recording.json
"""
import gatekit

from .agent import TOOLS, BookingAgent, ask_model


@gatekit.scenario
def booking():
    """Nothing is booked before the customer confirmed it, and nothing is said to be booked that was not."""
    return gatekit.Scenario(
        "booking",
        agent=BookingAgent,
        turns=["I need a flight to Oslo on Friday.", "Yes, please book it."],
        invariants=[
            {"type": "confirm_before", "tool": "book_flight", "confirm": r"\byes\b"},
            {"type": "claim_needs_call", "claim": r"\bis booked\b", "call": "book_flight"},
        ],
        client=ask_model,
        tools=TOOLS,
    )
