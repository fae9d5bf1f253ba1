"""The lock and the policy: writing a lock and linting is quiet, and any single edit of a contract is noticed."""
import json
import os
import random
import re
import tempfile
import unittest

from gatekit import Case, CaseError
from gatekit.golden.dates import is_before, is_date
from gatekit.golden.lint import lint
from gatekit.golden.lock import Lock
from gatekit.golden.settings import Settings

from .running import call, write


def fields(**more):
    return {"id": "one", "description": "d", "created_at": "2026-01-01", "input": {"q": [1, "x"]}, "rubric": {"must_include": ["x"]},
            "matchers": [{"type": "contains", "value": "y"}, {"type": "count", "of": "words", "op": "lte", "value": 5}], **more}  # fmt: skip


UPDATED = {"updated_at": "2026-01-01", "update_reason": "r"}


def failures(before, after, **trail):
    lock = Lock.from_text(Lock.of([Case(dict(each)) for each in before]).text()) if before else None
    return [failure.message for failure in lint([Case({**each, **trail}) for each in after], lock).failures]


def edits(value):
    """Every value that differs from a JSON value in one place."""
    if isinstance(value, dict):
        for key in value:
            for edited in edits(value[key]):
                yield {**value, key: edited}
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield value[:place] + value[place + 1 :]
            for edited in edits(item):
                yield value[:place] + [edited] + value[place + 1 :]
    elif isinstance(value, str):
        yield value + "z"
    elif isinstance(value, int):
        yield value + 1


