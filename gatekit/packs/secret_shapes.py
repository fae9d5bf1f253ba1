"""Finds what looks like a secret in a text.

`find_secrets` is for verdicts: known shapes of keys, and values that look chosen or drawn at random where a name announces a secret. High
entropy alone is no evidence: ids, file names, checksums and images have it too. `find_key_like` is for redaction only, and liberal.

A text is read as it is, in its own case; white space may have been folded, and segments are divided by line feeds. Every pass is linear in
the length of the text. What a decoder yields from a text (base64, percent escapes) is a text of its own: a caller that decodes calls
`find_secrets` again and maps the places back.
"""
from __future__ import annotations

from ..ground.record import Record
from .compiled import Hint, compiled
from .randomness import irregular_case, is_hexadecimal, looks_like_key, random_run, residue, runs_of
from .secrets import ANNOUNCEMENTS, FAMILIES, KNOWN_EXAMPLES, OPEN_NAMES, PLACEHOLDER_WORDS, SECRET_NAMES

__all__ = ["Secret", "find_key_like", "find_secrets", "looks_like_key"]


class Secret(Record):
    """A place in a text that holds a secret.

    start, end: character offsets of the secret itself, without the name or address around it.
    kind: what it is, in words ("github token").
    """

    __slots__ = ("start", "end", "kind")

    def __init__(self, start: int, end: int, kind: str) -> None:
        self._set(start, end, kind)


def find_secrets(text: str) -> list:
    """The secrets in a text: `Secret`s in order, none overlapping another.

    text: any string. Where two shapes overlap, their places are joined, under the name of the one that the data lists first.
    """
    found = None
    for mark, finder in _MARKS:
        if mark in text and finder.stands_in(text):
            found = [] if found is None else found
            finder.collect(text, found)
    return _joined(found) if found else []


def find_key_like(text: str, known: list | tuple = ()) -> list:
    """Tokens of twenty characters or more that look drawn at random, as `Secret`s of the kind "key-like token", in order.

    For redaction, never for a verdict: it also takes checksums without a name, and ids that machines draw. UUIDs, numbered ids
    (`ORD-2024-000123`), times, tokens made of words, checksums behind their name (`sha256:...`, `commit ...`) and the ids of calls and answers
    (`call_...`) are left readable, and so are the parts of a URL that none of this is.

    known: secrets that were found in the text. A token that one of them stands in is read without it (`KEY=...` is no other secret than its
    value); what goes on behind it without an edge belongs to it.
    """
    rest = _without(text, known)
    found = [Secret(at, _end_of_run(text, at), _KEY_LIKE) for at in sorted({secret.end for secret in known}) if _goes_on(rest, at)]
    urls = [url.span() for url in compiled(_URL).finditer(rest)] if "://" in rest else []
    urls.reverse()
    for token in compiled(_LONG_TOKEN).finditer(rest):
        while urls and urls[-1][1] <= token.start():
            urls.pop()
        parts = compiled(_URL_PART).finditer(rest, *token.span()) if urls and urls[-1][0] < token.start() else (token,)
        found += [Secret(*part.span(), _KEY_LIKE) for part in parts if _key_like(part.group()) and not _named_sum(rest, part)]
    return _joined(found)


def kinds() -> set:
    """All kinds of secrets by their names in words."""
    shapes = [shape.kind for family in (*FAMILIES, *(announcement.family for announcement in ANNOUNCEMENTS)) for shape in family.shapes]
    return {*shapes, *_ANNOUNCED_KINDS.values(), _KEY_LIKE}


# --- finders: a mark to look for first, a hint that begins with the mark, and what to do where the hint stands -------------------------

