"""No secret of a sample comes out, nor eight characters of one; nothing in an output acts on whoever reads a report."""
import json
import random
import re
import tempfile
import unittest

import gatekit
from gatekit import CaseError, Gate, Matcher, Rubric, Sample
from gatekit.golden.settings import Settings
from gatekit.ground.record import Record

from .running import call, write

LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def whole(record):
    """A verdict or a report as it is shown in short, and with all that it holds."""
    return repr(record) + Record.__repr__(record) + "".join(map(whole, getattr(record, "cases", ()))) + "".join(map(Record.__repr__, getattr(record, "verdicts", ())))


def body(rng, length):
    """Random letters and digits, a digit among them."""
    return "".join(rng.choice(LETTERS) for _ in range(length - 1)) + rng.choice("23456789")


def keys(rng):
    """Keys of well-known shapes, made anew: none stands in a file."""
    yield "gh" + "p_" + body(rng, 36)
    yield "sk" + "-proj-" + body(rng, 40)
    yield "sk" + "-live-" + body(rng, 24)
    yield "AK" + "IA" + "".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ234567") for _ in range(16))
    yield "xox" + "b-" + "".join(rng.choice("0123456789") for _ in range(12)) + "-" + body(rng, 24)
    yield body(rng, 30)


GATE = Gate(
    Rubric(must_include=["zzz"], must_exclude=["key", "the"], forbidden_prefix=["sk-"], packs=["secrets", "refusals"]),
    Matcher("exact_text", value="nothing like it"),
    Matcher("one_of", value=["x"]),
    Matcher("ends_with", value="zzz"),
    Matcher("not_regex", value="[A-Za-z0-9]{12}"),
    Matcher("not_regex", value="key.{0,40}"),
    Matcher("json_field", field="a.b", op="eq", value=1),
    Matcher("json_field", field="zz", op="exists"),
    Matcher("json_field", field="password", op="eq", value="x"),
    Matcher("count", of="words", op="eq", value=0),
    Matcher("not", matcher={"type": "contains", "value": "key"}),
    Matcher("is_json", whole=True),
)
WAYS = (
    "the key {} is it",
    "the key {}",
    "{}",
    "the key `{}`, the **{}** and [the]({})",
    '{{"a": {{"b": "{}"}}}}',
    '{{"a": {{"b": 1, "{}": 2}}}}',
    '{{"{}": 1}}',
    '{{"a": 1, "{}" 2}}',
    '{{"{}": 1, "{}": 2}}',
    '{{"a": 1}} key {}',
    "<think>the key {}</think>the",
    "x" * 180 + " {} " + "the key " * 40,
    "the key\n\n{}\n\nthe",
)


