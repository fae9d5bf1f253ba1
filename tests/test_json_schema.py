"""JSON Schema: what holds, what is said of what does not, what is refused, and that nothing makes it slow or ends it."""
import json
import os
import pickle
import random
import re
import subprocess
import sys
import time
import unittest

import gatekit
from gatekit import GatekitError, JsonSchema, read_json
from gatekit.formats.json_schema import Violation
from gatekit.formats.json_schema.assertions import TYPES
from gatekit.formats.json_schema.dialects import DIALECTS, KEYWORDS
from gatekit.formats.json_schema.ecma_patterns import ecma_pattern
from gatekit.formats.json_schema.evaluation import MAX_ERRORS, evaluate
from gatekit.formats.json_schema.formats import FORMATS
from gatekit.formats.json_schema.keywords import COMPILERS
from gatekit.formats.json_schema.metaschemas import metaschema
from gatekit.formats.json_schema.unicode_categories import complement, ranges_of
from gatekit.formats.json_schema.uris import resolved

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "tests", "data", "json_schema")


def table(name):
    with open(os.path.join(DATA, name), encoding="utf-8") as text:
        found = json.load(text)
    if not found:
        raise AssertionError(f"{name} holds no cases")
    return found


def compiled(row):
    return JsonSchema(row["schema"], row.get("resources"), row.get("format", "annotate"), row.get("strict", True))


class Verdicts(unittest.TestCase):
    def test_what_holds_and_what_fails(self):
        for row in table("verdicts.json"):
            schema = compiled(row)
            self.assertTrue(row["holds"] or row["fails"])
            for expected, values in ((True, row["holds"]), (False, row["fails"])):
                for value in values:
                    with self.subTest(schema=row["schema"], value=value):
                        self.assertIs(schema.is_valid(value), expected)
                        self.assertIs(not schema.errors(value), expected)
                        slowly = evaluate(schema._root, value, {}, quick=False)
                        self.assertEqual(slowly.errors, schema.errors(value))

    def test_what_is_said(self):
        for row in table("errors.json"):
            with self.subTest(schema=row["schema"]):
                expected = [Violation(tuple(path), tuple(steps), message) for path, steps, message in row["errors"]]
                self.assertEqual(compiled(row).errors(row["value"]), expected)

    def test_a_violation_is_shown_with_its_place(self):
        (violation,) = JsonSchema({"properties": {"n_\x1b": {"items": {"type": "string"}}}}).errors({"n_\x1b": ["a", 1]})
        self.assertEqual(str(violation), "n_\\x1b[1]: must be a text, not 1")

    def test_what_is_refused_and_where(self):
        for row in table("refused.json"):
            with self.subTest(schema=row["schema"]):
                with self.assertRaises(GatekitError) as caught:
                    compiled(row)
                self.assertIn(row["says"], caught.exception.message)
                self.assertEqual(list(caught.exception.path), row["path"])

    def test_what_is_warned_of(self):
        for row in table("warnings.json"):
            with self.subTest(schema=row["schema"]):
                found = JsonSchema(row["schema"]).warnings
                self.assertEqual([sentence[len("of "):].split(" nothing")[0] for sentence in found if sentence.startswith("of ")], row["of"])
                self.assertEqual([sentence for sentence in found if not sentence.startswith("of ")], row.get("more", []))
                self.assertEqual(JsonSchema(row["schema"], strict=False).warnings, ())

    def test_settings(self):
        for settings in ({"format": "asert"}, {"resources": [1]}, {"resources": {1: {}}}):
            with self.subTest(settings=settings), self.assertRaises(GatekitError):
                JsonSchema({"type": "string"}, **settings)

    def test_numbers_that_floats_cannot_tell_apart(self):
        schema = JsonSchema({"maximum": read_json("0.10000000000000000001")})
        self.assertTrue(schema.is_valid(read_json("0.1000000000000000000099")))
        self.assertFalse(schema.is_valid(read_json("0.1000000000000000000101")))
        self.assertFalse(JsonSchema({"exclusiveMinimum": 1}).is_valid(1))
        self.assertTrue(JsonSchema({"exclusiveMinimum": 1}).is_valid(read_json("1.00000000000000000000000001")))
        self.assertFalse(JsonSchema({"type": "integer"}).is_valid(read_json("1.00000000000000000000000001")))
        self.assertTrue(JsonSchema({"type": "integer"}).is_valid(read_json("12345678901234567890.0")))
        self.assertTrue(JsonSchema({"const": 10 ** 400}).is_valid(10 ** 400))
        self.assertFalse(JsonSchema({"const": 10 ** 400}).is_valid(10 ** 400 + 1))

    def test_types_derived_from_those_of_json(self):
        class Text(str):
            pass

        class Members(dict):
            pass

        schema = JsonSchema({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}})
        self.assertTrue(schema.is_valid(Members(a=(Text("b"),))))
        self.assertFalse(schema.is_valid(Members(a=(1,))))

    def test_what_is_no_json_value(self):
        schema = JsonSchema({"type": "object", "patternProperties": {"a": {"type": "string"}}})
        for value in ({1}, {"a": b"b"}, {1: "b"}, object()):
            with self.subTest(value=value), self.assertRaises(GatekitError):
                schema.is_valid(value)
        with self.assertRaises(GatekitError):
            JsonSchema({"const": {1, 2}})
        with self.assertRaises(GatekitError):
            JsonSchema({"const": float("nan")})


