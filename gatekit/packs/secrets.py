"""Shapes of secrets, as data. `secret_shapes` reads them.

A `Shape` is a kind of key: its name as a report prints it, the literals of which one must stand in the text for the shape to be possible,
the pattern, and the name of the condition that what was matched must meet. Patterns keep these rules, on which speed and linear time rest:
- no nested or adjacent quantifiers over the same characters;
- a match that its condition refuses is skipped whole, so a condition must be one that every tail of a refused token fails as well;
- `group(1)`, where there is one, is the secret, and the rest is its context.

A key's left edge is anything but an ASCII letter or digit (a key glued to a Chinese word is still a key). A shape that is strong in itself (a
prefix that no word ends in, and a long body of known length) needs no left edge. No right edge asks for quotes, and none takes in the full stop of a sentence.

Shapes stand in families by a mark: a character that all of a family contain, with a hint of what follows it. An ordinary text costs one
search for each mark, and a family's literals are looked for only where its hint was found.

Sources: the vendors' documentation of their token formats, AWS's unique identifiers (IAM reference), RFC 7468 (PEM), RFC 7519 (JWT),
RFC 3986 section 3.2.1 (user information), RFC 6750 and 7617 (Bearer and Basic).
"""
from __future__ import annotations

from ..ground.record import Record


class Shape(Record):
    """One kind of secret: see the module.

    condition is the name of a test in `secret_shapes`: "filled", "mixed", "capitals", "key" or "url password".
    """

    __slots__ = ("kind", "literals", "pattern", "condition")

    def __init__(self, kind: str, literals: tuple, pattern: str, condition: str) -> None:
        self._set(kind, literals, pattern, condition)


class Family(Record):
    """Shapes that share a mark; `hint` is a pattern that begins with the mark and stands in every text that has one of the shapes."""

    __slots__ = ("mark", "hint", "shapes")

    def __init__(self, mark: str, hint: str, shapes: tuple) -> None:
        self._set(mark, hint, shapes)


def _shapes(*rows) -> tuple:
    return tuple(Shape(kind, tuple(literals.split()), pattern, condition) for kind, literals, pattern, condition in rows)


_EDGE = "(?<![A-Za-z0-9])"      # left edge
_END = "(?![A-Za-z0-9])"        # right edge of a body of known length
_BREAK = "(?:[\\s\"',`>]|\\\\[nr])"   # between the lines of an encoded body: white space, written line breaks, quotes of source code
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