class Policy(unittest.TestCase):
    def test_a_lock_is_quiet(self):
        rng = random.Random(4)
        for _ in range(50):
            given = [fields(id=f"c{n}", input=rng.randrange(10**6), tags=[str(n)]) for n in range(rng.randrange(1, 6))]
            self.assertEqual(failures(given, given), [])
            self.assertEqual(failures(given, given, owner="other", description="other words"), [], "what is no contract may change")

    def test_any_single_edit_of_a_contract_is_noticed(self):
        before, seen = fields(), 0
        for name in ("input", "rubric", "matchers"):
            for edited in edits(before[name]):
                after = {**before, name: edited}
                try:
                    Case(dict(after))
                except ValueError:
                    continue  # an edit that makes the case invalid is noticed when it is read
                words = failures([before], [after])
                self.assertTrue(any("update_reason did not" in each for each in words), (name, edited))
                self.assertEqual(failures([before], [after], update_reason="r", updated_at="2026-01-02"), [])
                seen += 1
        self.assertGreater(seen, 6)

    def test_each_rule(self):
        old = fields(updated_at="2026-02-01", update_reason="r1")
        new = {**old, "input": 2}
        for before, after, says in (
            ([old], [{**new, "update_reason": "r2", "updated_at": "2026-01-15"}], "before the locked one"),
            ([old], [new], "update_reason did not"),
            ([old, fields(id="two")], [old], "is gone"),
            ([fields(id="two", input=7)], [fields(id="three", input=7)], "was renamed to 'three'"),
            ([old], [{**old, "updated_at": "2026-01-15"}], "before the locked one"),
            ([old], [{key: value for key, value in old.items() if key not in ("updated_at", "update_reason")}], "had one in the lock"),
            ([old], [{**new, "update_reason": "R\u00ad1\u200b", "updated_at": "2026-02-02"}], "update_reason did not"),
            ([old], [{**new, "update_reason": "\u2800", "updated_at": "2026-02-02"}], "update_reason did not"),
            ([], [{**old, "description": "\u200b"}], "no description"),
            ([], [fields(deprecated=True, deprecated_at="2026-01-02", deprecated_reason="\u2060")], "no deprecated_reason"),
            ([], [{**old, "deprecated": True}], "no deprecated_at"),
            ([], [{**old, "deprecated_at": "2026-03-01"}], "and is not"),
            ([], [{**old, "created_at": "2026-12-01"}], "is before created_at"),
            ([], [{**old, "created_at": "yesterday"}], "no date"),
            ([], [{**old, "created_at": "2026-02-30"}], "no date"),
            ([], [{**old, "created_at": "2026-01-01T09:00"}], "no date"),
            ([], [{**old, "created_at": "2026-02-01T01:00+02:00", "updated_at": "2026-01-31T22:59:59.9Z"}], "is before created_at"),
            ([fields(deprecated=True, deprecated_at="2026-01-02", deprecated_reason="r", **UPDATED)], [fields(**UPDATED)], "gates again, and its update_reason did not"),
            ([fields(deprecated=True, deprecated_at="2026-01-02", deprecated_reason="r")], [fields()], "gates again, and it has no updated_at"),
            ([], [{key: value for key, value in old.items() if key != "description"}], "no description"),
            ([], [{key: value for key, value in old.items() if key != "update_reason"}], "go together"),
        ):
            with self.subTest(says=says):
                self.assertTrue(any(says in words for words in failures(before, after)), failures(before, after))

    def test_dates(self):
        """A day is all of its instants, so that a day and a time of it are in no order; times are compared as instants."""
        for text in ("2026-01-31", "2024-02-29", "2026-01-31T09:30Z", "2026-01-31 09:30:15.25-11:30", "2026-12-31t23:59z"):
            self.assertTrue(is_date(text), text)
        for text in ("", "2026-1-31", "2026-02-29", "2026-04-31", "2026-00-10", "2026-13-01", "0000-01-01", "2026-01-31T24:00Z", "2026-01-31T09:30", "2026-01-31T09:30+24:00",
                     "2026-01-31T09:60Z", "2026-01-31 ", "31.01.2026", "\uff12026-01-31"):  # fmt: skip
            self.assertFalse(is_date(text), text)
        for earlier, later in (
            ("2026-01-31", "2026-02-01"), ("2025-12-31", "2026-01-01"), ("2024-02-29", "2024-03-01"), ("2026-01-02T00:00:00+02:00", "2026-01-01T22:30:00Z"),
            ("2026-01-01", "2026-01-02T00:00Z"), ("2026-01-01T10:00:00.09Z", "2026-01-01T10:00:00.1Z"), ("2026-01-01T20:00-05:00", "2026-01-02T01:00:01Z"),
        ):  # fmt: skip
            self.assertEqual((is_before(earlier, later), is_before(later, earlier)), (True, False), (earlier, later))
        for one, other in (("2026-01-02", "2026-01-02T23:59:59Z"), ("2026-01-02T00:00+02:00", "2026-01-01T22:00Z"), ("2026-01-01", "no date")):
            self.assertEqual((is_before(one, other), is_before(other, one)), (False, False), (one, other))

    def test_a_failure_names_the_line_of_its_field(self):
        case = "id: one\ndescription: d\ncreated_at: \"2026-01-05\"\nrubric: {must_include: [x]}\n\nupdated_at: \"2026-01-04\"\nupdate_reason: r\n"
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"set/below/one.yaml": case, "set/two.json": '{"id": "two",\n "created_at": "2026-01-01",\n "rubric": {"must_include": ["x"]},\n "description": " "}'})
            code, out, _ = call("lint", "set", cwd=folder)
        lines = out.decode().splitlines()
        self.assertEqual((code, lines[0]), (1, "below/one.yaml:6:1: updated_at: case 'one': updated_at is before created_at"))
        self.assertEqual(lines[1], "two.json:4:2: description: case 'two': it has no description")

    def test_what_is_found_stands_in_the_order_of_its_lines(self):
        case = "id: two\n{rest}\nupdated_at: \"2026-01-04\"\ndescription: d\n".replace("{rest}", "rubric: {must_include: [x]}\ncreated_at: yesterday")
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"set/a.yaml": "id: one\nrubric: {must_include: [x]}\ncreated_at: \"2026-01-05\"\ndescription: d\n", "set/b.yaml": case})
            write(folder, {"set/overrides.jsonl": "".join(f'{{"case": "{id}", "matcher": "m", "output_sha256": "{"0" * 64}", "approved_by": "p", "ticket": "t", "reason": "r"}}\n' for id in ("two", "gone", "one"))})
            told = [call(command, "set", cwd=folder) for command in ("lint", "check")]
            write(folder, {"set/b.yaml": "id: two\nrubric: {must_include: [x]}\ncreated_at: \"2026-01-05\"\ndescription: d\n", "set/overrides.jsonl": ""})
            locking = call("lock", "set", cwd=folder)
        places = [re.match(r"(?:error: )?([a-z.]+):([0-9]+)", line) for line in told[0][1].decode().splitlines()]
        self.assertEqual([place.groups() for place in places if place], [("b.yaml", "3"), ("b.yaml", "4"), *(("overrides.jsonl", str(line)) for line in (1, 2, 3))])
        self.assertEqual(re.findall("overrides.jsonl:([0-9])", told[1][1].decode()), ["1", "2", "3"])
        self.assertEqual((locking[0], b"not locked yet" in locking[1], b"2 cases locked" in locking[1]), (0, False, True))

    def test_a_deprecated_case_may_go(self):
        gone = fields(id="two", deprecated=True, deprecated_at="2026-02-01", deprecated_reason="r")
        self.assertEqual(failures([fields(), gone], [fields()]), [])
        self.assertEqual(failures([fields(), gone], [fields(), fields(id="three")]), [], "and a new one may demand the same")

    def test_hints(self):
        found = lint([Case(fields(matchers=[{"type": "human_review", "criteria": "c"}]))], None)
        self.assertEqual(found.failures, ())
        self.assertEqual([hint.split(":")[0] for hint in found.hints][1:], ["most cases sit at tier 4 or 5", "the set is not locked yet"])
        before, after = fields(), fields(matchers=[{"type": "contains", "value": "new"}], update_reason="r", updated_at="2026-02-01")
        hints = lint([Case(after)], Lock.of([Case(before)])).hints
        self.assertTrue(any("too coupled" in hint for hint in hints))
        for name, one, other in (("rubric", {"must_include": ["x"]}, {"must_include": ["z"]}), ("invariants", [{"type": "max_turns", "value": 1}], [{"type": "max_turns", "value": 2}])):
            before, after = ({"id": "one", "description": "d", "created_at": "2026-01-01", name: rules} for rules in (one, other))
            self.assertTrue(any("too coupled" in hint for hint in lint([Case(after)], Lock.of([Case(before)])).hints), name)

    def test_what_is_shared(self):
        """Each gatekit.yaml that changed says why, and a reason in another one says nothing of it."""
        outer = {"rubric": {"packs": ["secrets"]}, "templates": {"t": {"rubric": {"must_include": ["x"]}}, "u": {"rubric": {"must_include": ["x"]}}},
                 "invariants": [{"type": "max_turns", "value": 9}], "update_reason": "r1"}  # fmt: skip
        inner = {"gate": {"max_failure_rate": "1%"}, "update_reason": "r2"}
        lock = Lock.from_text(Lock.of([Case(fields(template="t"), "f", (Settings(outer), Settings(inner)))]).text())
        looser = {**inner, "gate": {"max_failure_rate": "2%"}}
        for above, is_told in (
            ((outer, inner), False),
            ((outer, looser), True),
            (({**outer, "update_reason": "new"}, looser), True),
            ((outer, {**looser, "update_reason": "new"}), False),
            ((outer, {**looser, "update_reason": "r1"}), True),
            ((outer, {**looser, "update_reason": " R2\u200b"}), True),
            ((outer, {**looser, "update_reason": "\u200b"}), True),
            (({**outer, "invariants": [{"type": "max_turns", "value": 99}]}, inner), True),
            (({key: value for key, value in outer.items() if key != "invariants"}, inner), True),
            (({**outer, "templates": {**outer["templates"], "t": {"rubric": {"must_include": ["z"]}}}}, inner), True),
            (({**outer, "templates": {**outer["templates"], "u": {"rubric": {"must_include": ["z"]}}}}, inner), False),
            ((outer,), True),
            (({**outer, "update_reason": "new"},), False),
            ((inner, outer), True),
            ((outer, inner, {"masks": {"order": "ORD-[0-9]+"}}), False),
        ):
            with self.subTest(above=above):
                found = lint([Case(fields(template="t"), "f", tuple(map(Settings, above)))], lock).failures
                self.assertEqual([failure for failure in found if "shares by gatekit.yaml changed" not in failure.message], [])
                self.assertEqual(bool(found), is_told)

    def test_a_lock_that_is_none(self):
        """What lint could not compare with is refused, with a mend that leads out."""
        mapping = json.loads(Lock.of([Case(fields(deprecated=False), "f", (Settings({"gate": {"min_judged": 2}}),))]).text())
        entry = mapping["cases"]["one"]
        broken = [{**mapping, "cases": {"one": {**entry, **edit}}} for edit in (
            {"contract": 1}, {"shared": "sha256:0"}, {"shared": [1]}, {"rules": 5}, {"rules": None}, {"decided": {"m": 1}}, {"deprecated": "no"}, {"updated_at": 1},
        )]  # fmt: skip
        for each in (*broken, {**mapping, "settings": []}, {**mapping, "settings": {"sha256:0": 1}}, {**mapping, "cases": {}}, {**mapping, "format": "other"}):
            with self.subTest(lock=each), self.assertRaisesRegex(CaseError, "or delete the file and write it anew"):
                Lock.from_text(json.dumps(each))

    def test_commands(self):
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"set/one.json": json.dumps(fields()), "set/gatekit.yaml": "rubric: {packs: [secrets]}\n"})
            override = json.dumps({"case": "nobody", "matcher": "m", "output_sha256": "0" * 64, "approved_by": "a", "ticket": "t", "reason": "r"})
            code, out, _ = call("lock", "set", cwd=folder)
            self.assertEqual((code, b"1 cases locked" in out), (0, True))
            self.assertEqual(call("lint", "set", cwd=folder)[0], 0)
            with open(os.path.join(folder, "set", "gatekit.lock"), encoding="utf-8") as file:
                locked = file.read()
            write(folder, {"set/gatekit.yaml": "rubric: {packs: [refusals]}\n"})
            code, out, _ = call("lint", "set", cwd=folder)
            self.assertEqual((code, b"what it shares by gatekit.yaml changed" in out), (1, True))
            write(folder, {"set/gatekit.yaml": "rubric: {packs: [refusals]}\nupdate_reason: The keys are checked elsewhere.\n"})
            self.assertEqual(call("lint", "set", cwd=folder)[0], 0)
            write(folder, {"set/gatekit.yaml": "rubric: {packs: [secrets]}\n"})
            write(folder, {"set/one.json": json.dumps(fields(input="changed"))})
            self.assertEqual(call("lint", "set", cwd=folder)[0], 1)
            code, out, _ = call("lock", "set", cwd=folder)
            self.assertEqual((code, b"the lock was not written" in out), (1, True))
            with open(os.path.join(folder, "set", "gatekit.lock"), encoding="utf-8") as file:
                self.assertEqual(file.read(), locked)
            write(folder, {"set/one.json": json.dumps(fields()), "set/overrides.jsonl": override + "\n"})
            code, out, _ = call("lint", "set", cwd=folder)
            self.assertEqual((code, b"a case that there is not: 'nobody'" in out), (1, True))
            self.assertIn(b"overrides.jsonl:1:", out)
            for emptied in ("{}", "", '{"format": "gatekit-lock/1", "settings": {}, "cases": {}}'):
                write(folder, {"set/gatekit.lock": emptied, "set/overrides.jsonl": ""})
                self.assertEqual(call("lint", "set", cwd=folder)[0], 4, emptied)
            self.assertEqual(call("lint", cwd=folder)[0], 4)
            os.mkdir(os.path.join(folder, "empty"))
            self.assertEqual(call("lint", "empty", cwd=folder)[0], 2)
            self.assertIn(b"exit codes", call("lock", "--help", cwd=folder)[1])


if __name__ == "__main__":
    unittest.main()
