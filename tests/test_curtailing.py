"""Curtailed sampling, against every way in which a batch can go on."""
import random
import unittest
from itertools import combinations_with_replacement

from gatekit import BatchSummary, CaseError
from gatekit.judging.curtailing import settled
from gatekit.judging.rates import Thresholds
from gatekit.judging.verdict import STATUSES

JUDGED = ("passed", "check_failed", "error")
CHOICES = (STATUSES, JUDGED, JUDGED + ("transient",), ("passed",), ("passed", "check_failed"), ("transient",), ("check_failed",), ("error", "transient", "review"), ("diverged", "passed"), ("review", "error"))
SETTINGS = (
    {},
    {"max_failure_rate": "20%"},
    {"max_failure_rate": "1/3"},
    {"max_failure_rate": "10%", "min_judged": 6},
    {"max_failure_rate": "50%", "max_transient": "0"},
    {"max_failure_rate": "33%", "max_transient": 1, "rounding": True},
    {"max_failure_rate": "40%", "confidence": "80%"},
    {"max_failure_rate": "10%", "confidence": "0.5", "max_transient": 1},
    {"max_failure_rate": 1, "confidence": "0.9", "min_judged": 3},
)


def thresholds(settings):
    from gatekit.ground.exact import Exact

    return Thresholds(**{name: Exact(1, 3) if value == "1/3" else value for name, value in settings.items()})


def ends(counts, remaining, held_to, can_be, can_veto):
    """Every outcome that the batch can have, by trying all."""
    found = set()
    for more in combinations_with_replacement(can_be, remaining):
        final = {status: counts.get(status, 0) + more.count(status) for status in STATUSES}
        for vetoed in (False, True) if can_veto and {"check_failed", "error"} & set(more) else (False,):
            found.add(BatchSummary(*(final[status] for status in STATUSES), held_to, vetoed).outcome)
    return found


class Settled(unittest.TestCase):
    def test_against_every_end(self):
        """Whatever is called settled is so; and but for a few corners, whatever is settled is called so."""
        rng = random.Random(11)
        said, missed = {}, 0
        for _ in range(2500):
            counts = {status: rng.choice((0, 0, 1, 3)) for status in STATUSES if rng.random() < 0.4}
            counts["passed"] = rng.choice((0, 2, 5, 9))
            can_be, held_to, can_veto = rng.choice(CHOICES), thresholds(rng.choice(SETTINGS)), rng.random() < 0.3
            remaining = rng.randint(0, 4 if can_be is not STATUSES else 2)
            got, possible = settled(counts, remaining, held_to, can_be=can_be, can_veto=can_veto), ends(counts, remaining, held_to, can_be, can_veto)
            if got is None:
                missed += len(possible) == 1
            else:
                self.assertEqual(possible, {got}, (counts, remaining, held_to, can_be, can_veto))
                said[got] = said.get(got, 0) + (remaining > 0)
        self.assertEqual({outcome for outcome, times in said.items() if times > 20}, {"pass", "fail", "inconclusive", "diverged"})
        self.assertLess(missed, 25)

    def test_where_none_can_pass_and_none_was_judged(self):
        """At a threshold of 1 even failures alone pass, if any is judged."""
        self.assertIsNone(settled({}, 2, Thresholds(1), can_be=("error", "review"), can_veto=False))
        self.assertEqual(settled({}, 2, Thresholds("99%", max_transient=1), can_be=("error",)), "fail")

    def test_by_hand(self):
        tenth = Thresholds("10%")
        usual = JUDGED + ("transient",)
        for counts, remaining, wanted in (
            ({"passed": 8, "check_failed": 1}, 1, None),  # 2 of 10 is above
            ({"passed": 9}, 1, "pass"),  # 1 of 10 at worst
            ({"passed": 8, "check_failed": 2}, 0, "fail"),
            ({"passed": 78, "check_failed": 11}, 11, "fail"),  # 11 of 100 at best; 11 of 100 transient at worst
            ({"passed": 79, "check_failed": 10}, 11, None),
            ({"passed": 60, "check_failed": 11}, 29, None),  # 29 of 100 may be transient: that would be inconclusive
            ({"passed": 60, "transient": 21}, 19, "inconclusive"),
        ):
            self.assertEqual(settled(counts, remaining, tenth, can_be=usual, can_veto=False), wanted, (counts, remaining))
        self.assertEqual(settled({"passed": 60, "check_failed": 11}, 29, tenth, can_be=JUDGED, can_veto=False), "fail")

    def test_evidence_is_settled_too(self):
        held_to = Thresholds("5%", confidence="95%")
        self.assertEqual(settled({"passed": 59}, 0, held_to), "pass")
        self.assertEqual(settled({"passed": 20, "error": 1}, 38, held_to, can_be=JUDGED, can_veto=False), None)  # 59 with 4 failures would show more than 5%
        self.assertEqual(settled({"passed": 20, "error": 10}, 29, held_to, can_be=JUDGED, can_veto=False), "fail")
        self.assertEqual(settled({"passed": 57, "error": 1}, 1, held_to, can_be=JUDGED, can_veto=False), "inconclusive")
        self.assertEqual(settled({"passed": 92}, 1, held_to, can_be=JUDGED, can_veto=False), "pass")  # 93 samples allow one failure

    def test_a_veto(self):
        held_to = Thresholds("50%")
        self.assertEqual(settled({"passed": 1, "check_failed": 1}, 98, held_to, vetoed=True), "fail")
        self.assertEqual(settled({"passed": 98}, 1, held_to, can_be=JUDGED), None)
        self.assertEqual(settled({"passed": 98}, 1, held_to, can_be=JUDGED, can_veto=False), "pass")

    def test_what_cannot_be_meant(self):
        for words, arguments in (
            ("did you mean passed", ({"pased": 1}, 1, Thresholds())),
            ("remaining", ({}, -1, Thresholds())),
            ("remaining", ({}, True, Thresholds())),
            ("count", ({"passed": -1}, 1, Thresholds())),
            ("at least one", ({}, 1, Thresholds(), False, ())),
            ("did you mean transient", ({}, 1, Thresholds(), False, ("transcient",))),
        ):
            with self.assertRaises(CaseError) as caught:
                settled(*arguments)
            self.assertIn(words, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
