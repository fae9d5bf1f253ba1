"""A conversation as invariants read it: who said what at which step, and which calls were made.

Words are read as a reader sees them: Markdown is unwrapped, apostrophes, quotes, dashes and spaces are plain, a run of white space is one space; upper and
lower case stay as they are. Of an assistant that is its text without reasoning, and its refusals. Link targets are read by themselves, so that
no pattern reaches from the words into them.

All is worked out when it is first asked for, and the trace of the last conversation is kept: a set's rules ask for it one after the other.
"""
from __future__ import annotations

from ..matchers.outcome import HELD, Outcome, unknown
from ..text.characters import pinned
from ..text.views import Level, Part, View, has_markup, one_space

# As the careful view, but for the case of letters: a pattern says itself where case matters.
SPOKEN = Level("spoken", 0, wide=False, folds_case=False)
MOST_PROVING = 100


class Said:
    """What one message says: its `role`, `step` and `turn`, and its place in the list, `message`. `source` is the message of the conversation."""

    __slots__ = ("source", "role", "step", "turn", "message", "_texts", "_small")

    def __init__(self, source) -> None:
        self.source = source
        self.role, self.step, self.turn, self.message = source.role, source.step, source.turn, source.message
        self._texts, self._small = None, False

    @property
    def texts(self) -> list:
        """What is searched: the words and a refusal, and each link target in them."""
        if self._texts is None:
            self._texts = []
            for text in (self.source.text, self.source.refusal):
                if text:
                    self._texts += [one_space(text)] if _is_plain(text) else pinned(self.view(text).text).split("\n")
        return self._texts

    @property
    def views(self) -> list:
        """The same as views, with a way back to the words as they stand."""
        return [self.view(text) for text in (self.source.text, self.source.refusal) if text]

    def view(self, text: str) -> View:
        """One of the message's texts as it is read: what a model says without its reasoning."""
        gaps: tuple = ()
        if self.role == "assistant" and ("<" in text or "[" in text or "\u25c1" in text):
            from ..text.reasoning import reasoning_spans

            gaps = tuple(reasoning_spans(text))
        return View(SPOKEN, [Part(text, 0, len(text), gaps=gaps)])

    def find(self, pattern):
        """The first match of a pattern, or None."""
        for text in self.texts:
            found = pattern.search(text)
            if found:
                return found
        return None

    @property
    def small(self) -> str | None:
        """Its one text in lower case, where that is ASCII ("" where it has none); None where there are several, or other letters."""
        if self._small is False:
            texts = self.texts
            self._small = None if len(texts) > 1 else "" if not texts else texts[0].lower() if texts[0].isascii() else None
        return self._small

    @property
    def speaks(self) -> bool:
        """Whether the message has words: one that only calls tools has none."""
        return any(self.texts)


class Trace:
    """A conversation, ready to be asked. `said` are its messages in order, `roles` the same by role, `calls` its calls."""

    __slots__ = ("conversation", "said", "roles", "calls", "_named", "_found", "_evidence")

    def __init__(self, conversation) -> None:
        self.conversation = conversation
        self.said = [Said(message) for message in conversation.messages]
        self.roles: dict = {"system": [], "user": [], "assistant": []}
        for said in self.said:
            self.roles[said.role].append(said)
        self.calls = conversation.calls
        self._named = self._evidence = None
        self._found: dict = {}

    def matching(self, role: str, pattern) -> list:
        """The messages of a role in which a pattern is found, in order."""
        key = role, pattern.source
        found = self._found.get(key)
        if found is None:
            quick, messages = pattern.quick, self.roles[role]
            if quick is None:
                found = [said for said in messages if said.find(pattern)]
            else:
                found = [said for said in messages if (quick(said.small) if said.small is not None else said.find(pattern))]
            self._found[key] = found
        return found

    def speaking(self, role: str) -> list:
        """The messages of a role that have words, in order."""
        found = self._found.get(role)
        if found is None:
            found = self._found[role] = [said for said in self.roles[role] if said.speaks]
        return found

    def calls_of(self, names: tuple) -> list:
        """The calls of the named tools, in order; of all tools where there are no names."""
        if not names:
            return list(self.calls)
        if self._named is None:
            self._named = {}
            for call in self.calls:
                self._named.setdefault(call.name, []).append(call)
        if len(names) == 1:
            return self._named.get(names[0], [])
        return sorted((call for name in dict.fromkeys(names) for call in self._named.get(name, ())), key=_place)

    @property
    def evidence(self):
        """Which ids and numbers stand in the conversation, and from which step on."""
        if self._evidence is None:
            from .evidence import Evidence  # few sets ask where a call's arguments come from

            self._evidence = Evidence(self)
        return self._evidence


def _place(call) -> tuple:
    return call.step, call.message


def _is_plain(text: str) -> bool:
    """Whether white space is all that is to be evened out in a text."""
    return text.isascii() and not has_markup(text, False) and "<" not in text and "[" not in text


_last: tuple = (None, None)  # the conversation that was read last, and its trace


def trace_of(conversation) -> Trace:
    """The trace of a conversation."""
    global _last
    known, trace = _last
    if known is not conversation:
        trace = Trace(conversation)
        _last = conversation, trace
    return trace


def over_conversation(judge):
    """The check of a rule: `judge` is a function of a Trace that gives an Outcome. Without a conversation its answer is not known."""

    def check(reading) -> Outcome:
        conversation = reading.conversation
        if conversation is None:
            return unknown('no messages were recorded, so what happened in the conversation cannot be told: record the sample\'s "messages"')
        outcome = judge(trace_of(conversation))
        return HELD if outcome.state == "pass" and not reading.explains else outcome  # the one shared pass is the fast way through a batch

    return check


def holds(reason: str) -> Outcome:
    """The rule holds; the reason says on what grounds."""
    return Outcome("pass", reason)


def idle(reason: str) -> Outcome:
    """The rule holds since what it is about never came: a run in which all rules are idle shows nothing."""
    return Outcome("pass", reason, idle=True)


def proving(*things) -> tuple:
    """The turns of the messages, calls or occurrences that show what an invariant says, in order, each once; of very many the first."""
    return tuple(sorted({thing.turn for thing in things[:MOST_PROVING] if thing is not None}))


def turns_of(things: list) -> str:
    """The turns of messages, calls or occurrences, in words: `turn 1`, `turns 1, 2 and 5`."""
    turns = list(dict.fromkeys(str(thing.turn) for thing in things))
    if len(turns) == 1:
        return "turn " + turns[0]
    if len(turns) > 6:
        turns[5:] = [f"{len(turns) - 5} more"]
    return f"turns {', '.join(turns[:-1])} and {turns[-1]}"


def again(things: list) -> str:
    """What a reason says of all but the first."""
    return f"; again on {turns_of(things[1:])}" if len(things) > 1 else ""
