"""Values: what is made of rules is immutable, comparable, picklable, and says what it is."""
import pickle
import unittest

import gatekit
from gatekit import BatchSummary, Case, CaseError, Gate, GateFailed, GatekitError, Matcher, Rubric, Sample


@gatekit.matcher("holds_a_vowel", tier=2)
def holds_a_vowel(sample, *, vowels="aeiou"):
    """The output holds a vowel."""
    return any(vowel in sample.output for vowel in vowels), "no vowel"


RUBRIC = {"must_include": ["a", ["b", "c"]], "must_exclude": ["d d"], "forbidden_prefix": ["sk-"], "packs": ["secrets"]}


def values():
    yield Matcher("json_field", field="intent", op="eq", value={"a": [1]})
    yield Matcher("not", matcher={"type": "any_of", "matchers": [{"type": "contains", "value": "x"}, {"type": "regex", "value": "y+"}]})
    yield Matcher("holds_a_vowel", vowels="ae")
    yield Rubric(**RUBRIC)
    yield Gate(Rubric(**RUBRIC), Matcher("contains", value="x"), max_failure_rate="0.01", min_judged=3)
    yield Case.from_dict({"id": "one", "rubric": RUBRIC, "samples": ["a b"], "gate": {"max_failure_rate": 0.5}})
    yield Sample({"a": [1, 2.5]}, sample="s", finish_reason="stop")
    yield BatchSummary.from_counts(passed=1)
    yield Gate(Rubric(**RUBRIC)).check("sk-1 d d")
    yield Gate(Rubric(**RUBRIC)).judge(["a b", "c"])


