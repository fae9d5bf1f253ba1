"""Invariants: behaviour as data files, the patterns held to a slow definition, and a team's own."""
import json
import os
import pickle
import random
import re
import unittest

import gatekit
from gatekit.data.conversation import Conversation
from gatekit.invariants.expressions import Spoken
from gatekit.invariants.results import results
from gatekit.reports.catalogue import Style, renderer

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "invariants")
OF_MANY = ("patterns.json", "limits.json", "refused.json")  # files whose rules name their type


def messages(lines):
    """Chat messages from lines: `user: ...`, `assistant: ...`, `system: ...`, `refusal: ...`, `call ID TOOL ARGUMENTS`, `and ID TOOL ARGUMENTS` (in the
    same message as the call or the words before it) and `result ID TEXT`."""
    made = []
    for line in lines:
        word, _, rest = line.partition(" ")
        if word in ("call", "and"):
            id, name, arguments = rest.split(" ", 2)
            if word == "call":
                made.append({"role": "assistant", "content": None})
            made[-1].setdefault("tool_calls", []).append({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
        elif word == "result":
            id, _, text = rest.partition(" ")
            made.append({"role": "tool", "tool_call_id": id, "content": text})
        elif word == "refusal:":
            made.append({"role": "assistant", "content": None, "refusal": rest})
        else:
            made.append({"role": word[:-1], "content": rest})
    return made


def read(leaf):
    with open(os.path.join(HERE, leaf), encoding="utf-8") as file:
        return json.load(file)


class Data(unittest.TestCase):
    def test_each_case(self):
        leaves = sorted(leaf for leaf in os.listdir(HERE) if leaf != "refused.json")
        self.assertGreaterEqual(len(leaves), 9)
        for leaf in leaves:
            cases = read(leaf)
            self.assertGreaterEqual(len(cases), 8, leaf)
            for case in cases:
                rule = case["rule"] if leaf in OF_MANY else {"type": leaf[:-5], **case["rule"]}
                with self.subTest(file=leaf, why=case["why"]):
                    [result] = results([rule], Conversation.from_messages(messages(case["says"])), case.get("usage"))
                    self.assertEqual((result.outcome, result.detail), (case["outcome"], case["reason"]))
                    sample = {"messages": messages(case["says"]), **({"usage": case["usage"]} if "usage" in case else {})}
                    verdict = gatekit.Case.from_dict({"id": "c", "invariants": [rule]}).check(sample)
                    self.assertEqual([finding.outcome for finding in verdict.findings], [{"idle": "pass"}.get(case["outcome"], case["outcome"])], str(verdict))

    def test_each_refusal(self):
        for case in read("refused.json"):
            with self.subTest(rule=case["rule"]):
                with self.assertRaises(gatekit.CaseError) as caught:
                    gatekit.Case.from_dict({"id": "c", "invariants": [case["rule"]]})
                for words in case["says"]:
                    self.assertIn(words, str(caught.exception))

    def test_without_messages_nothing_is_known(self):
        for leaf in sorted(os.listdir(HERE)):
            if leaf in ("refused.json", "limits.json"):
                continue
            case = read(leaf)[0]
            rule = case["rule"] if leaf in OF_MANY else {"type": leaf[:-5], **case["rule"]}
            self.assertEqual(gatekit.Case.from_dict({"id": "c", "invariants": [rule]}).check("text").status, "inconclusive", leaf)
        budget = gatekit.Gate(gatekit.Matcher("budget", max_turns=3, max_cost=1))
        self.assertEqual(budget.check({"output": "text", "usage": {"num_turns": 3, "cost": 1}}).status, "passed")
        self.assertEqual(budget.check({"output": "text", "usage": {"cost": 1}}).status, "inconclusive")


class SlowDefinition:
    """The five patterns, as a careful reader would write them down: over a list of (step, names of the events that happen there)."""

    def __init__(self, steps):
        self.steps = steps

    def at(self, name):
        return [step for step, names in self.steps for each in names if each == name]

    def stretches(self, after, before):
        """Every step that is in scope, by the stretch it is in: walked step by step."""
        inside, stretches = after is None, []
        if inside:
            stretches.append([])
        for step, names in self.steps:
            if inside and before is not None and before in names:
                inside = False
                if after is None:
                    break
            elif inside:
                stretches[-1].append((step, names))
            elif after is not None and after in names and not (before is not None and before in names):
                inside = True
                stretches.append([])
        return stretches

    def holds(self, kind, one, other, after, before, least=1, most=None):
        stretches = self.stretches(after, before)
        if kind == "absence":
            return all(one not in names for stretch in stretches for _, names in stretch)
        if kind == "existence":
            counts = [sum(names.count(one) for _, names in stretch) for stretch in stretches]
            return bool(counts) and all(least <= count and (most is None or count <= most) for count in counts)
        if kind == "universality":
            kinds = [name for stretch in stretches for _, names in stretch for name in names]
            return bool(kinds) and all(name == one for name in kinds)
        for stretch in stretches:
            for at, (_, names) in enumerate(stretch):
                if kind == "precedence" and other in names and not any(one in earlier for _, earlier in stretch[:at]):
                    return False
                if kind == "response" and one in names and not any(other in later for _, later in stretch[at + 1 :]):
                    return False
        return True


class Patterns(unittest.TestCase):
    def test_random_sequences(self):
        rng = random.Random(20)
        seen = set()
        for _ in range(1000):
            steps, given = [], [{"role": "user", "content": "go"}]
            for step in range(rng.randrange(9)):
                names = [rng.choice("pqef") for _ in range(rng.choice((1, 1, 1, 2, 3)))]
                steps.append((step, names))
                calls = [{"id": f"{step}-{place}", "function": {"name": name, "arguments": "{}"}} for place, name in enumerate(names)]
                given.append({"role": "assistant", "content": None, "tool_calls": calls})
                if rng.random() < 0.5:
                    given += [{"role": "tool", "tool_call_id": call["id"], "content": "ok"} for call in calls]
            conversation, slow = Conversation.from_messages(given), SlowDefinition(steps)
            after, before = rng.choice((None, "e")), rng.choice((None, "f"))
            scope = {side: {"tool": name} for side, name in (("after", after), ("before", before)) if name}
            least, most = rng.randrange(3), rng.choice((None, 1, 2, 3))
            for kind in ("absence", "existence", "universality", "precedence", "response"):
                rule = {"type": kind, **({"first": {"tool": "p"}, "then": {"tool": "q"}} if kind in ("precedence", "response") else {"event": {"tool": "p"}})}
                if kind == "existence":
                    if most is None and not least or most is not None and most < least:
                        continue
                    rule.update(min=least, **({"max": most} if most is not None else {}))
                if scope:
                    rule["scope"] = scope
                expected = slow.holds(kind, "p", "q", after, before, least, most)
                [result] = results([rule], conversation)
                self.assertEqual(result.passed, expected, (rule, steps, result.detail))
                self.assertTrue(result.detail)
                seen.add((kind, bool(after), bool(before), expected))
        self.assertEqual(len(seen), 5 * 2 * 2 * 2)


class Expressions(unittest.TestCase):
    ATOMS = r"a B k \b \d \w \s \W . [a-z] [^a-c] [A-C] [0-9x] [^K] (?: ( ) | ? * + {2} $ ^ - [!-z] \. (?! (?= (?<! (?i: (?-i: [k-s.] \x41".split() + [" "]

    def test_the_quick_search_finds_what_the_search_finds(self):
        rng = random.Random(6)
        quick = found = 0
        while quick < 400:
            source = "".join(rng.choice(self.ATOMS) for _ in range(rng.randrange(1, 7)))
            try:
                pattern = Spoken(source + ")" * max(0, source.count("(") - source.count(")")))
            except gatekit.CaseError:
                continue
            if pattern.quick is None:
                continue
            quick += 1
            for _ in range(5):
                text = "".join(rng.choice("abkKsSABC xX09._-[^") for _ in range(rng.randrange(9)))
                self.assertEqual(bool(pattern.quick(text.lower())), bool(pattern.search(text)), (source, text))
                found += bool(pattern.search(text))
        self.assertGreater(found, 200)

    def test_a_pattern_is_shown_as_it_was_written(self):
        self.assertEqual(Spoken("it’s").source, "it’s")
        self.assertTrue(Spoken("it’s [a’]").search("IT'S '"))


class OfATeam(unittest.TestCase):
    def setUp(self):
        self.talk = {"messages": messages(["user: hi", "assistant: hello", "user: bye", "assistant: bye"])}

    def status(self, rule, **more):
        return gatekit.Case.from_dict({"id": "c", "invariants": [rule]}).check({**self.talk, **more})

    def test_holds_and_fails(self):
        @gatekit.invariant
        def short_talk(conversation):
            """At most one turn."""
            return gatekit.InvariantResult("short_talk", len(conversation.turns) < 2, "turn 1: one too many")

        verdict = self.status("short_talk")
        self.assertEqual((verdict.status, verdict.findings[0].reason), ("check_failed", "turn 1: one too many"))
        self.assertEqual(self.status({"type": "short_talk", "name": "brief"}).findings[0].rule, "brief")
        conversation = Conversation.from_messages(self.talk["messages"])
        self.assertIs(short_talk(conversation).passed, False)
        self.assertEqual(results([short_talk, "short_talk"], conversation), (short_talk(conversation),) * 2)
        self.assertEqual(gatekit.Case.from_dict({"id": "c", "invariants": ["short_talk"]}).check("text").status, "inconclusive")
        with self.assertRaises(gatekit.CaseError):
            self.status({"type": "short_talk", "value": 1})

    def test_keyword_arguments_are_fields(self):
        @gatekit.invariant
        def talk_of(conversation, *, most, least=1):
            return gatekit.InvariantResult("talk_of", least <= len(conversation.turns) <= most, f"{len(conversation.turns)} turns")

        self.assertEqual(self.status({"type": "talk_of", "most": 2}).status, "passed")
        self.assertEqual(self.status({"type": "talk_of", "most": 1}).status, "check_failed")
        for wrong, words in (("talk_of", "'most'"), ({"type": "talk_of", "most": 2, "leest": 1}, "did you mean 'least'?")):
            with self.assertRaises(gatekit.CaseError) as caught:
                self.status(wrong)
            self.assertIn(words, str(caught.exception))

    def test_a_name_of_its_own(self):
        gatekit.invariant("polite_talk")(lambda conversation: gatekit.InvariantResult("polite_talk", True))
        self.assertEqual(self.status("polite_talk").status, "passed")
        for name in ("polite_talk", "absence", "contains"):
            with self.assertRaises(gatekit.CaseError):
                gatekit.invariant(name)(self.test_a_name_of_its_own)
        for given in (5, "", None):
            with self.assertRaises(gatekit.CaseError):
                gatekit.invariant(given)
        with self.assertRaises(gatekit.CaseError):
            gatekit.invariant(lambda conversation, more: None)
        with self.assertRaises(gatekit.CaseError):
            results([len], Conversation.from_messages(self.talk["messages"]))

    def test_a_function_that_answers_later_is_refused(self):
        async def later(conversation):
            return None

        for register in (gatekit.invariant("later"), gatekit.matcher("later_matcher", tier=2)):
            with self.assertRaisesRegex(gatekit.CaseError, "async or a generator"):
                register(later)
        with self.assertRaisesRegex(gatekit.CaseError, "async or a generator"):
            gatekit.invariant("pieces")(lambda conversation: (yield))

    def test_a_fault_of_the_rule_is_an_error_that_names_it(self):
        def crashes(conversation):
            raise KeyError("x")

        def exits(conversation):
            raise SystemExit(3)

        gatekit.invariant("crashes")(crashes)
        gatekit.invariant("exits")(exits)
        gatekit.invariant("truthy")(lambda conversation: True)
        gatekit.invariant("at_fault")(lambda conversation: gatekit.InvariantResult("at_fault", False, "no table", "error"))
        for name, words in (
            ("crashes", "the invariant 'crashes' crashed: KeyError: 'x'"),
            ("exits", "the invariant 'exits' crashed: SystemExit: 3"),
            ("truthy", "the invariant 'truthy' returned a bool"),
            ("at_fault", "the invariant 'at_fault' says that it is at fault: no table"),
        ):
            self.assertEqual(self.status(name).status, "error")
            [result, other] = results([name, {"type": "max_turns", "value": 2}], Conversation.from_messages(self.talk["messages"]))
            self.assertEqual((result.passed, result.outcome, other.passed), (False, "error", True))
            self.assertIn(words, result.detail)

    def test_unknown_is_not_passed(self):
        gatekit.invariant("cannot_tell")(lambda conversation: gatekit.InvariantResult("cannot_tell", False, "no prices", "unknown"))
        self.assertEqual(self.status("cannot_tell").status, "inconclusive")

    def test_the_turns_that_show_it(self):
        @gatekit.invariant
        def named_turns(conversation, *, turns, passed=False, outcome=None):
            return gatekit.InvariantResult("named_turns", passed, "why", outcome, turns=turns)

        conversation = Conversation.from_messages(self.talk["messages"])
        for turns, kept in (([], ()), ([1, 0, 1], (0, 1)), ((1,), (1,))):
            rule = {"type": "named_turns", "turns": list(turns)}
            verdict = self.status(rule)
            self.assertEqual((verdict.status, verdict.findings[0].turns), ("check_failed", kept))
            self.assertEqual(self.status({**rule, "outcome": "unknown"}).findings[0].turns, kept)
            self.assertEqual(self.status({**rule, "passed": True}).status, "passed")
            self.assertEqual([results([{**rule, "passed": passed}], conversation)[0].turns for passed in (False, True)], [kept, kept])
        for turns, words in (
            ([2], "the invariant 'named_turns' names turn 2 in \"turns\", and the conversation has 2 turns, from 0 to 1"),
            ([-1], "indexes of turns, from 0, and not -1"),
            ([True], "indexes of turns, from 0, and not true or false"),
            (["0"], "indexes of turns, from 0, and not a text"),
            ("01", "a list of indexes, as [turn.index], not a text"),
            (1, "a list of indexes, as [turn.index], not a number"),
        ):
            verdict = self.status({"type": "named_turns", "turns": turns})
            self.assertEqual(verdict.status, "error")
            self.assertIn(words, verdict.findings[0].reason)

    def test_the_turns_are_marked_in_a_report(self):
        gatekit.invariant("second_turn")(lambda conversation: gatekit.InvariantResult("second_turn", False, "so", turns=[conversation.turns[1].index]))
        told = gatekit.Case.from_dict({"id": "c", "invariants": ["second_turn"]}).judge([self.talk])
        self.assertEqual(re.findall('class="turn proves" id="sample-0-turn-1"><h5>turn ([0-9])', renderer("html")(told, Style()), re.I), ["1"])

    def test_a_result_is_what_it_says(self):
        result = gatekit.InvariantResult("a", True, "b")
        self.assertEqual((result.name, result.passed, result.detail, result.outcome), ("a", True, "b", "pass"))
        self.assertEqual(pickle.loads(pickle.dumps(result)), result)
        self.assertTrue(result)
        self.assertFalse(gatekit.InvariantResult("a", False))
        for bad in (("", True), ("a", 1), ("a", None), ("a", True, None), (5, True), ("a", True, "", "fail"), ("a", False, "", "pass"), ("a", False, "", "no")):
            with self.assertRaises(gatekit.CaseError):
                gatekit.InvariantResult(*bad)

    def test_a_matcher_of_it_can_be_pickled(self):
        gatekit.invariant("pickled")(_one_turn)
        matcher = pickle.loads(pickle.dumps(gatekit.Matcher("pickled")))
        self.assertEqual(gatekit.Gate(matcher).check(self.talk).status, "check_failed")
        rule = gatekit.Matcher("never_reask", given="hi", ask="hello")
        self.assertEqual(pickle.loads(pickle.dumps(rule)), rule)


def _one_turn(conversation):
    return gatekit.InvariantResult("pickled", len(conversation.turns) == 1)


if __name__ == "__main__":
    unittest.main()
