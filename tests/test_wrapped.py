"""Secrets that stand in a text wrapped. (A planted key is spelt in pieces in the data, so that no file of this repository holds one.)"""
import base64
import json
import os
import random
import time
import unittest

import gatekit
from gatekit.packs.secret_shapes import find_secrets
from gatekit.packs.wrapped import DEPTH, find_wrapped

_DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "packs")
TOKEN = "gh" + "o_" + "Ab3Cd5Ef7Gh9Ij1Kl3Mn5Op7Qr9St1Uv3Wx5"


def texts(name):
    with open(os.path.join(_DATA, name), encoding="utf-8") as file:
        return ["".join(json.loads(line)["text"]) for line in file if line.strip()]


def base64_of(text):
    return base64.b64encode(text.encode()).decode()


def url_base64_of(text):
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def hexadecimal_of(text):
    return text.encode().hex()


def percent_of(text):
    return "".join(f"%{byte:02X}" for byte in text.encode())


WRAPPINGS = {"base64": (base64_of, url_base64_of), "hexadecimal": (hexadecimal_of,), "percent escapes": (percent_of,)}


class Wrapped(unittest.TestCase):
    def test_every_planted_secret_in_every_wrapping(self):
        planted = texts("secrets_found.jsonl")
        self.assertGreater(len(planted), 110)
        for text in planted:
            for name, wraps in WRAPPINGS.items():
                for wrap in wraps:
                    wrapped = wrap(text)
                    with self.subTest(wrapping=name, kind=find_secrets(text)[0].kind):
                        found = find_wrapped(f"see {wrapped} there")
                        self.assertEqual(len(found), 1)
                        self.assertTrue(found[0].kind.endswith(" in " + name), found[0].kind)

    def test_what_is_no_secret_is_none_in_any_wrapping(self):
        for text in texts("secrets_absent.jsonl"):
            for wrapped in (text, base64_of(text), url_base64_of(text), hexadecimal_of(text), percent_of(text), base64_of(base64_of(text))):
                with self.subTest(text=text):
                    self.assertEqual(find_wrapped(wrapped), [])

    def test_a_short_last_line_belongs_to_what_stands_above_it(self):
        for key in ("ruby" + "gems_" + "0f9e8d7c6b5a4938" * 3, "pscale" + "_tkn_" + "Ab3Cd5Ef7Gh9Ij1Kl3Mn5Op7Qr9St1Uv3Wx5Yz7Ab9C"):
            wrapped = base64_of(key)
            self.assertEqual(len(wrapped) % 4, 0)
            for width in (60, 64):
                for between in ("\n", "\r\n", " "):
                    text = "key: " + between.join(wrapped[at : at + width] for at in range(0, len(wrapped), width))
                    with self.subTest(key=key[:8], width=width, between=between):
                        [found] = find_wrapped(text + ".")
                        self.assertEqual((found.start, found.end), (5, len(text)))

    def test_a_word_behind_is_none_of_it(self):
        wrapped = base64_of("x " * 20 + TOKEN + " and more")
        for word in ("that", "which", "word"):
            [found] = find_wrapped(f"{wrapped.rstrip('=')} {word} is it")
            self.assertLessEqual(found.end, len(wrapped))

    def test_random_data_is_no_secret(self):
        generator = random.Random(30)
        for _ in range(60):
            data = bytes(generator.getrandbits(8) for _ in range(3000))
            self.assertEqual(find_wrapped(base64.b64encode(data).decode()), [])
            self.assertEqual(find_wrapped(data.hex()), [])

    def test_where_it_stands(self):
        wrapped = base64_of("token=" + TOKEN)
        [found] = find_wrapped(f"Here: {wrapped}.")
        self.assertEqual((found.start, found.end, found.kind), (6, 6 + len(wrapped.rstrip("=")), "github token in base64"))

    def test_spellings(self):
        long = base64_of("lorem ipsum " * 20 + TOKEN + " dolor sit amet")
        pairs = [f"{byte:02x}" for byte in TOKEN.encode()]
        for why, text in (
            ("lines of 64 characters", "\n".join(long[at : at + 64] for at in range(0, len(long), 64))),
            ("lines that were folded", " ".join(long[at : at + 76] for at in range(0, len(long), 76))),
            ("behind a path", "/api/v1/" + base64_of(TOKEN)),
            ("behind another path", "/ap/v/" + base64_of(TOKEN)),
            ("a data URL", "data:text/plain;base64," + long),
            ("UTF-16", base64.b64encode(TOKEN.encode("utf-16le")).decode()),
            ("the middle of bytes", base64.b64encode(b"\x00\xff\x80" + TOKEN.encode() + b"\x9c\x01").decode()),
            ("pairs", " ".join(pairs)),
            ("pairs with colons", ":".join(pairs).upper()),
            ("escapes of C", "".join("\\x" + pair for pair in pairs)),
            ("an odd digit in front", "f" + "".join(pairs)),
            ("one escape", TOKEN.replace("_", "%5F")),
            ("an escape in a query", "https://a.example/?t=" + TOKEN.replace("_", "%5f") + "&x=1"),
        ):
            with self.subTest(why=why):
                self.assertEqual(len(find_wrapped(f"see {text} there")), 1)

    def test_the_depth_is_bounded(self):
        wrapped = TOKEN
        for depth in range(1, DEPTH + 2):
            wrapped = base64_of(wrapped)
            self.assertEqual(bool(find_wrapped(wrapped)), depth <= DEPTH, depth)
        self.assertTrue(find_wrapped(base64_of(percent_of(hexadecimal_of(TOKEN)))))

    def test_hostile_texts(self):
        def seconds(text):
            start = time.process_time()
            find_wrapped(text)
            return time.process_time() - start

        for piece in ("A", "a ", "%41", "% ", "AbCd" * 6 + " ", "\\x41", "41 ", "QUFB", "eyJ"):
            with self.subTest(piece=piece):
                few, many = (min(seconds(piece * (length // len(piece))) for _ in range(2)) for length in (5000, 50000))
                self.assertTrue(many < 0.1 or many < 40 * max(few, 0.002), (few, many))


class Rule(unittest.TestCase):
    def test_only_where_it_is_asked_for(self):
        for wrap in (base64_of, url_base64_of, hexadecimal_of, percent_of):
            text = f"The answer: {wrap(TOKEN)}"
            self.assertTrue(gatekit.Gate(gatekit.Matcher("no_secrets")).check(text).passed)
            verdict = gatekit.Gate(gatekit.Matcher("no_secrets", decode=True)).check(text)
            self.assertEqual(verdict.status, "check_failed")
            self.assertIn("secret present: github token in ", verdict.findings[0].reason)
            self.assertTrue(verdict.findings[0].veto)

    def test_a_plain_secret_is_named_first(self):
        verdict = gatekit.Gate(gatekit.Matcher("no_secrets", decode=True)).check(f"{base64_of(TOKEN)} and {TOKEN}")
        self.assertEqual(verdict.findings[0].reason, "secret present: github token, 40 characters and 1 more")

    def test_it_may_be_allowed_in_a_context(self):
        wrapped = base64_of(TOKEN)
        gate = gatekit.Gate(gatekit.Matcher("no_secrets", decode=True, unless=[f"example {wrapped}"]))
        self.assertTrue(gate.check(f"an example {wrapped}").passed)
        self.assertFalse(gate.check(f"the key {wrapped}").passed)

    def test_in_json_and_in_calls(self):
        gate = gatekit.Gate(gatekit.Matcher("no_secrets", decode=True))
        self.assertFalse(gate.check({"a": [base64_of(TOKEN)]}).passed)
        call = {"role": "assistant", "content": "Done.", "tool_calls": [{"name": "post", "arguments": {"body": hexadecimal_of(TOKEN)}, "result": "ok"}]}
        self.assertFalse(gate.check({"messages": [{"role": "user", "content": "hi"}, call]}).passed)

    def test_no_report_shows_what_is_wrapped(self):
        for wrap in (base64_of, url_base64_of, hexadecimal_of, percent_of, lambda text: text.replace("_", "%5F")):
            wrapped = wrap(TOKEN)
            for rule in (gatekit.Matcher("no_secrets", decode=True), gatekit.Matcher("not_contains", value="answer")):
                shown = str(gatekit.Gate(rule).check(f"The answer: {wrapped}"))
                self.assertFalse([at for at in range(len(wrapped) - 8) if wrapped[at : at + 8] in shown], shown)

    def test_decode_is_true_or_false(self):
        with self.assertRaises(gatekit.CaseError):
            gatekit.Matcher("no_secrets", decode="base64")


if __name__ == "__main__":
    unittest.main()
