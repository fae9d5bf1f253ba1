"""A tool's arguments as a model writes them, and their schema, for the bench of JSON Schema."""

SCHEMA = {
    "type": "object",
    "properties": {
        "order_id": {"type": "string", "pattern": "^ord_[a-z0-9]{8}$"},
        "reason": {"type": "string", "minLength": 1, "maxLength": 500},
        "kind": {"enum": ["refund", "replacement", "credit"]},
        "amount": {"type": "number", "minimum": 0, "maximum": 10000},
        "items": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/item"}},
        "contact": {"anyOf": [{"type": "null"}, {"$ref": "#/definitions/contact"}]},
        "notify": {"type": "boolean"},
    },
    "required": ["order_id", "reason", "kind", "items"],
    "additionalProperties": False,
    "definitions": {
        "item": {
            "type": "object",
            "properties": {"sku": {"type": "string"}, "quantity": {"type": "integer", "minimum": 1}, "price": {"type": "number"}},
            "required": ["sku", "quantity"],
            "additionalProperties": False,
        },
        "contact": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "email": {"type": "string"}},
            "required": ["email"],
            "additionalProperties": False,
        },
    },
}
ARGUMENTS = {
    "order_id": "ord_ab12cd34",
    "reason": "The box was broken",
    "kind": "refund",
    "amount": 49.9,
    "items": [{"sku": "A-1", "quantity": 2, "price": 19.95}, {"sku": "B-7", "quantity": 1, "price": 10}],
    "contact": {"name": "Ann", "email": "ann@example.com"},
    "notify": True,
}