class _Finder(Hint):
    """Looks for the shapes of one family."""

    def __init__(self, family) -> None:
        super().__init__(family.hint)
        self.shapes = family.shapes

    def collect(self, text: str, found: list) -> None:
        for shape in self.shapes:
            if any(literal in text for literal in shape.literals):
                holds = _CONDITIONS[shape.condition]
                for match in compiled(shape.pattern).finditer(text):
                    group = match.lastindex or 0
                    secret = match.group(group)
                    if secret not in KNOWN_EXAMPLES and holds(match, secret):
                        found.append(Secret(match.start(group), match.end(group), shape.kind))


class _AnnouncedFinder(_Finder):
    """Looks for values that stand behind the name of a secret: `api_key = "..."`, `"password": "..."`, `the password is ...`."""

    def __init__(self, announcement) -> None:
        super().__init__(announcement.family)
        self.separator = announcement.separator

    def collect(self, text: str, found: list) -> None:
        super().collect(text, found)
        for match in compiled(self.separator).finditer(text):
            strictness = _announced(text, match.start())
            if strictness:
                value = compiled(_VALUE).match(text, match.end(1))
                if value and _ANNOUNCED[strictness](value):
                    secret = _as_meant(value)
                    if secret not in KNOWN_EXAMPLES:
                        start = value.start(value.lastindex)
                        found.append(Secret(start, start + len(secret), _ANNOUNCED_KINDS[strictness]))


def _joined(found: list) -> list:
    """In order, overlaps joined; `found` is in the order of the data."""
    joined, rank = [], 0
    for start, index in sorted((secret.start, index) for index, secret in enumerate(found)):
        secret = found[index]
        if joined and start < joined[-1].end:
            last = joined[-1]
            kind = secret.kind if index < rank else last.kind
            rank = min(index, rank)
            joined[-1] = Secret(last.start, max(last.end, secret.end), kind)
        else:
            joined.append(secret)
            rank = index
    return joined


# --- conditions on what a shape matched ------------------------------------------------------------------------------------------------

def _filled(match, secret: str) -> bool:
    """Not a row of crosses or zeros: a run of six characters or more has five different ones."""
    return any(len(run) >= 6 and len(set(run)) >= 5 for run in runs_of(secret))


def _mixed(match, secret: str) -> bool:
    """Filled, and not made of words."""
    return sum(residue(secret)) >= 8 and _filled(match, secret)


def _capitals(match, secret: str) -> bool:
    """Filled, and with a digit or not made of words (`ASIAPACIFICREGIONALS`)."""
    return _filled(match, secret) and (any(c.isdecimal() for c in secret) or _mixed(match, secret))


def _key(match, secret: str) -> bool:
    """Random in one run, or hexadecimal and long, or random over several runs."""
    if secret.islower() and not compiled("[0-9]").search(secret):
        return False
    if random_run(secret) or irregular_case(secret):
        return True
    if any(len(run) >= 24 and is_hexadecimal(run) and len(set(run)) >= 6 for run in runs_of(secret)):
        return True
    letters, digits = residue(secret)
    return letters >= 6 and digits >= 2 and letters + digits >= 16 and _filled(match, secret)


def _url_password(match, secret: str) -> bool:
    """Whatever a person would take for a password: no placeholder, no default that repeats the user's name, no port."""
    user = match.group()[3:].partition(":")[0]
    return secret != user and not _placeholder(secret) and not (secret.isdecimal() and len(secret) <= 5)


_CONDITIONS = {"filled": _filled, "mixed": _mixed, "capitals": _capitals, "key": _key, "url password": _url_password}


# --- values behind a name --------------------------------------------------------------------------------------------------------------