class Secrets(unittest.TestCase):
    def assert_hidden(self, key, shown, about):
        low = shown.lower()
        for at in range(len(key) - 7):
            piece = key[at : at + 8].lower()
            if piece not in "sk-proj-" and piece not in "sk-live-":
                self.assertNotIn(piece, low, about)

    def test_in_every_place_of_an_output(self):
        rng = random.Random(11)
        for key in keys(rng):
            for way in WAYS:
                output = way.replace("{}", key).replace("{{", "{").replace("}}", "}")
                for given in (output, {"output": output, "note": f"it was {key}", "label": "rejected", "model": key}):
                    verdict = GATE.check(given)
                    self.assertFalse(verdict.passed)
                    report = GATE.judge([given])
                    for shown in (str(verdict), whole(verdict), str(report), whole(report)):
                        self.assert_hidden(key, shown, (key, way))

    def test_at_every_cut(self):
        key = "gh" + "p_" + body(random.Random(5), 36)
        gate = Gate(Matcher("exact_text", value="x"), Matcher("not_contains", value="mark"))
        for before in list(range(150, 260, 7)) + list(range(560, 620, 3)):
            text = "a" * (before // 2) + " mark " + "b " * (before // 4) + key + " c" * 300
            self.assert_hidden(key, str(gate.check(text)) + whole(gate.check(text)), before)

    def test_spelt_in_another_way(self):
        key = "gh" + "p_" + body(random.Random(6), 36)
        for spelt in (key[:9] + "\u200b" + key[9:], "".join(f"\\u{ord(letter):04x}" for letter in key), key[:12] + "\u00ad" + key[12:]):
            output = '{"k": "' + spelt + '", "the": 1}'
            shown = str(GATE.check(output)) + whole(GATE.check(output))
            self.assert_hidden(key, shown.replace("\u200b", "").replace("\\u200b", "").replace("\u00ad", "").replace("\\u00ad", ""), spelt)
            self.assertNotIn("\\u0067\\u0068\\u0070", shown)

    def test_a_password_is_hidden_wherever_it_stands(self):
        for password in ("Tr0ub4dor&3", 'Tr0ub"4dor', "Tr0ub\\4dor", "Tr0ub\n4dor"):
            output = {"password": password, "the": f"I used {password} there"}
            verdict = GATE.check({"output": output})
            shown = str(verdict) + whole(verdict)
            self.assertNotIn("Tr0ub", shown)
            for inside in ({"body": json.dumps({"password": password})}, {"list": [json.dumps({"body": json.dumps({"password": password})})]}, json.dumps({"password": password})):
                self.assertNotIn("Tr0ub", whole(GATE.check({"output": inside})))
        for escaped in ('{"password": "Tr0ub\\"d\\u00e9r-9xQ"}', '{"password": "Tr0ub\\"dér-9xQ"}'):
            self.assertNotIn("r-9xQ", whole(GATE.check({"output": escaped})))
        call = {"id": "c", "type": "function", "function": {"name": "log_in", "arguments": json.dumps({"password": 'Tr0ub"4dor'})}}
        messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": None, "tool_calls": [call]}]
        expected = [{"name": "log_in", "args": {"password": "x"}}]
        self.assertNotIn("4dor", whole(Gate(Matcher("tool_calls", expected=expected)).check({"messages": messages})))
        shown = whole(GATE.check({"output": "the Xk9vQ2mLp7 ok", "note": "password: Xk9vQ2mLp7"}))
        self.assertNotIn("Xk9vQ2mLp7", shown)

    def test_what_goes_on_after_a_prefix(self):
        for rest in ("correcthorsebattery", "ab:correcthorsebattery", "ab@correct,horse;battery", 'ab{"correcthorse"}'):
            shown = whole(GATE.check("the tok sk-" + rest + " there"))
            self.assertNotIn("horse", shown)
            self.assertNotIn("battery", shown)

    def test_the_same_secret_has_the_same_number(self):
        rng = random.Random(8)
        first, second = "gh" + "p_" + body(rng, 36), "gh" + "p_" + body(rng, 36)
        report = Gate(Matcher("no_secrets")).judge([f"a {first}", f"b {second}", f"c {first}"])
        hits = [verdict.findings[0].where.hit for verdict in report.cases[0].verdicts]
        self.assertEqual(hits, ["[secret 1: github token, 40 characters]", "[secret 2: github token, 40 characters]", "[secret 1: github token, 40 characters]"])

    def test_in_names_files_and_errors(self):
        key = "gh" + "p_" + body(random.Random(9), 36)
        bad = [
            json.dumps({"case": "one", "sample": "a", "output": "x", key: 1}),
            json.dumps({"case": key, "sample": "b", "output": "x"}),
            json.dumps({"case": "one", "sample": key, "output": "y"}),
            json.dumps({"case": "one", "sample": key, "output": "y"}),
            json.dumps({"case": "one", "sample": "c", "output": "x", "status": key}),
            '{"case": "one", "sample": "d", "output": "x"} token ' + key,
            '{"' + key + '": 1, "' + key + '": 2}',
            '{"' + key + '" 1}',
        ]
        with tempfile.TemporaryDirectory() as folder:
            write(
                folder,
                {
                    "set/one.json": '{"id": "one", "matchers": [{"type": "contains", "value": "x", "name": "' + key + '"}]}',
                    f"set/{key}.json": json.dumps({"id": "two " + key, "tags": [key], "rubric": {"must_include": ["x"]}}),
                    "set/bad.json": '{"id": "three", "' + key + '": 1}',
                    "set/worse.json": '{"id": "four"} ' + key,
                    "set/runs.jsonl": "\n".join(bad),
                },
            )
            for words in (("set",), ("set", "--format", "json"), ("set", "--verbose"), ("set", "--list"), ("set", f"--{key}"), ("set", "--case", key, "--output", "-"),
                          ("set", "--report", key + "=x"), ("set", "--id", key), ("set", "--plugin", key), (key,)):  # fmt: skip
                code, out, err = call(*words, cwd=folder)
                self.assertEqual(code, 4)
                self.assert_hidden(key, out.decode() + err.decode(), words)

    def test_one_number_in_all_of_a_run(self):
        rng = random.Random(21)
        one, two, three = ("gh" + "p_" + body(rng, 36) for _ in range(3))
        files = {
            "a.json": json.dumps({"id": "a", one: 1}),
            "b.json": json.dumps({"id": "b", two: 1}),
            "c.json": '{"id": "c", "matchers": [{"type": "not_contains", "value": "the"}]}',
            "overrides.jsonl": json.dumps({three: 1}),
            "runs.jsonl": "\n".join(json.dumps({"case": "c", "sample": str(n), "output": f"the KEY={key}"}) for n, key in enumerate((three, two, one))) + "\n" + json.dumps({"case": "c", one: 1}),
        }
        with tempfile.TemporaryDirectory() as folder:
            write(folder, files)
            _, out, _ = call(".", "--format", "json", cwd=folder)
        report = json.loads(out)
        numbers = {error["file"]: re.findall("secret ([0-9]+):", error["message"] + str(error["path"])) for error in report["errors"]}
        shown = [sample["findings"][0]["where"]["after"] for sample in report["cases"][0]["samples"]]
        known = {"a.json": "1", "b.json": "2"}
        for file, number in known.items():
            self.assertEqual(set(numbers[file]), {number}, file)
        self.assertEqual(shown, [f" KEY=[secret {number}: github token, 40 characters]" for number in (3, 2, 1)])
        self.assertEqual([error["column"] for error in report["errors"] if error["file"] in known], [13, 13])

    def test_a_message_is_never_cut_through_its_key(self):
        # What is quoted is cut after forty characters: what is left of such a key has no shape any more.
        keys = ("ruby" + "gems_" + "0f9e8d7c6b5a4938" * 3, "correct-horse-" * 4 + "X1", "-----BEGIN RSA PRIV" + "ATE KEY-----\n" + body(random.Random(22), 64))
        for key in keys:
            told = ("password: " if key.startswith("correct") else "") + key
            files = {
                "set/one.json": '{"id": "one", "matchers": [{"type": "contains", "value": "x"}]}',
                "set/overrides.jsonl": json.dumps({told: 1})[:-1] + ", " + json.dumps(told) + ": 2}",
                "set/embeddings.jsonl": json.dumps({told: 1})[:-1] + ", " + json.dumps(told) + ": 2}",
                "set/gatekit.lock": json.dumps({told: 1})[:-1] + ", " + json.dumps(told) + ": 2}",
                "c.jobs.jsonl": json.dumps({"job": "j", "at": told, "event": "inputs", "value": {}}) + "\n",
            }
            with tempfile.TemporaryDirectory() as folder:
                write(folder, files)
                for words in (("set",), ("lint", "set"), ("step", "--job", "c.jobs.jsonl:j", "--agent", "json:dumps", "--template", "x:y"), ("plan", "--threshold", told)):
                    code, out, err = call(*words, cwd=folder)
                    self.assertEqual(code, 4, words)
                    self.assert_hidden(key.rpartition("\n")[2].partition("_")[2] or key.rpartition("\n")[2], out.decode() + err.decode(), words)

    def test_of_a_field_that_a_rule_names(self):
        key = "ruby" + "gems_" + "0f9e8d7c6b5a4938" * 3
        shown = repr(Gate(Matcher("json_field", field=key, op="exists")).check({"output": {"a": 1}}))
        self.assert_hidden(key.partition("_")[2], shown, "a field")

    def test_where_a_name_stands_by_one_place_alone(self):
        reason = "password: Xk9vQ2mLp7, and once more Xk9vQ2mLp7"
        with tempfile.TemporaryDirectory() as folder:
            review = {"case": "one", "matcher": "matchers[0]", "output_sha256": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881", "decision": "rejected", "reviewed_by": "Xk9vQ2mLp7", "reason": reason}
            write(folder, {"one.json": '{"id": "one", "matchers": [{"type": "human_review", "criteria": "ok?"}]}', "runs.jsonl": '{"case": "one", "sample": "a", "output": "x"}', "reviews.jsonl": json.dumps(review)})
            _, out, _ = call(".", cwd=folder)
        self.assertIn("rejected by [secret 1: password, 10 characters]: password: [secret 1: password, 10 characters], and once more [secret 1: password, 10 characters]", out.decode())

    def test_in_a_longer_token_it_is_the_same(self):
        key = "gh" + "p_" + body(random.Random(26), 36)
        gate = Gate(Matcher("forbidden_prefix", value="gh"), Matcher("not_contains", value="the"))
        after = gate.check(f"the {key} and KEY={key} and {key}/x,y").findings[1].where.after
        self.assertEqual(re.findall(r"secret ([0-9]+): ([a-z ]+),", after), [("1", "github token")] * 3)

    def test_of_files_that_cannot_be_written_and_of_models(self):
        key = "gh" + "p_" + body(random.Random(23), 36)
        case = {"id": "one", "matchers": [{"type": "embedding_similarity", "model": key, "golden_text": "x", "threshold": 0.9}]}
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"set/one.json": json.dumps(case)})
            for words in (("set", "--report", f"json={key}/x.json"), ("embed", "set", "--embedder", "json:dumps", "--model", key), ("embed", "set", "--embedder", "json:dumps")):
                _, out, err = call(*words, cwd=folder)
                self.assert_hidden(key, out.decode() + err.decode(), words)

    def test_in_errors_that_are_raised(self):
        for key in ("gh" + "p_" + body(random.Random(24), 36), "ruby" + "gems_" + "0f9e8d7c6b5a4938" * 3):
            gate, case = Gate(Matcher("contains", value="x")), gatekit.Case.from_dict({"id": "one", "matchers": [{"type": "contains", "value": "x"}]})
            twice = json.dumps({key: 1})[:-1] + ", " + json.dumps(key) + ": 2}"
            holds_itself = {"output": "x", "messages": [{"role": key}]}
            holds_itself["usage"] = holds_itself
            for raises in (
                lambda: gate.check({"messages": [{"role": key, "content": "x"}]}),
                lambda: gate.check({"output": "x", "embeddings": {key: 1}}),
                lambda: gate.check(holds_itself),
                lambda: case.check({"output": "x", "case": key}),
                lambda: case.check({"messages": [{"role": "user", "content": [{"type": key}]}]}),
                lambda: gatekit.Case.from_dict({"id": "one", key: 1}),
                lambda: gatekit.read_json(twice),
                lambda: gatekit.read_json("1\n" * 5000 + twice),
                lambda: gatekit.read_json(twice.encode()),
                lambda: gatekit.read_yaml(twice),
                lambda: next(gatekit.load(key)),
            ):
                with self.assertRaises(gatekit.GatekitError) as caught:
                    raises()
                error = caught.exception
                self.assert_hidden(key.partition("_")[2], f"{error} {error!r} {error.args} {error.path} {error.file}", key)
            errors = gate.judge([{"messages": [{"role": key, "content": "x"}]}, {"output": "x", "embeddings": {key: 1}}]).errors
            self.assertEqual(len(errors), 2)
            self.assert_hidden(key.partition("_")[2], str(errors) + " ".join(map(str, errors)), key)
            self.assert_hidden(key.partition("_")[2], repr(gatekit.Case.from_dict({"id": key, "matchers": [{"type": "contains", "value": "x"}]})), key)

    def test_an_error_of_an_agent_is_cut_between_words(self):
        key = "ruby" + "gems_" + "0f9e8d7c6b5a4938" * 3

        def agent(step):
            raise ValueError("x" * 9955 + " " + key)

        run = gatekit.run_scenario(gatekit.Scenario("s", agent, inputs={"q": "x"}, checks=[{"must_include": ["x"]}]))
        self.assertEqual(run.sample.error, "ValueError: " + "x" * 9955 + " ")

    def test_of_samples_that_pass(self):
        key = "gh" + "p_" + body(random.Random(10), 36)
        verdict = Gate(Matcher("contains", value="ok")).check(Sample("ok", sample=key, case=key, note=key))
        self.assertTrue(verdict.passed)
        self.assert_hidden(key, str(verdict) + whole(verdict), "a pass")

    def test_masks_of_a_project(self):
        with tempfile.TemporaryDirectory() as folder:
            write(
                folder,
                {
                    "gatekit.yaml": "masks: {order: 'ORD-[0-9]+', mail: '[a-z]+@[a-z]+[.]example'}\n",
                    "one.yaml": "id: one\nmatchers: [{type: not_contains, value: late}]\n",
                    "runs.jsonl": '{"case": "one", "sample": "ORD-7", "output": "ORD-7 is late, ann@shop.example asks for ORD-8"}\n'
                    '{"case": "one", "sample": "b", "output": "late: ORD-8"}\n',
                },
            )
            for words in ((".",), (".", "--format", "json")):
                _, out, _ = call(*words, cwd=folder)
                self.assertNotIn("ORD-", out.decode())
                self.assertNotIn("ann@", out.decode())
                self.assertIn("<mail 1> asks for <order 2>", out.decode())
                self.assertIn("late<<: <order 2>" if len(words) == 1 else '"after": ": <order 2>"', out.decode())

    def test_masks_that_would_hide_nearly_everything_are_refused(self):
        for pattern in (".", ".*", r"\w", r"\S+", r"\s", "[a-z]{4,}", r"\W", "x|ORD-[0-9]+", ".{20}"):
            with self.assertRaises(CaseError) as caught:
                Settings({"masks": {"order": pattern}})
            self.assertEqual(caught.exception.path, ("masks", "order"), pattern)
        for pattern in ("ORD-[0-9]+", "[A-Z]{2}[0-9]{6}", "[0-9]{4,}", r"[\w.]+@[\w.]+", r"[A-Z]\w+ [A-Z]\w+"):
            self.assertEqual(Settings({"masks": {"order": pattern}}).masks, (("order", pattern),))

    def test_ids_that_look_random_stay(self):
        name = "chatcmpl-" + body(random.Random(4), 24)
        with tempfile.TemporaryDirectory() as folder:
            write(folder, {"one.json": '{"id": "one", "rubric": {"must_include": ["x"]}}', "runs.jsonl": json.dumps({"case": "one", "sample": name, "output": "y"})})
            _, out, _ = call(".", "--format", "json", cwd=folder)
        [sample] = json.loads(out)["cases"][0]["samples"]
        self.assertEqual((sample["sample"], len(sample["findings"])), (name, 1))

    def test_two_hidden_ids_stay_two(self):
        key = "gh" + "p_" + body(random.Random(3), 36)
        report = Gate(Matcher("contains", value="x")).judge([Sample("y", sample=key), Sample("x", sample=key + "\u200b")])
        self.assertEqual(sorted(report.cases[0].statuses.values()), ["check_failed", "passed"])


