"""Does a token look drawn at random, or put together from words, dates and counters?

A key is drawn from an alphabet with equal chances; an id that people made (`task-2024-Q3-review`) is words and numbers in a row.
Shannon entropy does not tell the two apart at these lengths (a file name of thirty letters has as much of it as a key), so we look at
letter pairs instead: about 240 of the 676 pairs of letters make up nine tenths of English (and most of what other Latin scripts write),
so a word consists of them, and a random string meets them one time in three.

The measure is the *residue* of an unbroken run of letters and digits: what is left of it when the pieces that read as words are taken
out. A piece is a lower-case or capitalised stretch, or a stretch of capitals, of three letters or more; it reads as a word when two
thirds of its pairs are common, three quarters where it is long. `ReportQ3Final2024` leaves `Q3` and `2024`; a base62 key of that length
leaves nearly all of itself.
"""
from __future__ import annotations

from .compiled import compiled

# The pairs of letters of running text, by first letter.
_FOLLOWERS = {
    "a": "bcdgiklmnprstuvy", "b": "aeilorsu", "c": "acehiklorstu", "d": "aeiorsu", "e": "acdefgilmnprstvwxy", "f": "aefiloru",
    "g": "aehilnorsu", "h": "aeiort", "i": "abcdefglmnoprstvz", "j": "aou", "k": "aeis", "l": "adeilostuy", "m": "abeimopsu",
    "n": "acdefgiknostuv", "o": "bcdfgiklmnoprstuvw", "p": "aehiloprstu", "q": "u", "r": "acdegiklmnoprstuy", "s": "acehiklopstuy",
    "t": "acehilorstuy", "u": "abceilmnprst", "v": "aei", "w": "aeio", "x": "pt", "y": "ps", "z": "e",
}
_COMMON_PAIRS = frozenset(first + second for first, followers in _FOLLOWERS.items() for second in followers)

_RUN = "[A-Za-z0-9]{1,512}"     # cut, so that a run which is no key costs what its length costs
_NUMBER = "[0-9]+"
_PIECE = "[A-Z]?[a-z]+|[A-Z]+|[0-9]+"
_HEX = "(?:[0-9a-f]+|[0-9A-F]+)\\Z"
# Identifiers that sort by time: 26 characters of Crockford's base32, the first at most 7 (github.com/ulid/spec).
_ULID = "[0-7](?:[0-9a-hjkmnp-tv-z]{25}|[0-9A-HJKMNP-TV-Z]{25})\\Z"
_TOKEN = "[A-Za-z0-9_+/=.-]{0,512}"


def _reads_as_word(piece: str) -> bool:
    pairs = len(piece) - 1
    if pairs < 2:
        return False
    piece = piece.lower()
    common = sum(piece[i:i + 2] in _COMMON_PAIRS for i in range(pairs))
    return 3 * common >= 2 * pairs if pairs < 7 else 4 * common >= 3 * pairs


def residue(token: str) -> tuple:
    """(letters, digits) that are left of a run, or of all runs of a token, when the words in it are taken out."""
    letters = digits = 0
    for piece in compiled(_PIECE).findall(token):
        if piece[0] <= "9":
            digits += len(piece)
        elif not _reads_as_word(piece):
            letters += len(piece)
    return letters, digits


def _mixes_cases(run: str) -> bool:
    return run.lower() != run != run.upper()


def runs_of(token: str) -> list:
    """The unbroken runs of letters and digits in a token, cut at 512 characters."""
    return compiled(_RUN).findall(token)


def is_hexadecimal(run: str) -> bool:
    """Digits and letters a to f of one case: a checksum, a UUID's digits, or a key; the shape does not say which."""
    return compiled(_HEX).match(run) is not None


def random_run(token: str, *, least: int = 12) -> bool:
    """Whether one unbroken run of at least `least` letters and digits in the token looks drawn at random.

    Such a run has a digit, is neither hexadecimal nor a ULID, belongs to words by less than half, and leaves six letters outside them, or
    four where small and capital letters mix or four digits stand in two numbers; or it has four numbers and six letters.
    """
    for run in compiled(_RUN).findall(token):
        if len(run) >= least and not is_hexadecimal(run) and not compiled(_ULID).match(run):
            letters, digits = residue(run)
            numbers = len(compiled(_NUMBER).findall(run))
            scattered = letters >= 6 or letters >= 4 and (_mixes_cases(run) or numbers >= 2 and digits >= 4)
            if digits and scattered and letters + digits >= 10 and 2 * (letters + digits) >= len(run):
                return True
            if numbers >= 4 and len(run) - digits >= 6:
                return True
    return False


def irregular_case(token: str) -> bool:
    """Whether a token looks random without digits: small and capital letters, ten of them outside its words, and these half of it."""
    if not _mixes_cases(token):
        return False
    letters, digits = residue(token)
    return letters >= 10 and 2 * (letters + digits) >= len(token)


def looks_like_key(body: str) -> bool:
    """Whether what follows a key prefix looks like the rest of a key, where the prefix is fused to what stands before it.

    `sk-` ends the words task, risk, desk and disk, and what people and programs write behind these is words, dates, versions, counters,
    short ids and checksums. So this is the rule: the token at the start of `body` (letters, digits and `_ + / = . -`) must hold one
    unbroken run of twelve letters and digits or more that
    - has a digit,
    - is not hexadecimal throughout (`task-9f86d081`, a git commit, a UUID with or without its hyphens, a checksum),
    - is not a ULID (`task-01HZX...`), and
    - belongs to words by less than half (see the module), and leaves six letters outside them; four where small and capital letters mix,
      or four digits stand in two numbers; or has four numbers and six letters.
    A token without digits counts as well when it mixes cases and half of it belongs to no word. Case does not matter otherwise:
    `live-abcd1234efgh5678` is a key. `brief-2024-desk-based-risk-assessment` has no such run, `2024-11-30` no letters,
    `ReportQ3Final2024` only words and numbers.

    The error that is left: an id drawn from the full alphabet (a nanoid of 21 characters) behind `task-` reads as a key, because nothing
    in it says that it is none. A rule about what must never appear errs on that side.

    body: what follows the prefix; it may run on to the end of the text.
    """
    token = compiled(_TOKEN).match(body).group()
    return random_run(token) or irregular_case(token)