# A value in quotes (groups 1 to 3) may hold anything but its quote; a bare one (group 4) ends at white space and at what ends a value in
# code, in a URL and in a sentence. What goes on with a bracket is a call or a look-up in code.
_ENDS = r"""\s"'`,;<>()\[\]{}|\\&""" + "\u3001\u3002\u300d\uff0c\uff1b\uff09"
# An ampersand ends one where the next field of a form begins; else a password may hold it.
_AND = "&(?=[^\\s\"'`&=]{1,40}(?:[\\s\"'`&]|\\Z))"
_VALUE = (
    r"""[=>]?\s?(?:\\?["'`]\s?)?(?:(?:Bearer|Basic|Token|Bot|ApiKey|bearer|basic|token) )?"""
    r"""(?:(?<=")([^"\n\\]{6,256})\\?"|(?<=')([^'\n\\]{6,256})\\?'|(?<=`)([^`\n\\]{6,256})`"""
    rf"""|\\?["'`]?((?:[^=:{_ENDS}]|{_AND}){{6,256}}={{0,2}}[.!?*]{{0,3}})(?![({{\[=:])(?=[{_ENDS}]|\Z))"""
)
_BARE = 4
_SENTENCE_END = ".!?*"
_NAME_TAIL = " \t\n\"'`\\)]*"
# What stands for a value: ${X}, $(x), $X, <x>, {x}, {{x}}, %X%, %(x)s, %s, ***, ..., xxxx, [X
_TEMPLATE = (
    r"\$\{|\A\$\(|\A\$[A-Za-z_][A-Za-z0-9_]*\Z|\A[{<]|\{\{|<[A-Za-z_ -]+>|%[A-Za-z_][A-Za-z0-9_]*%|%\([A-Za-z_]+\)|\A%[a-z]\Z"
    "|\\*{3}|\\.{3}|\u2026|[xX]{4}|\\[[A-Za-z]"
)
_CODE_PATH = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+\Z"
_FILE_PATH = r"(?:~|\.{1,2})?/[a-z][a-z0-9_.-]*(?:/|\Z)"
_PIECE = r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+"
_NAMES = tuple(sorted(SECRET_NAMES, key=len, reverse=True))


def _announced(text: str, place: int) -> str:
    """How strictly to read the value behind `place`, by the name in front of it; "" where that is no name of a secret."""
    name = text[max(0, place - 48):place].rstrip(_NAME_TAIL).rstrip("_0123456789").lower()
    joined = name.replace("_", "").replace("-", "").replace(" ", "").replace(".", "")
    if not joined.endswith(_NAMES) or joined.endswith(OPEN_NAMES) or name[-1:].isspace():
        return ""
    strictness = next(SECRET_NAMES[known] for known in _NAMES if joined.endswith(known))
    # A header's name is a whole word; `aggregationAuthorization` is somebody's own field.
    return "" if strictness == "header" and name[-14:-13].isalpha() else strictness


def _placeholder(value: str) -> bool:
    """Whether a value stands for a secret instead of being one: `<password>`, `***`, `${TOKEN}`, `YOUR_API_KEY`, `changeme123`."""
    if len(set(value)) <= 3 or compiled(_TEMPLATE).search(value):
        return True
    pieces = compiled(_PIECE).findall(value)
    return all(piece.lower() in PLACEHOLDER_WORDS or "1234567890".startswith(piece) for piece in pieces)


def _as_meant(value) -> str:
    """The value of a match of `_VALUE`; a bare one does not take in the end of its sentence."""
    secret = value.group(value.lastindex)
    return secret.rstrip(_SENTENCE_END) if value.lastindex == _BARE else secret


def _literal(value) -> str:
    """The value, or "" where it is a placeholder, a path, an address, a phrase, or code that looks a secret up."""
    secret = _as_meant(value)
    if value.lastindex == _BARE:
        argument = value.string[value.end():value.end() + 1] in (")", ",")
        if compiled(_CODE_PATH).match(secret) or argument and "_" in secret and secret.isidentifier():
            return ""
    if " " in secret or "://" in secret or compiled(_FILE_PATH).match(secret) or _placeholder(secret):
        return ""
    return secret


def _chosen_password(value) -> bool:
    """Six characters or more: letters and digits, or both cases and a sign, or both cases and no words."""
    secret = _literal(value)
    if len(secret) < 6 or not any(c.isalpha() for c in secret):
        return False
    if any(c.isdecimal() for c in secret):
        return True
    both_cases = secret.lower() != secret != secret.upper()
    return both_cases and (any(not c.isalnum() and c not in "-_." for c in secret) or residue(secret)[0] >= 6)