FAMILIES = (
    Family("_", "_[A-Za-z0-9_+/=-]{12}", _shapes(
        ("github token", "ghp_ gho_ ghu_ ghs_ ghr_", "gh[pousr]_[A-Za-z0-9]{36,255}", "filled"),
        ("github token", "github_pat_", "github_pat_[A-Za-z0-9_]{36,255}", "filled"),
        ("stripe key", "_live_ _test_ _prod_", _EDGE + "[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}", "mixed"),
        ("webhook secret", "whsec_", _EDGE + "whsec_[A-Za-z0-9+/=]{24,}", "mixed"),
        ("hugging face token", "hf_ api_org_", _EDGE + "(?:hf|api_org)_[A-Za-z0-9]{30,}", "mixed"),
        ("npm token", "npm_", _EDGE + "npm_[A-Za-z0-9]{36}" + _END, "mixed"),
        ("groq key", "gsk_", _EDGE + "gsk_[A-Za-z0-9]{40,}", "mixed"),
        ("replicate token", "r8_", _EDGE + "r8_[A-Za-z0-9]{37,}", "mixed"),
        ("notion token", "secret_ ntn_", _EDGE + "(?:secret|ntn)_[A-Za-z0-9]{40,}", "mixed"),
        ("linear key", "lin_api_ lin_oauth_", _EDGE + "lin_(?:api|oauth)_[A-Za-z0-9]{32,}", "mixed"),
        ("digitalocean token", "_v1_", _EDGE + "do[por]_v1_[a-f0-9]{64}" + _END, "filled"),
        ("shopify token", "shpat_ shpca_ shppa_ shpss_", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}" + _END, "filled"),
        ("elevenlabs key", "sk_", _EDGE + "sk_[0-9a-f]{40,64}" + _END, "filled"),
        ("docker token", "dckr_", _EDGE + "dckr_[po]at_[A-Za-z0-9_-]{24,}", "mixed"),
        ("supabase key", "sbp_ sb_secret_", _EDGE + "(?:sbp_[0-9a-f]{40}" + _END + "|sb_secret_[A-Za-z0-9_-]{24,})", "filled"),
        ("sentry token", "sntrys_ sntryu_", _EDGE + "sntry[su]_[A-Za-z0-9+/=_-]{40,}", "mixed"),
        ("grafana token", "glsa_ glc_", _EDGE + "(?:glsa|glc)_[A-Za-z0-9+/=_]{32,}", "mixed"),
        ("figma token", "figd_", _EDGE + "figd_[A-Za-z0-9_-]{36,}", "mixed"),
        ("langsmith key", "lsv2_", _EDGE + "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{8,12}" + _END, "filled"),
        ("planetscale key", "pscale_", _EDGE + "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}", "mixed"),
        ("rubygems key", "rubygems_", _EDGE + "rubygems_[0-9a-f]{48}" + _END, "filled"),
    )),
    Family("-", "-[A-Za-z0-9_-]{12}", _shapes(
        ("anthropic key", "sk-ant-", _EDGE + "sk-ant-[A-Za-z0-9_-]{20,}", "key"),
        ("openai key", "sk-proj- sk-svcacct- sk-admin- sk-service- sk-None-",
         _EDGE + "sk-(?:proj|svcacct|admin|service|None)-[A-Za-z0-9_-]{20,}", "key"),
        ("openrouter key", "sk-or-", _EDGE + "sk-or-[A-Za-z0-9_-]{20,}", "key"),
        ("api key", "sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or-v1-",
         "sk-(?:ant|proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{40,}", "key"),
        ("langfuse key", "sk-lf-", _EDGE + "sk-lf-" + _UUID + _END, "filled"),
        ("api key", "sk-live- sk-test- sk-prod-", _EDGE + "sk-(?:live|test|prod)-[A-Za-z0-9_-]{16,}", "mixed"),
        ("api key", "sk-", _EDGE + "sk-[A-Za-z0-9_-]{16,}", "key"),
        ("gitlab token", "gl", "gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct|wt)-[A-Za-z0-9_-]{20,}(?:\\.[0-9a-z]{2,12}){0,2}", "mixed"),
        ("slack token", "xox", "xox[abeoprs]-[A-Za-z0-9-]{10,}", "key"),
        ("slack token", "xapp-", "xapp-[0-9]-[A-Za-z0-9-]{20,}", "key"),
        ("google oauth secret", "GOCSPX-", "GOCSPX-[A-Za-z0-9_-]{28}", "mixed"),
        ("pypi token", "pypi-", _EDGE + "pypi-[A-Za-z0-9_-]{50,}", "key"),
        ("mailgun key", "key-", _EDGE + "key-[0-9a-f]{32}" + _END, "filled"),
        ("mailchimp key", "-us", _EDGE + "[0-9a-f]{32}-us[0-9]{1,2}" + _END, "filled"),
        ("square key", "sq0", "sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}", "mixed"),
        ("xai key", "xai-", _EDGE + "xai-[A-Za-z0-9]{40,}", "mixed"),
        ("perplexity key", "pplx-", _EDGE + "pplx-[A-Za-z0-9]{40,}", "mixed"),
        ("nvidia key", "nvapi-", _EDGE + "nvapi-[A-Za-z0-9_-]{40,}", "mixed"),
        ("tavily key", "tvly-", _EDGE + "tvly-[A-Za-z0-9_-]{20,}", "key"),
        ("cerebras key", "csk-", _EDGE + "csk-[A-Za-z0-9]{40,}", "mixed"),
        ("pulumi token", "pul-", _EDGE + "pul-[0-9a-f]{40}" + _END, "filled"),
        ("postman key", "PMAK-", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}" + _END, "filled"),
        ("new relic key", "NRAK-", "NRAK-[A-Z0-9]{27}" + _END, "filled"),
        ("age secret key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[A-Z0-9]{58}", "filled"),
    )),
    Family("-----BEGIN ", "-----BEGIN [A-Z]", _shapes(
        # The body may be cut off at any length, stand on one line, or hold written line breaks; an END line is taken in where there is one.
        ("private key", "PRIVATE KEY",
         "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----" + _BREAK + "{0,24}"
         "(?:(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^~]{0,160}?(?<![A-Za-z0-9+/=]))?"
         "[A-Za-z0-9+/=]{16,}(?:" + _BREAK + "{1,24}[A-Za-z0-9+/=]{30,})*"
         "(?:(?:" + _BREAK + "{1,24}[A-Za-z0-9+/=]{1,29}){0,2}" + _BREAK + "{0,24}-----END [A-Z0-9 ]{1,60}-----)?", "filled"),
    )),
    Family(".", "\\.[A-Za-z0-9_-]{12}", _shapes(
        # A header and a payload are JSON objects, `{"` in base64url; the third part may be cut off, or empty where nothing is signed.
        ("json web token", "eyJ", "(?:(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{12,}|(?<=[_-])eyJ[A-Za-z0-9_-]{12,200})\\."
         "(?:eyJ[A-Za-z0-9_-]{12,}(?:\\.[A-Za-z0-9_-]*)?|[A-Za-z0-9_-]{12,}\\.[A-Za-z0-9_-]{12,}|\\.[A-Za-z0-9_-]{12,}\\.[A-Za-z0-9_-]{12,})", "filled"),
        ("sendgrid key", "SG.", _EDGE + "SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}", "mixed"),
        ("vault token", "hvs. hvb. hvr.", _EDGE + "hv[sbr]\\.[A-Za-z0-9_-]{24,}", "mixed"),
        ("google access token", "ya29.", _EDGE + "ya29\\.[A-Za-z0-9_-]{20,}", "key"),
        ("doppler token", "dp.", _EDGE + "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9]{40,}", "mixed"),
    )),
    Family("A", "A(?:KIA|SIA|BIA|CCA|Iza|TATT3)[A-Za-z0-9_-]{12}", _shapes(
        ("aws access key", "AKIA ASIA ABIA ACCA", "A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}" + _END, "capitals"),
        ("google api key", "AIza", "AIza[A-Za-z0-9_-]{35}" + _END, "mixed"),
        ("atlassian token", "ATATT3", "ATATT3[A-Za-z0-9_=-]{50,}", "mixed"),
    )),
    Family("S", "S(?=K[0-9a-f]{32})", _shapes(
        ("twilio key", "SK", _EDGE + "SK[0-9a-f]{32}" + _END, "filled"),
    )),
    Family("E", "EAAA[A-Za-z0-9_-]{40}", _shapes(
        ("square key", "EAAA", _EDGE + "EAAA[A-Za-z0-9_-]{56,64}" + _END, "mixed"),
    )),
    Family("dapi", "dapi[0-9a-h]{32}", _shapes(
        ("databricks token", "dapi", _EDGE + "dapi[0-9a-h]{32}(?:-[0-9])?" + _END, "filled"),
    )),
    Family("/", "/(?=/)", _shapes(
        ("password in a url", "://", "://[^\\s/?#@:\"'<>`\\\\]{0,100}:([^\\s/?#\"'<>`\\\\]{1,256})@(?!sha[0-9]{3}:)[A-Za-z0-9\\[_$<{%-]", "url password"),
        ("slack webhook", "hooks.slack", "hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/]{10,80}/([A-Za-z0-9]{16,})", "mixed"),
        ("discord webhook", "/webhooks/", "discord(?:app)?\\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,22}/([A-Za-z0-9_-]{40,})", "mixed"),
        ("teams webhook", "webhook",
         "(?:webhook\\.office\\.com/webhookb2|outlook\\.office(?:365)?\\.com/webhook)/([0-9a-f@-]{36,80}/IncomingWebhook/[0-9a-f]{32}(?:/[0-9a-f-]{36})?)", "filled"),
        ("google refresh token", "1//0", _EDGE + "1//0[A-Za-z0-9_-]{40,}", "key"),
    )),
    Family("=", "=", _shapes(
        ("azure storage key", "AccountKey=", "AccountKey=([A-Za-z0-9+/]{40,88}={0,2})", "mixed"),
        ("azure shared access signature", "sig=", "[?&;]sig=([A-Za-z0-9%+/]{40,}={0,2})", "mixed"),
    )),
    Family("B", "B(?=earer )", _shapes(
        ("bearer token", "Bearer ", "Bearer [\"'`]?([A-Za-z0-9._~+/=-]{12,})", "key"),
    )),
)

