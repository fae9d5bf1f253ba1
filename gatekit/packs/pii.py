"""Shapes of personal data, as data. `pii_shapes` reads them.

They are for redaction, never for a verdict. A false alarm costs the reader of a report a word, a miss costs a person more; and yet order ids, dates, prices,
addresses of machines, versions and time stamps stay readable, or nobody would switch the masks on. What has a checksum is held to it.

Sources
    email   RFC 5322 section 3.4.1 and RFC 5321 section 4.1.2, as addresses are written mostly: an unquoted local part of letters, digits and `.`, `_`, `+`,
            `-`, `'`, `%` (with `=` behind a `+`, as bounce addresses have it), or a quoted one; RFC 6531 for letters outside ASCII; RFC 5233 for `+`;
            RFC 3986 for `%40`
    phone   ITU-T E.164 (country codes as assigned, fifteen digits at most), E.123 for how numbers are written, RFC 3966 for `tel:` and `;ext=`; the North
            American Numbering Plan; national forms with a trunk prefix 0
    card    ISO/IEC 7812-1: twelve to nineteen digits, a check digit by Luhn; the issuers' published ranges of identification numbers and lengths
    iban    ISO 13616-1 and the registry of IBANs (SWIFT): countries, lengths, structures; ISO 7064 MOD 97-10
"""
from __future__ import annotations

NAMES = ("email", "phone", "card", "iban")

# --- e-mail ----------------------------------------------------------------------------------------------------------------------------

# Letters outside ASCII, and the marks that go with them: of scripts that put spaces between words, and of those that do not. An address in Latin
# letters stands in a Chinese sentence without a space around it.
_SPACED = (
    "\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u060b\u060d-\u061a\u0620-\u0669\u066e-\u06d3\u06d5-\u0963\u0966-\u0dff"
    "\u0f00-\u0fff\u10a0-\u177f\u1800-\u1fff"
    "\u2c00-\u2dff\ua000-\ud7ff\ufb00-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010000-\U0001efff"
)
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3105-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
SPACELESS = f"[{_SPACELESS}]"
_LATIN = "A-Za-z0-9"
_LOCAL = r".%+'_\-"  # with letters and digits
# Read from the at sign backwards, up to LONGEST_LOCAL characters.
LONGEST_LOCAL = 64
LOCAL = rf"[{_LATIN}{_SPACED}{_LOCAL}]+(?:=[{_LATIN}{_SPACED}{_LOCAL}]*\+[{_LATIN}{_SPACED}{_LOCAL}]*)?"
LOCAL_SPACELESS = rf"[{_LATIN}{_SPACED}{_SPACELESS}{_LOCAL}]+"
LOCAL_QUOTED = r'"(?! )[^"\n,;:<>()@\[\]{}]{1,62}(?<! )"(?![A-Za-z0-9])'
_LABEL = rf"[{_LATIN}{_SPACED}{_SPACELESS}](?:[{_LATIN}{_SPACED}{_SPACELESS}_-]{{0,62}})"
# A top-level domain is of one script: what goes on behind a Latin one in another, as a Korean particle does, is no part of it. Greek and Cyrillic are one with
# Latin here, since letters that look alike are read as the same.
_EUROPEAN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u052f\u1e00-\u1fff"
_TOP = rf"(?:(?:xn--[A-Za-z0-9-]{{2,59}}|[{_EUROPEAN}]{{2,24}})(?![{_LATIN}])|(?![{_EUROPEAN}])[{_SPACED}{_SPACELESS}]{{2,24}})"
# A version behind an at sign (`react@18.2.0-rc.next`) is no domain; a machine's address in brackets is one.
AT = (
    r"(?:@|%40)"
    rf"(?:(?!v?[0-9]+\.[0-9]+\.[0-9])((?:{_LABEL}\.){{1,9}}{_TOP})|(\[(?:[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}}|IPv6:[0-9A-Fa-f:.]{{2,45}})\]))"
)
# What a local part does not begin with where it was copied from a URL or a list: an escape that stands for a sign that ends a word.
LOCAL_BEFORE = r".*%(?!2[BbDdEe]|5[Ff])[0-9A-Fa-f]{2}|[.'%+-]+"
# Endings of files that are no top-level domains: `logo@2x.png`, `main@feature.json`.
FILE_ENDINGS = frozenset(
    "png jpg jpeg gif webp svg avif bmp ico tif tiff heic css scss less js jsx mjs cjs ts tsx vue json jsonl yaml yml toml xml html htm xhtml txt csv tsv pdf"
    " doc docx xls xlsx ppt pptx odt log lock tmp bak cfg conf ini exe dll dylib tar gz tgz rar whl jar class java cpp hpp php rb go lua sql db sqlite"
    " mp3 mp4 wav webm ttf woff".split()
)