class Acting(unittest.TestCase):
    HOSTILE = ("\x1b[31m", "\x9b2J", "\u202e", "\u2066", "\ud800", "::error file=x::y", "\n::error::y", "##[group]x", "##vso[task.complete]x", "##teamcity[x]", "\r\r", "\u2028::add-mask::x", "\x00", "\x07")  # fmt: skip

    def test_nothing_acts(self):
        inert = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff]|##[a-z]*\\[|(?m:^\\s*::)")
        rng = random.Random(12)
        with tempfile.TemporaryDirectory() as folder:
            lines = []
            for number in range(300):
                text = "".join(rng.choice(self.HOSTILE + ("the ", "x", " ")) for _ in range(rng.randrange(1, 8)))
                lines.append(json.dumps({"case": "one", "sample": f"{number}{text}", "output": text + "the", "note": text, "label": "rejected", "model": text}))
            lines.append(json.dumps({"case": "one", "sample": "e", "error": "".join(self.HOSTILE)}))
            lines.append(json.dumps({"case": "one", "sample": "f", "output": "x", "".join(self.HOSTILE): 1}))
            rules = [{"type": "exact_text", "value": "x"}, {"type": "not_contains", "value": "the"}, {"type": "json_field", "field": "a", "op": "eq", "value": 1}]
            write(folder, {"one.json": json.dumps({"id": "one", "matchers": rules}), "runs.jsonl": "\n".join(lines)})
            for words in ((".",), (".", "--format", "json"), (".", "--verbose"), (".", "--case", "".join(self.HOSTILE), "--output", "-")):
                code, out, err = call(*words, cwd=folder)
                self.assertEqual(code, 4)
                for line in (out + err).decode("utf-8").split("\n"):
                    self.assertIsNone(inert.search(line), ascii(line))

    def test_printed_values_are_inert(self):
        @gatekit.matcher("raises_hostile_words", tier=2)
        def raises_hostile_words(sample):
            raise ValueError("x\x1b[31m\n::error::y\u202e")

        report = Gate(Matcher("raises_hostile_words")).judge(["x"])
        for shown in (str(report), str(report.errors[0]), str(report.cases[0].verdicts[0])):
            self.assertNotIn("\x1b", shown)
            self.assertNotIn("\u202e", shown)
            self.assertNotIn("\n::", shown)


if __name__ == "__main__":
    unittest.main()
