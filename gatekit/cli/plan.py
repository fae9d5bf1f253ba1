"""`plan`: how many samples it takes to show a failure rate, before any is run."""
from __future__ import annotations

from ..ground.errors import CaseError
from ..ground.exact import Exact, parse_rate
from ..judging.evidence import MOST_SAMPLES, USUAL_CONFIDENCE, fewest_failures, most_failures, parse_confidence, percent, samples_needed, upper_bound
from .options import HELP_OPTION, Option, UsageError, option_lines, parse, whole_number

ROWS = 6
MOST_ROWS = 1000
OPTIONS = (
    Option("--threshold", "RATE", "the failure rate that is to be shown, as 1% or 0.01; needed"),
    Option("--confidence", "SHARE", f"how sure it is to be, as 95% or 0.95 (by default {percent(USUAL_CONFIDENCE)})"),
    Option("--failures", "N", f"print the sizes for 0 to N failures (by default {ROWS - 1})"),
    Option("--samples", "N", "print what N samples can show instead"),
    HELP_OPTION,
)
HELP = """\
usage: python -m gatekit plan --threshold RATE [--confidence SHARE]

Print how many samples show a failure rate to be at most RATE, by the exact one-sided bound of
Clopper and Pearson: what a gate with "confidence" asks for.

options:
{options}

exit codes: 0 it was printed, 4 bad usage

example:
  python -m gatekit plan --threshold 1% --confidence 95%
"""


def plan(words: list) -> tuple:
    """Run the command; gives the exit code and what is to be printed."""
    given, paths = parse(words, OPTIONS)
    if given["help"]:
        return 0, HELP.format(options="\n".join(option_lines(OPTIONS)))
    if paths:
        raise UsageError("plan takes no PATH: python -m gatekit plan --threshold 1% --confidence 95%")
    rate = _rate(given["threshold"])
    confidence = USUAL_CONFIDENCE if given["confidence"] is None else _meant("--confidence", given["confidence"], parse_confidence)
    if given["samples"] is None:
        most = ROWS - 1 if given["failures"] is None else whole_number("--failures", given["failures"], 0, MOST_ROWS)
        return 0, "\n".join(_sizes(rate, confidence, most)) + "\n"
    if given["failures"] is not None:
        raise UsageError("--samples and --failures exclude each other: leave one of them out")
    return 0, "\n".join(_shown(rate, confidence, whole_number("--samples", given["samples"], 1, MOST_SAMPLES))) + "\n"


def _rate(spelt: str | None) -> Exact:
    if spelt is None:
        raise UsageError("name the failure rate that is to be shown: --threshold 1%")
    rate = _meant("--threshold", spelt, parse_rate)
    if not 0 < rate.numerator < rate.denominator:
        words = "no number of samples shows a rate of 0" if not rate.numerator else "a rate of at most 100% needs no sample"
        raise UsageError(f"--threshold: {words}: name one between, such as 1%")
    return rate


def _meant(flag: str, spelt: str, read) -> Exact:
    try:
        return read(spelt)
    except CaseError as error:
        raise UsageError(f"{flag}: {error.message}") from None


def _sizes(rate: Exact, confidence: Exact, most: int) -> list:
    lines = [f"to show at {percent(confidence)} that the failure rate is at most {percent(rate)}:"]
    sizes = []
    for failures in range(most + 1):
        size = samples_needed(failures, rate, confidence)
        if size is None:
            return [*lines, *_rows(sizes), "  more than 10^18 samples" + (f" with {failures} failures" if failures else "")]
        sizes.append(size)
    return lines + _rows(sizes)


def _rows(sizes: list) -> list:
    width = len(str(sizes[-1])) if sizes else 0
    return [f"  {size:>{width}} sample{'s' * (size != 1)} with {_at_most(failures)}" for failures, size in enumerate(sizes)]


def _at_most(failures: int) -> str:
    return f"at most {failures} failure{'s' * (failures != 1)}" if failures else "no failure"


def _shown(rate: Exact, confidence: Exact, samples: int) -> list:
    most, fewest = most_failures(samples, rate, confidence), fewest_failures(samples, rate, confidence)
    lines = [f"of {samples} sample{'s' * (samples != 1)}, held to a failure rate of {percent(rate)} at {percent(confidence)}:"]
    if most is None:
        needed = samples_needed(0, rate, confidence)
        lines.append(f"  pass          never: it takes {'more than 10^18' if needed is None else needed} clean samples")
    else:
        lines.append(f"  pass          with {_at_most(most)}")
    lines.append("  fail          " + (f"from {fewest} failure{'s' * (fewest != 1)} on" if fewest is not None else "never: too few samples to show more"))
    first, last = 0 if most is None else most + 1, samples if fewest is None else fewest - 1
    if first <= last:
        lines.append(f"  inconclusive  with {first} to {last} failures" if first < last else f"  inconclusive  with {first} failure{'s' * (first != 1)}")
    return [*lines, f"without a failure they show a rate of up to {upper_bound(0, samples, confidence, rate)}"]