# --- phone -----------------------------------------------------------------------------------------------------------------------------

# Country codes that are assigned (E.164, List of assigned country codes), by their first digit: one, two or three digits, none the beginning of another.
COUNTRY_CODE = (
    r"(?:1|7|2(?:0|7|1[12368]|[2346][0-9]|5[0-8]|9[01789])|3(?:[0123469]|5[0-9]|7[0-9]|8[0-35-79])|4(?:[013-9]|2[013])|5(?:[1-8]|0[0-9]|9[0-9])"
    r"|6(?:[0-6]|7[0-9]|8[0-35-9]|9[0-2])|8(?:[1246]|0[08]|5[02356]|7[0-48]|8[0-368])|9(?:[0-58]|6[0-8]|7[0-9]|9[1-8]))"
)
# The most digits behind a country code where numbers are known to be shorter than E.164 allows: what goes on behind a space is something else.
MOST_DIGITS = {
    "1": 10, "7": 10, "20": 10, "27": 9, "30": 10, "31": 9, "32": 9, "33": 9, "34": 9, "36": 9, "39": 11, "40": 9, "41": 9, "44": 10, "45": 8, "46": 10,
    "47": 8, "48": 9, "49": 12, "51": 9, "52": 11, "54": 11, "55": 11, "56": 9, "57": 10, "60": 10, "61": 9, "62": 12, "63": 10, "64": 10, "65": 8, "66": 9,
    "81": 10, "82": 10, "84": 10, "86": 11, "90": 10, "91": 10, "92": 10, "94": 9, "212": 9, "216": 8, "233": 9, "234": 10, "254": 9, "351": 9, "353": 9,
    "359": 9, "370": 8, "371": 8, "372": 8, "380": 9, "381": 10, "385": 9, "386": 8, "420": 9, "421": 9, "852": 8, "853": 8, "886": 9, "961": 8, "962": 9,
    "965": 8, "966": 9, "971": 9, "972": 9, "973": 8, "974": 8,
}  # fmt: skip
# Between two digits of a number.
_GAP = r" ?[-./()](?: ?[-./()])? ?| "
_EXTENSION = r"(?=[ ,;#xXeEdD]),? ?(?:(?i:ext\.?|extn\.?|extension|x|;ext=|durchwahl)|#) ?:?([0-9]{1,6})(?![0-9])"
# What does not stand before the first character, which is read by then: a pattern that begins with a character is looked for faster.
_LEFT = r"(?<![A-Za-z0-9_+#$\u00a3\u20ac\u00a5].)(?<![0-9][-.:].)(?<![A-Za-z_][-/].)"
_RIGHT = rf"(?:{_EXTENSION}|(?![0-9A-Za-z_])(?![-.:][0-9]))"
_ALONE = rf"(?:{_EXTENSION}|(?![0-9A-Za-z_])(?![-.:][0-9])(?! [0-9]{{3}}))"
# Before a number with a trunk prefix: no groups of four (an id), and no date or sum, but another number with a stroke or comma behind it. Nor are the groups
# of three at the end of a sum one, as in 12 045 678 900.
_NO_PART = (
    r"(?<![0-9]{4} [0-9]{4} .)(?:(?<![0-9][/,].)|(?<=[0-9]{5}[/,].)|(?<=[0-9][ -][0-9]{4}[/,].))"
    r"(?:(?<![0-9] .)|(?<=[0-9]{4} .)|(?![0-9]{2}(?: [0-9]{3}){1,6}(?! ?[0-9])))"
)
# Group 1 is the number, the last group its extension.
PHONE_INTERNATIONAL = (
    rf"(?:\+(?<![A-Za-z0-9_+].) ?|0(?<![A-Za-z0-9_+].)(?<![0-9][ .,:/-].)0 ?(?=[1-9][0-9]{{0,2}}[ ./()-]))"
    rf"\(?(?=[1-9])([0-9](?:(?:{_GAP})?[0-9]){{6,19}})(?![0-9])(?:{_EXTENSION})?"
)
# Forms of one country or of many: the number, and the fewest and the most digits of it.
PHONE_NATIONAL = (
    # North America: 1-212-555-0142, (212) 555-0142, 212.555.0142
    (
        rf"([(1-9]{_LEFT}(?:(?<=1)[ .-](?:\([2-9][0-8][0-9]\) ?[./-]? ?|[2-9][0-8][0-9](?:[-./ ]| - ))"
        r"|(?<=\()[2-9][0-8][0-9]\) ?[./-]? ?|(?<=[2-9])[0-8][0-9](?:[-./ ]| - ))"
        rf"[2-9][0-9]{{2}}(?:[-. ]| - )[0-9]{{4}}){_RIGHT}",
        10,
        11,
    ),
    # With a trunk prefix: 01632 960001, 0161-496-0000, 030/901820, 01 23 45 67 89, 090-1234-5678
    (rf"(0{_LEFT}{_NO_PART}[1-9][0-9]{{0,4}}(?:(?:[-/. ]| - )[0-9]{{2,8}}){{1,5}}){_ALONE}", 9, 12),
    # With an area in brackets: (01632) 960 001, (030) 901820, (11) 91234-5678, (0 89) 63 64 80 18
    (rf"(\({_LEFT}(?!(?:19|20)[0-9]{{2}}\))(?:0 )?[0-9]{{2,5}}\) ?[0-9]{{2,8}}(?:[-./ ][0-9]{{2,5}}){{0,3}}){_ALONE}", 8, 12),
    # With the trunk prefix before them: 0 (532) 123 45 67
    (rf"(0{_LEFT} ?\([1-9][0-9]{{1,3}}\) ?[0-9]{{2,8}}(?:[-./ ][0-9]{{2,5}}){{0,3}}){_ALONE}", 9, 12),
    # Russia and its neighbours: 8 (912) 345-67-89
    (rf"(8{_LEFT}[ -]?\(?[3-9][0-9]{{2}}\)?[ -][0-9]{{3}}[ -][0-9]{{2}}[ -][0-9]{{2}}){_RIGHT}", 11, 11),
    # Chinese mobiles: 138 1234 5678
    (rf"(1{_LEFT}[3-9][0-9](?: [0-9]{{4}} |-[0-9]{{4}}-)[0-9]{{4}}){_RIGHT}", 11, 11),
)
# Behind one of these words any number of seven digits or more is one to call, with a sign between its digits or without; behind a verb, a short one with
# a hyphen.
_WORDS = (
    "telephone telefone telefono tel\u00e9fono telefoon telefon telem\u00f3vel tel t\u00e9l\u00e9phone t\u00e9l phone ph mobile mobil mob m\u00f3vil celular cellphone"
    " cell cel handynummer handy fax whatsapp rufnummer tlf puh"
    " te\u043be\u0444o\u043da te\u043be\u0444o\u043d te\u043b mo\u0431"  # in Russian, its letters that look like Latin ones being those
    " \u7535\u8bdd \u96fb\u8a71 \u624b\u673a\u53f7 \u624b\u673a \u624b\u6a5f \u643a\u5e2f"  # in Chinese and Japanese
    " \uc804\ud654\ubc88\ud638 \uc804\ud654 \ud734\ub300\ud3f0 \uc5f0\ub77d\ucc98".split()  # in Korean
)
_VERBS = "call dial ring phone text".split()
# Of these one stands, in lower case, in every text in which a number is announced.
ANNOUNCING = (
    "tel", "t\u00e9l", "ph", "mob", "m\u00f3vil", "cel", "handy", "fax", "whatsapp", "rufnummer", "wa.me/", "call", "dial", "ring", "text", "tlf", "puh",
    "contact", "te\u043b", "mo\u0431", "\u7535\u8bdd", "\u96fb\u8a71", "\u624b\u673a", "\u624b\u6a5f", "\u643a\u5e2f",
    "\uc804\ud654", "\ud734\ub300\ud3f0", "\uc5f0\ub77d\ucc98",
)  # fmt: skip