class Announcement(Record):
    """What may stand between the name of a secret and its value: `group(1)` of `separator`, and the pattern goes on with what must follow soon.

    `family` says when to look; its shapes are looked for as well.
    """

    __slots__ = ("family", "separator")

    def __init__(self, family: Family, separator: str) -> None:
        self._set(family, separator)


# Behind a colon or `is` stands a digit, the padding of base64, or a scheme: in prose they are mostly followed by words.
_COLON = "(:)[=\\s\"'`\\\\>]{0,4}(?:(?=\\S{6})[^\\s\\d:]{0,64}[\\d=]|[^\\s:]{0,24}?[a-z][A-Z]|[BbT](?:ea|as|ok|EA|AS|OK)|A[A-Za-z0-9_-]{30})"
_EQUALS = "(=)[=>\\s\"'`\\\\]{0,4}[^\\s\"'`&=]{6}"
_IS = "( (?:is|was):? )(?=[\"'`]?(?:[^\\s\\d]{0,64}\\d|\\S{0,32}?[a-z][A-Z]))"
ANNOUNCEMENTS = (
    Announcement(Family(":", _COLON, _shapes(
        ("telegram bot token", ":A", _EDGE + "[0-9]{8,10}:A[A-Za-z0-9_-]{34}" + _END, "mixed"),
    )), _COLON),
    Announcement(Family("=", _EQUALS, ()), _EQUALS),
    Announcement(Family("assword is", "assword is", ()), _IS),
    Announcement(Family("k", "k(?=e[yn] is:? )", ()), _IS),
)

