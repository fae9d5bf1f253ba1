"""The options of a command as a table: it reads the command line, and prints the help.

    WORD          is a path, unless it begins with a dash (a dash alone is a word); after `--` every word is one
    --FLAG        a switch
    --FLAG VALUE  an option with a value; also --FLAG=VALUE
    -F            the short form that some options have

The standard library's argparse is not used: to import it and build a parser adds an eighth (3.11) to a third (3.9) to the start of a bare Python, and its
messages differ between Pythons.
"""
from __future__ import annotations

from ..ground.errors import GatekitError, nearest
from ..ground.record import Record
from ..text.quoting import quote


WIDEST = 100
_COLUMN = 28  # of the flags


class UsageError(GatekitError):
    """A command line that cannot be meant."""


class Option(Record):
    """One option: its flag, what its value is called (None for a switch), what it does, whether it may be given again, its words, and its short form."""

    __slots__ = ("flag", "value", "about", "repeats", "choices", "short")

    def __init__(self, flag: str, value: str | None, about: str, repeats: bool = False, choices: tuple = (), short: str = "") -> None:
        self._set(flag, value, about, repeats, choices, short)

    @property
    def name(self) -> str:
        """The option's name in what `parse` gives."""
        return self.flag.strip("-").replace("-", "_")

    @property
    def unset(self) -> object:
        """What `parse` gives where the option is not given: False for a switch, an empty list for one that repeats, else None."""
        return False if self.value is None else [] if self.repeats else None


# Of every command.
HELP_OPTION = Option("--help", None, "print this", short="-h")
# Of every command that reads rules.
PLUGIN = Option("--plugin", "MODULE", "import a module that registers matchers or invariants (may be given again)", True)


def parse(words: list, options: tuple) -> tuple:
    """The values of the options by name, and the words that are none. Raises UsageError.

    A switch is True or False, an option None or its value, one that repeats a list.
    """
    by_flag = {flag: option for option in options for flag in (option.flag, option.short) if flag}
    values = {option.name: option.unset for option in options}
    paths: list = []
    waiting = iter(words)
    for word in waiting:
        if word == "--":
            paths += waiting
        elif word == "-" or not word.startswith("-"):
            paths.append(word)
        else:
            flag, equals, value = word.partition("=")
            option = by_flag.get(flag)
            if option is None:
                near = nearest(flag, by_flag)
                raise UsageError(f"there is no option {quote(flag)}" + (f": did you mean {near}?" if near else ""))
            if option.value is not None and not equals:
                value = next(waiting, "")
            values[option.name] = _taken(option, values[option.name], equals, value)
    return values, paths


def _taken(option: Option, before: object, equals: str, value: str) -> object:
    if option.value is None:
        if equals:
            raise UsageError(f"{option.flag} takes no value")
        return True
    if not value or not _is_meant(value, equals):
        raise UsageError(f"{option.flag} needs a value: {option.flag} {option.value}")
    if option.choices and value not in option.choices:
        near = nearest(value, option.choices)
        raise UsageError(f"{option.flag} is one of {', '.join(option.choices)}, not {quote(value)}" + (f": did you mean {near}?" if near else ""))
    if option.repeats:
        return [*before, value]
    if before is not None:
        raise UsageError(f"{option.flag} is given twice, and can be given once")
    return value


def _is_meant(value: str, equals: str) -> bool:
    """Whether a value is meant as one: another flag in its place means that it was forgotten, unless it stands behind `=`."""
    return bool(equals) or value == "-" or not value.startswith("--")


def option_lines(options: tuple) -> list:
    """The options as lines of a help text, none of them wider than `WIDEST`."""
    from ..reports.wrapping import wrapped

    lines = []
    for option in options:
        spelt = (f"{option.short}, " if option.short else "") + option.flag + (f" {option.value}" if option.value else "")
        lines += [f"  {spelt}"] if len(spelt) > _COLUMN else []
        lines += wrapped(f"  {spelt if len(spelt) <= _COLUMN else '':<{_COLUMN}} {option.about}", WIDEST, _COLUMN + 3)
    return lines


def whole_number(flag: str, value: str, least: int, most: int) -> int:
    """The whole number that the value of an option is. Raises UsageError for another value."""
    if not value.isascii() or not value.isdigit() or len(value) > 20 or not least <= int(value) <= most:
        raise UsageError(f"{flag} is a whole number from {least} to {most}, not {quote(value)}")
    return int(value)