def _any_of(words: list) -> str:
    """A pattern for words in any case, that begins with a character and holds that no letter stands before it."""
    firsts = sorted({word[0] for word in words})
    rests = "|".join(f"(?<=[{first}{first.upper()}])(?i:{'|'.join(word[1:] for word in words if word[0] == first)})" for first in firsts)
    return rf"[{''.join(dict.fromkeys(firsts + [first.upper() for first in firsts]))}](?:(?<![A-Za-z\u0400-\u04ff].)(?:{rests})"


PHONE_ANNOUNCED = (
    rf"{_any_of(_WORDS)}|(?<=[a-z]P)hone|(?<=[a-z]M)obile|(?<=[a-z]F)ax|(?<=[a-z]T)elephone)(?:[ _-]?(?i:numbers?|nummer|num|nr|no)(?![A-Za-z]))?"
    r"(?:\.? ?(?:[:=#][\"' :=]{0,3}|[\"']{1,2} ?[:=] ?[\"']?)| (?i:is|at|on):? |\.? )"
    rf"((?:\([0-9]{{1,5}}\) ?)?[0-9](?:(?:{_GAP})?[0-9]){{5,14}})(?![0-9])(?:{_EXTENSION}|(?![A-Za-z_]))",
    r"[Ww](?<![A-Za-z].)(?i:a\.me/|hatsapp\.com/send\?phone=)([0-9]{7,15})(?![0-9])()",
    rf"{_any_of(_VERBS)})(?: (?i:me|us|him|her|them|back|now))?(?: (?i:on|at))?:? ([2-9][0-9]{{2}}-[0-9]{{4}}){_RIGHT}",
    # call me on 07700900123; not a time stamp: told at 20240131103000
    rf"{_any_of(_VERBS)}) (?i:me|us|him|her|them|back) (?i:on|at):? (?!(?:19|20)[0-9]{{2}}[01][0-9][0-3])([0-9]{{9,13}})(?![0-9A-Za-z_])()",
    r"[Cc](?<![A-Za-z].)(?i:ontact|allback|all-back) (?i:numbers?|no)\.?(?: ?[:=#] ?| is )([0-9]{7,15})(?![0-9A-Za-z_])()",
)
# What looks like a number to call and is a decimal number, or two of them (+40.7128-074.0060, ISO 6709); and what is a date, the address of a machine, or
# a number of social security.
PHONE_DECIMAL = r"[0-9]+\.[0-9]+(?:-[0-9]{1,3}\.[0-9]{2,}.*)?\Z"
PHONE_NEVER = (
    rf"{PHONE_DECIMAL}|[0-9]{{3}}-[0-9]{{2}}-[0-9]{{4}}\Z|[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}}\Z"
    r"|[0-9]{1,2}/[0-9]{1,2} |[0-9]{1,2}([-./ ])[0-9]{1,2}\1(?:19|20)[0-9]{2}(?![0-9])|(?:19|20)[0-9]{2}([-./])[0-9]{2}\2[0-9]{2}(?![0-9])"
)