# Names that announce a secret, joined (`api_key`, `API-Key` and `apiKey` are one name) and read from their end, so that `db_password` and
# `aws_secret_access_key` are among them and `password_hint` and `key_id` are not. The value says how random it must look:
# "password": chosen by people; "token": made by a machine; "header": a header's value behind its scheme.
SECRET_NAMES = {
    "password": "password", "passwd": "password", "passphrase": "password", "passcode": "password", "pwd": "password", "pswd": "password",
    "passwort": "password", "dbpass": "password", "userpass": "password", "smtppass": "password", "adminpass": "password", "rootpass": "password",
    "secret": "token", "token": "token", "apikey": "token", "secretkey": "token", "accesskey": "token", "authkey": "token", "privatekey": "token",
    "signingkey": "token", "encryptionkey": "token", "masterkey": "token", "accountkey": "token", "servicekey": "token", "secretaccesskey": "token",
    "subscriptionkey": "token", "adminkey": "token", "authtoken": "token", "clientkey": "token",
    "authorization": "header",
}
# Names that end like the above and announce nothing secret: cursors, protections that every page shows, public halves.
OPEN_NAMES = (
    "pagetoken", "nexttoken", "cursortoken", "paginationtoken", "continuationtoken", "synctoken", "csrftoken", "xsrftoken",
    "csrfmiddlewaretoken", "updatetoken", "locktoken", "changetoken", "requesttoken", "clienttoken", "publickeytoken", "publictoken", "publishabletoken", "publicaccesskey", "cancellationtoken", "idempotencytoken", "spacetoken",
)

# A value made of these words only, with or without a short number, stands for a secret and is none.
PLACEHOLDER_WORDS = frozenset("""
    a abc access account admin an api apikey app auth authorization aws bar base basic baz bearer bot change changed changeme changeit client code
    correct credential credentials db default demo dummy empty enter env example fake false foo for from generated get given goes guest hash
    here hidden host id in input insert invalid is it key key1 login masked me mypass mypassword mysecret mytoken my name new nil no none not null
    of old omitted or our own pass passphrase passwd password paste placeholder private provide provided pw pwd random real redacted removed
    replace required root sample secret secretkey server service set some something sk strong stripped super supersecret test testing text
    the this to todo token true undefined unset unknown use user username value var variable with x your yourapikey yourkey yourpass
    yourpassword yoursecret yourtoken
""".split())

# Published by their vendors as examples, and shown everywhere since. Only the exact string is excused, never what resembles it.
KNOWN_EXAMPLES = frozenset("".join(pieces) for pieces in (
    ("AKIA", "IOSFODNN7", "EXAMPLE"),
    ("ASIA", "IOSFODNN7", "EXAMPLE"),
    ("AKIA", "I44QH8DHB", "EXAMPLE"),
    ("ASIA", "I44QH8DHB", "EXAMPLE"),
    ("wJalrXUtnFEMI/", "K7MDENG/", "bPxRfiCY", "EXAMPLEKEY"),
    ("je7MtGbClwBF/", "2Zp9Utk/", "h3yCo8nvb", "EXAMPLEKEY"),
    ("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6", "IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="),     # the storage emulator's key
    ("dXNlcjpw", "YXNz"), ("dXNlcjpw", "YXNzd29yZA=="), ("dXNlcm5hbWU6", "cGFzc3dvcmQ="),                  # user:pass and its like
    ("QWxhZGRpbjpv", "cGVuIHNlc2FtZQ=="), ("QWxhZGRpbjpP", "cGVuU2VzYW1l"),                                # RFC 7617 and its kin
))
