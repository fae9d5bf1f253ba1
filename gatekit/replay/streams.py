"""Streams: what a client gives bit by bit is passed on bit by bit, and recorded; a recorded stream is given in the same bits.

What is recorded is what the agent took. An agent that stops early leaves a stream that `ended` is not said of; one that reads on from there has left the
recording.
"""
from __future__ import annotations

from .values import is_foreign


def is_stream(value: object) -> bool:
    """Whether a value is a stream: something that is gone through once, and no collection (which has a length) or recordable object."""
    kind = type(value)
    return not hasattr(kind, "__len__") and (hasattr(kind, "__next__") or hasattr(kind, "__iter__") and not is_foreign(value))


def is_async_stream(value: object) -> bool:
    """Whether a value is a stream that is awaited bit by bit."""
    return hasattr(type(value), "__aiter__") and not hasattr(type(value), "__len__")


class Stream:
    """A stream of either kind, as an agent sees it: gone through once, and usable in a `with`."""

    def __init__(self, source, note, chunks) -> None:
        """`source` is the real stream, None on replay; `note` is told each chunk, then the end (`ended`) or the error; `chunks` are those of a recording."""
        self._source = source
        self._note = note
        self._chunks = chunks
        self._steps = None

    def __iter__(self):
        return self

    def __next__(self):
        if self._chunks is not None:
            return next(self._chunks)
        if self._steps is None:
            self._steps = iter(self._source)
        try:
            chunk = next(self._steps)
        except StopIteration:
            self._note("ended", None)
            raise
        except Exception as error:
            self._note("failed", error)
            raise
        self._note("chunk", chunk)
        return chunk

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self._chunks is not None:
            try:
                return next(self._chunks)
            except StopIteration:
                raise StopAsyncIteration from None
        if self._steps is None:
            self._steps = self._source.__aiter__()
        try:
            chunk = await self._steps.__anext__()
        except StopAsyncIteration:
            self._note("ended", None)
            raise
        except Exception as error:
            self._note("failed", error)
            raise
        self._note("chunk", chunk)
        return chunk

    def __enter__(self):
        if hasattr(self._source, "__enter__"):
            self._source.__enter__()
        return self

    def __exit__(self, *error):
        if hasattr(self._source, "__exit__"):
            return self._source.__exit__(*error)
        return None

    async def __aenter__(self):
        if hasattr(self._source, "__aenter__"):
            await self._source.__aenter__()
        return self

    async def __aexit__(self, *error):
        if hasattr(self._source, "__aexit__"):
            return await self._source.__aexit__(*error)
        return None

    def close(self):
        """Close the real stream; what it gives may be awaited."""
        close = getattr(self._source, "close", None) or getattr(self._source, "aclose", None)
        return close() if close is not None else None
