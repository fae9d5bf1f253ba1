"""Entries: the neutral form of messages. An entry is what one party said or did at one place of the list.

    system      instructions
    user        words of the user
    assistant   words, a refusal, reasoning and calls of the model, all at once
    reasoning   reasoning that stands alone: it belongs to what the model does next
    result      what a tool gave back to one call

`Said` gathers one message and makes its entries. What belongs together:

- parts of one message are joined as they are, so that no break is invented inside a word; where a call or a result stands between two of them, a line ends.
- results in a message of the user come first, and what is said beside them is the user speaking after them. A message of results alone is none of the user's.
- in a message of the model, words or calls after a result come after it: they are an entry of their own. Calls that hold their results themselves
  are made together, as long as no words stand between them.
"""
from __future__ import annotations

from ...ground.errors import CaseError


class Entry:
    """One entry. `message` is the place of its message in the list, from 0; `joins` says that an assistant's entry goes on with the one before it, if that
    is one too; it then stands in that one's `more`.

    `calls` are `(id, name, arguments, malformed)`: `arguments` is the parsed value, or the text as it came where `malformed` says why it could not be
    parsed. A result has the `id` and `name` that it goes to (either may be None), its `value` (text or a JSON value) and `failed`: True, False, or
    None where that was not recorded. It goes to the call at `at` of the entry before it, where it stood inside that call, and to none where `at` is -1.
    """

    __slots__ = ("kind", "message", "text", "refusal", "reasoning", "calls", "joins", "id", "name", "value", "failed", "at", "more")

    def __init__(
        self, kind, message, text="", refusal=None, reasoning=None, calls=(), joins=False, id=None, name=None, value=None, failed=None, at=None
    ) -> None:
        self.kind = kind
        self.message = message
        self.text = text
        self.refusal = refusal
        self.reasoning = reasoning
        self.calls = calls
        self.joins = joins
        self.id = id
        self.name = name
        self.value = value
        self.failed = failed
        self.at = at
        self.more = None


class Said:
    """One message being read: what its party said, did and got. `party` is `system`, `user`, `assistant` or `result`."""

    __slots__ = ("party", "place", "entries", "results", "texts", "refusals", "thoughts", "calls", "broken", "heard", "shown")

    def __init__(self, party: str, place: int) -> None:
        self.party = party
        self.place = place
        self.entries: list = []
        self._start()

    def _start(self) -> None:
        self.results: list = []
        self.texts: list = []
        self.refusals: list = []
        self.thoughts: list = []
        self.calls: list = []
        self.broken = self.heard = self.shown = False  # something stands after the last words; a result was given; something without words was shown

    def text(self, words: str) -> None:
        """Words of the party."""
        if self.results and self.party == "assistant":
            self.pause()
        if self.broken:
            if self.texts:
                self.texts.append("\n")
            self.broken = False
        self.texts.append(words)
        self.shown = True

    def words(self) -> str:
        """All words so far."""
        return "\n".join([*(entry.text for entry in self.entries), "".join(self.texts)])

    def media(self) -> None:
        """An image, a file or the like: it has no words, and is something that the party showed."""
        self.shown = True

    def refusal(self, words: str) -> None:
        """A refusal of the model."""
        self._only("a refusal", "assistant")
        if self.results:
            self.pause()
        self.refusals.append(words)

    def think(self, words: str) -> None:
        """Reasoning of the model."""
        self._only("reasoning", "assistant")
        if self.results:
            self.pause()
        if words:
            self.thoughts.append(words)

    def call(self, call: tuple, inline: tuple | None = None) -> None:
        """A call: `(id, name, arguments, malformed)`, and its result, `(value, failed)`, where that stands inside it."""
        self._only("a call", "assistant")
        self.made(call, inline)

    def made(self, call: tuple, inline: tuple | None = None) -> None:
        """A call of whoever speaks, as `call`."""
        if self.heard:
            self.pause()
        self.calls.append(call)
        self.broken = True
        if inline is not None:
            self._inside(len(self.calls) - 1, call, inline)

    def _inside(self, at: int, call: tuple, inline: tuple) -> None:
        value, failed = inline
        self.results.append(Entry("result", self.place, id=call[0], name=call[1], value=value, failed=failed, at=at))

    def result(self, id: object, name: str | None, value: object, failed: bool | None) -> None:
        """A result that stands for itself."""
        self._only("a result of a tool", "assistant", "user", "result")
        self.results.append(Entry("result", self.place, id=id, name=name, value=value, failed=failed))
        self.broken = self.heard = True

    def pause(self) -> None:
        """What follows comes after the results so far."""
        if self.texts or self.refusals or self.thoughts or self.calls or self.shown:
            self.entries.append(self._entry())
        self.entries += self.results
        self._start()

    def finished(self) -> list:
        """The entries of the whole message."""
        if self.party == "result":
            return self.results
        if self.party == "assistant":
            if not self.entries and not self.results:
                return [self._entry()]
            self.pause()
            return self.entries
        own = self.calls and [entry for entry in self.results if entry.at is not None]
        if self.results and not (self.shown or self.calls):
            return self.results
        if own:
            return [*(entry for entry in self.results if entry.at is None), self._entry(), *own]
        return [*self.results, self._entry()]

    def _entry(self) -> Entry:
        return Entry(
            self.party, self.place, "".join(self.texts), "".join(self.refusals) or None, "\n".join(self.thoughts) or None, tuple(self.calls)
        )

    def _only(self, what: str, *parties: str) -> None:
        if self.party not in parties:
            raise CaseError(f"{what} stands in a message of the {PARTIES[self.party]}: give the message the role of who said it")


PARTIES = {"system": "system", "user": "user", "assistant": "assistant", "result": "tool"}