def _drawn_token(value) -> bool:
    """Twelve characters or more, ten of which belong to no word; or 24 hexadecimal digits, as a UUID has."""
    secret = _literal(value)
    if len(secret) < 12:
        return False
    runs = runs_of(secret)
    if all(is_hexadecimal(run) for run in runs):
        return sum(len(run) for run in runs) >= 24 and len(set(secret)) >= 6
    letters, digits = residue(secret)
    return letters >= 4 and digits >= 1 and letters + digits >= 10 or random_run(secret) or irregular_case(secret)


def _header_value(value) -> bool:
    """Basic credentials are short and may hold no digit; any other scheme carries a key."""
    secret = _literal(value)
    if "asic " in value.group():
        return len(secret) >= 8 and sum(residue(secret)) >= 6
    return len(secret) >= 12 and _key(value, secret)


_ANNOUNCED = {"password": _chosen_password, "token": _drawn_token, "header": _header_value}
_ANNOUNCED_KINDS = {"password": "password", "token": "secret value", "header": "authorization header"}


# --- redaction -------------------------------------------------------------------------------------------------------------------------

_KEY_LIKE = "key-like token"
_LONG_TOKEN = r"(?<![A-Za-z0-9_+/=-])[A-Za-z0-9_+/=-]{20,}"
_URL = r"[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\s\"'<>`\\]+"
_URL_PART = r"[A-Za-z0-9_+-]{20,}"
_UUID = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\Z"
# What the makers of models call calls, answers, messages, runs and files by: public, and in every log.
_PUBLIC_ID = (
    r"(?:call|fc|toolu|srvtoolu|tooluse|chatcmpl|cmpl|msg|resp|rs|run|step|thread|asst|conv|item|batch|file|req|gen)[_-][A-Za-z0-9_-]{8,64}\Z"
)
_SUM = r"(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})\Z"
_NAME_OF_A_SUM = (
    r"(?<![A-Za-z0-9])(?:sha|sha-?(?:1|224|256|384|512)(?:sum)?|md5(?:sum)?|commit|checksum|digest|revision)[\"'`]?(?:\s?[:=]\s?|\s)[\"'`]?\Z"
)


def _without(text: str, known: list | tuple) -> str:
    """A text with white space in the place of some secrets."""
    pieces, at = [], 0
    for start, end in sorted((secret.start, secret.end) for secret in known):
        if end > at:
            pieces += (text[at:start], " " * (end - max(at, start)))
            at = end
    return "".join([*pieces, text[at:]]) if pieces else text


def _goes_on(rest: str, at: int) -> bool:
    """Whether letters or digits follow right behind a secret: more than its shape takes in."""
    return rest[at : at + 1].isalnum() and rest[at : at + 1].isascii()


def _end_of_run(text: str, at: int) -> int:
    return compiled("[A-Za-z0-9]+").match(text, at).end()


def _named_sum(text: str, token) -> bool:
    """Whether a token is a checksum or a commit that is called one."""
    if not compiled(_SUM).match(token.group().lower()):
        return False
    return compiled(_NAME_OF_A_SUM).search(text[max(0, token.start() - 20) : token.start()].lower()) is not None


def _key_like(token: str) -> bool:
    if compiled(_UUID).match(token) or compiled(_PUBLIC_ID).match(token):
        return False
    if random_run(token, least=16) or any(len(run) >= 32 and is_hexadecimal(run) and not run.isdecimal() for run in runs_of(token)):
        return True
    if not token.lower() != token != token.upper():
        return False
    letters, digits = residue(token)
    return letters >= 10 and digits >= 1 and letters + digits >= 16


_MARKS = tuple((family.mark, _Finder(family)) for family in FAMILIES) + tuple(
    (announcement.family.mark, _AnnouncedFinder(announcement)) for announcement in ANNOUNCEMENTS
)