class Values(unittest.TestCase):
    def test_pickled_and_back(self):
        for value in values():
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
                back = pickle.loads(pickle.dumps(value, protocol))
                self.assertEqual(type(back), type(value))
                self.assertEqual(str(back), str(value))
                self.assertEqual(back, value)

    def test_a_pickled_gate_judges_the_same(self):
        gate = Gate(Rubric(**RUBRIC), Matcher("holds_a_vowel"), max_failure_rate="50%")
        back = pickle.loads(pickle.dumps(gate))
        for output in ("a b", "a c d d", "sk-live", "", {"a": "b"}):
            self.assertEqual(str(back.check(output)), str(gate.check(output)))
        self.assertEqual(back.judge(["a b", "x"]).exit_code, gate.judge(["a b", "x"]).exit_code)

    def test_nothing_changes(self):
        for value in values():
            for name in ("fields", "anything"):
                with self.assertRaises(AttributeError):
                    setattr(value, name, 1)

    def test_a_callers_list_is_not_kept(self):
        facts = ["a"]
        rubric, choices = Rubric(must_include=facts), ["x"]
        matcher = Matcher("one_of", value=choices)
        facts.append("b")
        choices.append("y")
        self.assertEqual(len(rubric.rules), 1)
        self.assertEqual(matcher.fields["value"], ["x"])
        values, mapping = ["a"], {"id": "one", "rubric": {"must_include": ["x"]}}
        matcher, case = Matcher("json_field", field="x", op="in", value=values), Case.from_dict(mapping)
        values.append("b")
        mapping["deprecated"] = True
        self.assertFalse(Gate(matcher).check({"x": "b"}))
        self.assertFalse(case.deprecated)
        given = {"output": {"x": ["a"]}}
        sample = Sample.from_dict(given)
        given["output"]["x"].append("b")
        self.assertEqual(sample, Sample({"x": ["a"]}))

    def test_values_are_200_deep_and_matchers_60(self):
        def deep(levels, wrap, inside):
            for level in range(levels):
                inside = wrap(inside, level)
            return inside

        def value(levels):
            return deep(levels, lambda inner, level: {"a": inner} if level % 2 else [inner], 1)

        def nested(levels, name, field):
            return deep(levels, lambda inner, _: {"type": name, field: inner if field == "matcher" else [inner]}, {"type": "contains", "value": "x"})

        for type in ("json_subset", "json_equal"):
            for unordered in (False, True):
                self.assertTrue(Gate(Matcher(type, expected=value(200), unordered=unordered)).check(Sample(value(200))).passed)
                for levels in (201, 400, 900):
                    with self.assertRaises(CaseError) as caught:
                        Matcher(type, expected=value(levels), unordered=unordered)
                    self.assertIn("the value nests deeper than 200 levels", caught.exception.message)
        for name, field in (("not", "matcher"), ("any_of", "matchers")):
            self.assertTrue(Gate(Matcher.from_dict(nested(60, name, field))).check("x").passed)
            for levels in (61, 150, 900):
                with self.assertRaises(CaseError) as caught:
                    Matcher.from_dict(nested(levels, name, field))
                self.assertIn("matchers stand in each other more than 60 deep", caught.exception.message)

    def test_hashable(self):
        self.assertEqual(len({Matcher("contains", value="x"), Matcher("contains", value="x"), Matcher("contains", value="y")}), 2)
        self.assertEqual(len({Rubric(**RUBRIC), Rubric(**RUBRIC)}), 1)
        self.assertEqual(len({Sample({"a": 1}), Sample({"a": 1.0})}), 1)

    def test_errors_carry_their_place_and_are_pickled(self):
        with self.assertRaises(CaseError) as caught:
            Case.from_dict({"id": "x", "matchers": [{"type": "contains", "value": ""}]})
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertIsInstance(error, ValueError)
        self.assertIsInstance(error, GatekitError)
        self.assertEqual(error.path, ("matchers", 0, "value"))
        self.assertEqual((error.file, error.line, error.column), (None, None, None))
        with self.assertRaises(GatekitError) as caught:
            gatekit.read_json('{"a": 1,\n "a": 2}')
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((error.line, error.column), (2, 2))

    def test_require(self):
        gate = Gate(Rubric(must_include=["x"]))
        self.assertIsNone(gate.require("an x"))
        with self.assertRaises(AssertionError) as caught:
            gate.require("nothing")
        self.assertIsInstance(caught.exception, GateFailed)
        self.assertIn("missing required: 'x'", str(caught.exception))

    def test_what_check_takes(self):
        gate = Gate(Matcher("json_field", field="a", op="eq", value=1))
        for output in ('{"a": 1}', {"a": 1}, {"output": {"a": 1}}, {"output": '{"a": 1}', "sample": "s"}, Sample({"a": 1})):
            self.assertTrue(gate.check(output), output)
        for foreign in (object(), b"{}", {"a": {1}}, {1: "a"}, float("nan"), {"a": float("inf")}):
            with self.assertRaises(CaseError):
                gate.check(foreign)
        with self.assertRaises(CaseError):
            gate.judge("one text is not many")
        with self.assertRaises(CaseError):
            Gate({"must_include": ["x"]})
        with self.assertRaises(CaseError):
            Gate()

    def test_a_report_counts(self):
        gate = Gate(Rubric(must_include=["x"]), max_failure_rate="0.5")
        report = gate.judge(["x", "y", {"output": "", "sample": "empty"}, {"status": "transient", "output": None}, object()])
        self.assertEqual(report.counts["samples"], 4)
        self.assertEqual([report.counts[name] for name in ("passed", "check_failed", "error", "transient")], [1, 1, 1, 1])
        self.assertEqual(report.outcome, "error")
        self.assertEqual(str(report.rate), "2/3")
        self.assertEqual(gate.judge([]).exit_code, 2)
        self.assertEqual(gate.judge(["x", "y"]).exit_code, 0)
        self.assertFalse(gate.judge(["y", "y"]))

    def test_custom_matchers(self):
        self.assertTrue(Gate(Matcher("holds_a_vowel")).check("abc"))
        self.assertEqual(Gate(Matcher("holds_a_vowel", vowels="x")).check("abc").findings[0].reason, "no vowel")
        with self.assertRaises(CaseError):
            Matcher("holds_a_vowel", vowel="a")
        with self.assertRaises(CaseError):
            gatekit.matcher("contains", tier=2)(lambda sample: True)
        with self.assertRaises(CaseError):
            gatekit.matcher("odd", tier=6)

        @gatekit.matcher("forgets_to_return", tier=2)
        def forgets_to_return(sample):
            pass

        verdict = Gate(Matcher("not", matcher={"type": "forgets_to_return"})).check("x")
        self.assertEqual(verdict.status, "error")
        self.assertEqual(Gate(Matcher("forgets_to_return")).judge(["x"]).exit_code, 4)

    def test_what_a_matcher_does_to_a_sample_stays_its_own(self):
        @gatekit.matcher("empties_the_output", tier=2)
        def empties_the_output(sample):
            sample.output.clear()
            return True

        verdict = Gate(Matcher("empties_the_output"), Matcher("not_contains", value="banned")).check({"a": "banned"})
        self.assertEqual(verdict.status, "check_failed")

    def test_a_matcher_cannot_end_the_run(self):
        class Unspeakable(Exception):
            def __str__(self):
                raise RuntimeError

        for number, raised in enumerate((SystemExit(0), GeneratorExit(), Unspeakable())):

            @gatekit.matcher(f"ends_the_run_{number}", tier=2)
            def ends_the_run(sample, *, what=number):
                raise (SystemExit(0), GeneratorExit(), Unspeakable())[what]

            report = Gate(Matcher(f"ends_the_run_{number}")).judge(["x"])
            self.assertEqual(report.exit_code, 4)
            self.assertIn(type(raised).__name__, str(report.errors[0]))

    def test_evidence_is_kept_up_to_a_bound_and_the_rest_is_counted(self):
        report = Gate(Rubric(must_include=["x"], packs=["secrets"])).judge(["y"] * 1500 + ["x"] * 10)
        [case] = report.cases
        self.assertEqual((report.counts["check_failed"], report.counts["passed"], len(case.verdicts), case.left_out), (1500, 10, 1000, 500))
        self.assertEqual(len(case.statuses), 1510)
        leak = "x gh" + "p_" + "Ab3Cd5Ef7Gh9Ij1Kl3Mn5Op7Qr9St1Uv3Wx5"
        late = Gate(Rubric(must_include=["x"], packs=["secrets"]), max_failure_rate="100%").judge(["y"] * 1500 + [leak])
        self.assertEqual(late.exit_code, 1, "a veto counts though its evidence was not kept")

    def test_numbers_of_samples_without_an_id_are_free_ones(self):
        report = Gate(Matcher("contains", value="x")).judge([Sample("x", sample="2"), "x", "x"])
        self.assertEqual((report.errors, sorted(report.cases[0].statuses)), ((), ["2", "3", "4"]))

    def test_wrong_types_are_refused_in_words(self):
        gate = Gate(Matcher("contains", value="x"))
        for call in (
            lambda: Sample.from_dict(5), lambda: Sample.from_json([]), lambda: Case(5), lambda: Case.from_dict([]), lambda: gate.judge(5), lambda: gate.judge(None),
            lambda: Matcher(5), lambda: Matcher.from_dict(5), lambda: Matcher.from_dict({"type": []}), lambda: Matcher("contains", value="x", target=[]),
            lambda: Rubric.from_dict(5), lambda: Rubric(must_include=5), lambda: Case.from_file("a\0b"), lambda: BatchSummary.from_counts(passed=10**5000),
            lambda: gatekit.matcher("near", tier=2)(lambda sample: True), lambda: gatekit.read_json(5), lambda: list(gatekit.load("nowhere")), lambda: gate.check({1: 2}),
        ):  # fmt: skip
            with self.assertRaises(GatekitError):
                call()

    def test_printing_a_sample_shows_no_output(self):
        self.assertNotIn("secret", repr(Sample("the secret", sample="s")))


if __name__ == "__main__":
    unittest.main()
