"""Shards: a batch is shared between machines by the digest of each sample's id, so that every machine knows its part without asking another."""
from __future__ import annotations

import re

from ..ground.errors import CaseError
from ..ground.record import Record
from ..text.quoting import quote

_MOST = 10**6


class Shard(Record):
    """Part `number` of `of`, counted from 1: the samples whose SHA-256 over "case LF sample", as a number, is `number - 1` modulo `of`."""

    __slots__ = ("number", "of", "_sha256")
    number: int
    of: int

    def __init__(self, number: int, of: int) -> None:
        import hashlib  # few runs are shared, and its import takes time

        if not 1 <= number <= of <= _MOST:
            raise CaseError(f"a shard is I/N, with I from 1 to N and N at most {_MOST}: 1/4 to 4/4, not {number}/{of}")
        self._set(number, of, hashlib.sha256)

    @classmethod
    def read(cls, spelt: str) -> Shard:
        """A shard as it is spelt, `2/4`. Raises CaseError."""
        found = re.fullmatch("([0-9]{1,9})/([0-9]{1,9})", spelt)
        if not found:
            raise CaseError(f"a shard is I/N, 2/4 say, and not {quote(spelt)}")
        return cls(int(found.group(1)), int(found.group(2)))

    def takes(self, case: str, sample: str) -> bool:
        """Whether a sample belongs to this shard."""
        spelt = f"{case}\n{sample}".encode("utf-8", "surrogatepass")
        return int.from_bytes(self._sha256(spelt).digest(), "big") % self.of == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"
