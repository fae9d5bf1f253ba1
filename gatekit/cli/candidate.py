"""Outputs from a user's own function: it is called with each case's input, and whatever it raises becomes an `error` sample."""
from __future__ import annotations

import os
import sys

from ..data.sample import Sample
from ..golden.suite import Suite
from ..ground.errors import CaseError, GatekitError
from ..matchers.custom import said
from ..text.quoting import quote
from .options import UsageError


def import_module(name: str):
    """Import a module by its dotted name, from the working directory too. Raises UsageError in words where it cannot be imported."""
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    if name.endswith(".py"):
        dotted = name[:-3].replace(os.sep, "/").removeprefix("./").strip("/").replace("/", ".")
        raise UsageError(f"a module is named with dots and without its ending: {quote(dotted)}")
    try:
        __import__(name)
    except (GatekitError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise UsageError(f"the module {quote(name)} cannot be imported: {said(error)}") from None
    return sys.modules[name]


def import_plugins(modules: list) -> None:
    """Import the modules that register a team's own matchers and invariants."""
    for module in modules:
        import_module(module)


def function_named(spelt: str, flag: str = "--candidate"):
    """The function that `module:function` names. Raises UsageError where there is none."""
    module, colon, path = spelt.partition(":")
    if not module or not colon or not path:
        raise UsageError(f"{flag} is MODULE:FUNCTION, not {quote(spelt)}")
    found = import_module(module)
    for part in path.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise UsageError(f"the module {quote(module)} has no function {quote(path)}")
    return found


def aside(function, argument: object) -> object:
    """What a user's function gives. What it prints goes to the standard error: what the program prints stands alone."""
    out, sys.stdout = sys.stdout, sys.stderr
    try:
        return function(argument)
    finally:
        sys.stdout = out


def finish(steps) -> None:
    """Run a generator to its end, that yields whatever is to be awaited. An event loop is started by the first such thing, and all are awaited in that one.

    Each is awaited in a task of its own: so an agent that cancels itself is told from a program that is ended by Ctrl-C, which closes the generator.
    """
    try:
        waiting = next(steps)
    except StopIteration:
        return
    import asyncio

    async def outcome(waiting) -> tuple:
        try:
            return steps.send, await waiting
        except KeyboardInterrupt:
            return None, None  # raised here it would be an exception of the task that nobody asked for, and the loop would say so
        except BaseException as error:  # SystemExit too: it would end the event loop
            return steps.throw, error

    async def rest(waiting):
        while True:
            task = asyncio.ensure_future(outcome(waiting))
            try:
                await asyncio.wait([task])
                go_on, given = task.result()
                if go_on is None:
                    raise KeyboardInterrupt
            except BaseException:
                steps.close()
                raise
            try:
                waiting = go_on(given)
            except StopIteration:
                return

    asyncio.run(rest(waiting))


def run_candidate(suite: Suite, spelt: str) -> None:
    """Call the candidate for each case, and judge what it gives."""
    function = function_named(spelt)
    for case in suite.cases:
        if suite.is_stopped:
            return
        if case.deprecated:
            continue
        if "input" not in case.fields:
            suite.errors.append(CaseError('the case has no "input" to call the candidate with: add one', file=case.file))
            continue
        try:
            suite.add(_sample(aside(lambda given: _call(function, given), case.input), case.id))
        except CaseError as error:
            suite.errors.append(error.located(file=case.file))


def outcome_of(function, given: object) -> object:
    """What a function gives, plain or asynchronous."""
    output = function(given)
    if not hasattr(output, "__await__"):
        return output
    awaited = []

    def steps():
        awaited.append((yield output))

    finish(steps())
    return awaited[0]


def _call(function, given: object) -> object:
    try:
        return outcome_of(function, given)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: an agent does not end the run
        return Sample(error=said(error))


def _sample(output: object, case: str) -> Sample:
    sample = Sample.of(output)
    return Sample(**{**sample.fields, "case": case, "sample": sample.sample or "candidate"})