# --- card ------------------------------------------------------------------------------------------------------------------------------

# Whole numbers with single signs between them. No part of a decimal number, of a time or of a word.
CARD = r"[0-9](?<![A-Za-z0-9].)(?<![0-9][.:/].)(?<![^0-9]0,.)(?<!\A0,.)(?=[0-9 -]{11})[0-9]*(?:[ -][0-9]+)*(?![A-Za-z0-9])(?![.:][0-9])"
# All groups of a card's number but the last have so many digits at least.
SMALLEST_GROUP = 4
# Issuer: ranges of the first digits, and the lengths of its numbers.
ISSUERS = (
    ("visa", ((4, 4),), (13, 16, 19)),
    ("mastercard", ((51, 55), (2221, 2720)), (16,)),
    ("american express", ((34, 34), (37, 37)), (15,)),
    ("diners club", ((300, 305), (3095, 3095), (36, 36), (38, 39)), (14, 15, 16, 17, 18, 19)),
    ("discover", ((6011, 6011), (644, 649), (65, 65)), (16, 17, 18, 19)),
    ("jcb", ((3528, 3589),), (16, 17, 18, 19)),
    ("unionpay", ((62, 62), (81, 81)), (16, 17, 18, 19)),
    (
        "maestro",
        ((5018, 5020), (5038, 5038), (5893, 5893), (6304, 6304), (6390, 6390), (6759, 6759), (6761, 6763), (6771, 6774), (6799, 6799)),
        tuple(range(12, 20)),
    ),
    ("mir", ((2200, 2204),), (16, 17, 18, 19)),
    ("rupay", ((508, 508), (60, 60), (82, 82), (353, 353), (356, 356)), (16,)),
    ("troy", ((9792, 9792),), (16,)),
    ("verve", ((506099, 506198), (507865, 507964)), (16, 18, 19)),
    ("elo", ((509000, 509999), (636297, 636297), (636368, 636368)), (16,)),
    ("uzcard and humo", ((8600, 8600), (9860, 9860)), (16,)),
)

