"""A support agent: it asks a model, runs the tools that the model calls for, and replies with the model's last words.

No network is needed: the model is a function that answers as a model did once. Put your own client in its place and nothing else changes.
"""
import re

SYSTEM = "You are the support agent of a small shop. Be brief and friendly. Never ask for what the customer said already."
ORDERS = {"4183": {"order_id": "4183", "status": "shipped", "arrives": "Tuesday"}}
SCHEMA = {
    "name": "find_order",
    "description": "Look an order up by its id.",
    "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]},
}


def find_order(order_id):
    """The order of an id."""
    return ORDERS[order_id]


TOOLS = {"find_order": find_order}


def ask_model(*, model, system, messages, tools, temperature):
    """The stand-in for a model: it looks an order up once it knows the id, and answers from what it found."""
    said = " ".join(message["content"] for message in messages if message["role"] == "user")
    order = re.search(r"\b\d{4}\b", said)
    found = [message["content"] for message in messages if message["role"] == "tool"]
    if order and not found:
        reply = {"content": None, "tool_calls": [{"id": "find-1", "name": "find_order", "arguments": {"order_id": order.group()}}]}
    elif "address" in messages[-1]["content"]:
        reply = {"content": f"I am sorry: order {order.group()} is on its way, so its address cannot be changed any more."}
    else:
        reply = {"content": f"Your order {order.group()} is {found[0]['status']} and arrives on {found[0]['arrives']}."}
    return {"message": {"role": "assistant", **reply}, "usage": {"input_tokens": len(system + said) // 4, "output_tokens": 20}}


class SupportAgent:
    """What gatekit calls an agent: made from `(client, tools)`, and called with each of the user's messages."""

    def __init__(self, client, tools, system=SYSTEM):
        self.client, self.tools, self.system = client, tools, system
        self.messages = []

    def __call__(self, text):
        self.messages.append({"role": "user", "content": text})
        while True:
            answer = self.client(model="scripted-1", system=self.system, messages=self.messages, tools=[SCHEMA], temperature=0)
            message = answer["message"]
            self.messages.append(message)
            if not message.get("tool_calls"):
                return message["content"]
            for call in message["tool_calls"]:
                result = self.tools[call["name"]](**call["arguments"])
                self.messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