class Values(unittest.TestCase):
    def test_a_schema_is_a_value(self):
        document = {"$ref": "https://shop.example/a", "$comment": "b"}
        resources = {"https://shop.example/a": {"type": "string"}, "https://shop.example/unused": {"typo": 1}}
        schema = JsonSchema(document, resources, format="assert")
        again = pickle.loads(pickle.dumps(schema))
        self.assertEqual(schema, again)
        self.assertEqual(hash(schema), hash(again))
        self.assertEqual(again.resources, {"https://shop.example/a": {"type": "string"}})
        self.assertTrue(again.is_valid("a") and not again.is_valid(1))
        self.assertNotEqual(schema, JsonSchema(document, resources))
        with self.assertRaises(AttributeError):
            schema.format = "annotate"
        self.assertIn("JsonSchema(schema=", repr(schema))

    def test_what_is_done_to_the_document_later_changes_nothing(self):
        document = {"properties": {"a": {"enum": [[1]]}}}
        schema = JsonSchema(document)
        document["properties"]["a"]["enum"][0].append(2)
        self.assertTrue(schema.is_valid({"a": [1]}))

    def test_it_is_imported_when_it_is_asked_for(self):
        code = (
            "import sys, gatekit; early = 'gatekit.formats.json_schema' in sys.modules; gatekit.JsonSchema; "
            "sys.exit(early or 'gatekit.formats.json_schema' not in sys.modules)"
        )
        done = subprocess.run([sys.executable, "-B", "-c", code], cwd=ROOT, capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        with self.assertRaises(AttributeError):
            gatekit.JsonSchemas


class Drafts(unittest.TestCase):
    def test_the_meta_schemas_hold_themselves(self):
        for uri in DIALECTS:
            document = metaschema(uri)
            if document is not None:
                with self.subTest(uri=uri):
                    self.assertEqual(JsonSchema({"$ref": uri}, format="assert").errors(document), [])
                    self.assertEqual(JsonSchema(document, strict=False).errors(document), [])

    def test_the_meta_schemas_know_the_keywords(self):
        """All keywords that a meta-schema and its vocabularies declare are read, and no others."""
        for uri, dialect in DIALECTS.items():
            document = metaschema(uri)
            if document is not None:
                parts = [document, *(metaschema(resolved(uri, part["$ref"])) for part in document.get("allOf", ()))]
                declared = {keyword for part in parts for keyword in part["properties"]}
                with self.subTest(uri=uri):
                    self.assertLessEqual(set(dialect.shapes), declared | {"writeOnly"})
                    self.assertLessEqual(declared - set(dialect.shapes), {"$recursiveRef", "$recursiveAnchor"})

    def test_every_keyword_of_the_compilers_exists(self):
        named = [keyword for keywords, _ in COMPILERS for keyword in keywords]
        self.assertEqual(len(named), len(set(named)))
        self.assertLessEqual(set(named), set(KEYWORDS))

    def test_references_are_resolved_as_the_standard_says(self):
        base = "http://a/b/c/d;p?q"  # the examples of RFC 3986, section 5.4
        for reference, expected in (
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
            ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../../g", "http://a/g"), ("/../g", "http://a/g"),
            ("g;x=1/../y", "http://a/b/c/y"), ("./g/.", "http://a/b/c/g/"), ("g..", "http://a/b/c/g.."),
        ):
            with self.subTest(reference=reference):
                self.assertEqual(resolved(base, reference), expected)
        self.assertEqual(resolved("", "a/b"), "a/b")
        self.assertEqual(resolved("urn:a:b", "#c"), "urn:a:b#c")


class Patterns(unittest.TestCase):
    def test_what_is_found(self):
        for row in table("patterns.json")["read"]:
            pattern = ecma_pattern(row["pattern"])
            for expected, texts in ((True, row["finds"]), (False, row["misses"])):
                for text in texts:
                    with self.subTest(pattern=row["pattern"], text=text):
                        self.assertIs(pattern.search(text) is not None, expected)

    def test_what_is_refused(self):
        for row in table("patterns.json")["refused"]:
            with self.subTest(pattern=row["pattern"]):
                with self.assertRaises(GatekitError) as caught:
                    ecma_pattern(row["pattern"])
                self.assertIn(row["says"], caught.exception.message)

    def test_no_text_ends_the_translator(self):
        rng = random.Random(11)
        for _ in range(4000):
            source = "".join(rng.choice("ab01(()))[]]{}{,}|*+?^$.\\\\dwsbBpuxkc<>=!:-&~\u00e9\n") for _ in range(rng.randrange(1, 14)))
            try:
                found = ecma_pattern(source)
            except GatekitError as error:
                self.assertTrue(error.message)
            else:
                self.assertIsInstance(found, re.Pattern)

    def test_categories_share_out_all_characters(self):
        spans = sorted(span for name in ("L", "M", "N", "P", "S", "Z", "C") for span in ranges_of(name))
        self.assertEqual(spans[0][0], 0)
        self.assertEqual(spans[-1][1], 0x10FFFF)
        self.assertTrue(all(left[1] + 1 == right[0] for left, right in zip(spans, spans[1:])))
        self.assertEqual(complement(complement(ranges_of("Lu"))), ranges_of("Lu"))

    def test_formats(self):
        rows = table("formats.json")
        self.assertEqual(set(rows), set(FORMATS))
        for name, row in rows.items():
            schema = JsonSchema({"format": name}, format="assert")
            self.assertTrue(row["holds"] and row["fails"])
            for expected, texts in ((True, row["holds"]), (False, row["fails"])):
                for text in texts:
                    with self.subTest(format=name, text=text):
                        self.assertIs(schema.is_valid(text), expected)


def nested(levels, innermost, name="c"):
    for _ in range(levels):
        innermost = {name: innermost}
    return innermost


class Hostile(unittest.TestCase):
    def within(self, seconds, call):
        start = time.process_time()
        answer = call()
        self.assertLess(time.process_time() - start, seconds)
        return answer

    def test_schemas_that_double_at_each_step(self):
        for keyword in ("allOf", "anyOf", "oneOf"):
            defs = {f"a{step}": {keyword: [{"$ref": f"#/$defs/a{step + 1}"}, {"$ref": f"#/$defs/a{step + 1}"}]} for step in range(60)}
            schema = JsonSchema({"$ref": "#/$defs/a0", "$defs": {**defs, "a60": {"type": "object", "required": ["x"]}}})
            with self.subTest(keyword=keyword):
                self.assertFalse(self.within(2, lambda: schema.is_valid({})))
                self.assertEqual(len(self.within(5, lambda: schema.errors({}))), 1)

    def test_values_that_double_at_each_level(self):
        branch = {"type": "object", "properties": {"c": {"$ref": "#"}}}
        schema = JsonSchema({"anyOf": [{**branch, "required": ["x"]}, {**branch, "required": ["y"]}]})
        self.assertEqual(len(self.within(5, lambda: schema.errors(nested(190, {})))), 1)
        twice = {"^c": {"$ref": "#"}, "c$": {"$ref": "#"}}
        schema = JsonSchema({"type": "object", "patternProperties": twice, "unevaluatedProperties": False})
        self.assertTrue(self.within(5, lambda: schema.is_valid(nested(190, {}))))
        self.assertEqual(self.within(5, lambda: schema.errors(nested(190, {"d": 1})))[0].path, ("c",) * 190 + ("d",))
        schema = {"type": "object"}
        for _ in range(60):
            schema = {"properties": {"c": schema}, "unevaluatedProperties": False, "anyOf": [{"required": ["q"]}, {"maxProperties": 1}]}
        schema = JsonSchema(schema)
        self.assertEqual(len(self.within(5, lambda: schema.errors(nested(60, 1)))), 1)

    def test_deep_values(self):
        schema = JsonSchema({"type": ["object", "array"], "properties": {"c": {"$ref": "#"}}, "items": {"$ref": "#"}})
        self.assertTrue(schema.is_valid(nested(900, {})))
        self.assertEqual(schema.errors(nested(900, 1))[0].path, ("c",) * 900)
        for value in (nested(1100, {}), nested(50000, {})):
            for ask in (schema.is_valid, schema.errors):
                with self.assertRaises(GatekitError):
                    ask(value)
        circle = []
        circle += [circle, circle]
        with self.assertRaises(GatekitError):
            schema.is_valid(circle)

    def test_long_chains_of_references(self):
        defs = {f"a{step}": {"properties": {"c": {"type": "integer"}}, "allOf": [{"$ref": f"#/$defs/a{step + 1}"}]} for step in range(700)}
        schema = JsonSchema({"$ref": "#/$defs/a0", "$defs": {**defs, "a700": {"type": "object"}}})
        self.assertTrue(schema.is_valid({"c": 1}))
        self.assertEqual(len(self.within(5, lambda: schema.errors({"c": "x"}))), 700)

    def test_schemas_that_contain_themselves_or_nest_too_deep(self):
        circle = {"type": "object"}
        circle["properties"] = {"a": circle}
        for document in (circle, nested(300, {"type": "string"}, "not")):
            with self.assertRaises(GatekitError):
                JsonSchema(document)

    def test_little_room_on_the_stack(self):
        def down(frames):
            return down(frames - 1) if frames else JsonSchema({"items": {"items": {"items": {"type": "null"}}}}).errors([[[1]]])

        answered = refused = 0
        for frames in range(sys.getrecursionlimit() - 300, sys.getrecursionlimit() - 130, 10):
            try:
                self.assertEqual(len(down(frames)), 1)
                answered += 1
            except GatekitError:
                refused += 1
            except RecursionError:  # no room even to call the class
                refused += 1
        self.assertTrue(answered or refused)

    def test_long_values_take_time_in_proportion(self):
        schema = JsonSchema({"items": {"type": "string"}, "uniqueItems": True})
        self.assertEqual(len(self.within(5, lambda: schema.errors([1.5] * 500000))), MAX_ERRORS)
        rows = [{"a": number, "b": [number]} for number in range(20000)]
        self.assertTrue(self.within(5, lambda: JsonSchema({"uniqueItems": True}).is_valid(rows)))
        for name, text in (
            ("uri", "a:" + "%41" * 300000 + "^"), ("uri", "//" + "a@" * 500000), ("uri-template", "{a," * 300000),
            ("uri-template", "{" * 900000), ("email", "a" * 999999), ("regex", "(" * 999999), ("idn-hostname", "\u00e9" * 999999),
            ("ipv6", "1:" * 500000), ("duration", "P" + "1" * 999999),
            ("hostname", "a-" * 500000), ("json-pointer", "/~" * 500000), ("date-time", "2" * 999999),
        ):
            with self.subTest(format=name):
                self.assertFalse(self.within(3, lambda: JsonSchema({"format": name}, format="assert").is_valid(text)))

    def test_guesses_at_names_are_bounded(self):
        schema = JsonSchema({"items": {"required": ["a" * 60], "properties": {"b" * 60: True}, "additionalProperties": False}})
        value = [{f"x{number}" * 12: 1 for number in range(100)} for _ in range(300)]
        self.assertEqual(len(self.within(5, lambda: schema.errors(value))), MAX_ERRORS)


class Generated(unittest.TestCase):
    """Random schemas and values: the quick answer, the full one and the one that never recurses are the same."""

    NAMES = ("a", "b", "ab")

    def value(self, rng, levels):
        kind = rng.randrange(8 if levels else 6)
        if kind < 6:
            return (None, True, False, rng.randrange(4), rng.randrange(8) / 2, rng.choice(("", "a", "ab", "abc")))[kind]
        if kind == 6:
            return [self.value(rng, levels - 1) for _ in range(rng.randrange(4))]
        return {name: self.value(rng, levels - 1) for name in self.NAMES if rng.randrange(2)}

    def schema(self, rng, levels):
        if not levels or not rng.randrange(6):
            return rng.choice((True, False, {"$ref": "#/$defs/d"}, {"type": rng.choice(("string", "integer", "object", "array", "null"))}))
        found = {}
        for keyword in rng.sample(sorted(self.MAKERS), rng.randrange(1, 4)):
            found[keyword] = self.MAKERS[keyword](self, rng, levels - 1)
        return found

    MAKERS = {
        "type": lambda self, rng, levels: rng.sample(sorted(TYPES), rng.randrange(1, 4)),
        "enum": lambda self, rng, levels: [self.value(rng, 1) for _ in range(3)],
        "minimum": lambda self, rng, levels: rng.randrange(6) / 2,
        "multipleOf": lambda self, rng, levels: rng.choice((0.5, 1, 2, 1.5)),
        "maxLength": lambda self, rng, levels: rng.randrange(3),
        "required": lambda self, rng, levels: rng.sample(self.NAMES, rng.randrange(3)),
        "properties": lambda self, rng, levels: {name: self.schema(rng, levels) for name in self.NAMES if rng.randrange(2)},
        "patternProperties": lambda self, rng, levels: {rng.choice(("^a", "b$", "a.")): self.schema(rng, levels)},
        "additionalProperties": lambda self, rng, levels: self.schema(rng, levels),
        "propertyNames": lambda self, rng, levels: {"maxLength": rng.randrange(1, 3)},
        "prefixItems": lambda self, rng, levels: [self.schema(rng, levels) for _ in range(rng.randrange(1, 3))],
        "items": lambda self, rng, levels: self.schema(rng, levels),
        "contains": lambda self, rng, levels: self.schema(rng, levels),
        "uniqueItems": lambda self, rng, levels: True,
        "allOf": lambda self, rng, levels: [self.schema(rng, levels) for _ in range(2)],
        "anyOf": lambda self, rng, levels: [self.schema(rng, levels) for _ in range(2)],
        "oneOf": lambda self, rng, levels: [self.schema(rng, levels) for _ in range(2)],
        "not": lambda self, rng, levels: self.schema(rng, levels),
        "if": lambda self, rng, levels: self.schema(rng, levels),
        "then": lambda self, rng, levels: self.schema(rng, levels),
        "dependentSchemas": lambda self, rng, levels: {rng.choice(self.NAMES): self.schema(rng, levels)},
        "unevaluatedProperties": lambda self, rng, levels: self.schema(rng, 0),
        "unevaluatedItems": lambda self, rng, levels: self.schema(rng, 0),
    }

    def test_three_ways_to_one_answer(self):
        rng = random.Random(20)
        verdicts = {True: 0, False: 0}
        for _ in range(700):
            document = {"allOf": [self.schema(rng, 3)], "$defs": {"d": {"properties": {"a": {"type": "integer"}, "b": {"$ref": "#"}}}}}
            schema = JsonSchema(document, strict=False)
            for _ in range(6):
                value = self.value(rng, 3)
                holds = schema.is_valid(value)
                verdicts[holds] += 1
                quick, slow = (evaluate(schema._root, value, {}, quick=each).errors for each in (True, False))
                self.assertEqual((not quick, quick), (holds, slow), (document, value))
        self.assertGreater(min(verdicts.values()), 400)


if __name__ == "__main__":
    unittest.main()