# --- iban ------------------------------------------------------------------------------------------------------------------------------

# Country: what follows its code and the two check digits, as in the registry: n digits, a capital letters, c either.
IBANS = {
    "AD": "8n12c", "AE": "19n", "AL": "8n16c", "AT": "16n", "AZ": "4a20c", "BA": "16n", "BE": "12n", "BG": "4a6n8c", "BH": "4a14c", "BI": "23n",
    "BR": "23n1a1c", "BY": "4c4n16c", "CH": "5n12c", "CR": "18n", "CY": "8n16c", "CZ": "20n", "DE": "18n", "DJ": "23n", "DK": "14n", "DO": "4c20n",
    "EE": "16n", "EG": "25n", "ES": "20n", "FI": "14n", "FK": "2a12n", "FO": "14n", "FR": "10n11c2n", "GB": "4a14n", "GE": "2a16n", "GI": "4a15c",
    "GL": "14n", "GR": "7n16c", "GT": "4c20c", "HN": "4a20n", "HR": "17n", "HU": "24n", "IE": "4a14n", "IL": "19n", "IQ": "4a15n", "IS": "22n",
    "IT": "1a10n12c", "JO": "4a4n18c", "KW": "4a22c", "KZ": "3n13c", "LB": "4n20c", "LC": "4a24c", "LI": "5n12c", "LT": "16n", "LU": "3n13c",
    "LV": "4a13c", "LY": "21n", "MC": "10n11c2n", "MD": "20c", "ME": "18n", "MK": "3n10c2n", "MN": "16n", "MR": "23n", "MT": "4a5n18c",
    "MU": "4a19n3a", "NI": "4a20n", "NL": "4a10n", "NO": "11n", "OM": "3n16c", "PK": "4a16c", "PL": "24n", "PS": "4a21c", "PT": "21n", "QA": "4a21c",
    "RO": "4a16c", "RS": "18n", "RU": "14n15c", "SA": "2n18c", "SC": "4a20n3a", "SD": "14n", "SE": "20n", "SI": "15n", "SK": "20n", "SM": "1a10n12c",
    "SO": "19n", "ST": "21n", "SV": "4a20n", "TL": "19n", "TN": "20n", "TR": "6n16c", "UA": "6n19c", "VA": "18n", "VG": "4a16n", "XK": "16n",
    "YE": "4a4n18c",
}  # fmt: skip
# Its beginning, and that enough follows; the whole is held to its country's structure and to its check digits.
IBAN = r"[A-Za-z](?<![A-Za-z0-9].)[A-Za-z][ -]?[0-9]{2}(?=(?:[ -]?[A-Za-z0-9]){11})"
