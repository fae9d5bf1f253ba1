"""Shapes of secrets, as data. `secret_shapes` reads them.

A `Shape` is a kind of key. Its pattern keeps these rules, on which speed and linear time rest:
- no nested or adjacent quantifiers over the same characters, unless bounded;
- a match that its condition refuses is skipped whole, so a condition must be one that every tail of a refused token fails as well;
- `group(1)`, where there is one, is the secret, and the rest is its context.

A key's left edge is anything but an ASCII letter or digit (a key glued to a Chinese word is still a key). A shape that is strong in itself
(a prefix that no word ends in, and a long body of known length) needs no left edge. No right edge asks for quotes, and none takes in the
full stop of a sentence.

Shapes stand in families by a mark: a string that all of a family contain, with a hint of what follows it. An ordinary text costs one search
for each mark, and a family's literals are looked for only where its hint was found.

Sources: the vendors' documentation of their token formats, AWS's unique identifiers (IAM reference), RFC 7468 (PEM), RFC 7519 (JWT),
RFC 3986 section 3.2.1 (user information), RFC 6750 and 7617 (Bearer and Basic).
"""
from __future__ import annotations

from ..ground.record import Record


class Shape(Record):
    """One kind of secret.

    kind: its name as a report prints it.
    literals: strings of which one must stand in the text for the shape to be possible.
    pattern: what to look for; see the module.
    condition: the test in `secret_shapes` that what was found must pass: "filled", "mixed", "capitals", "key" or "url password".
    """

    __slots__ = ("kind", "literals", "pattern", "condition")

    def __init__(self, kind: str, literals: tuple, pattern: str, condition: str) -> None:
        self._set(kind, literals, pattern, condition)


class Family(Record):
    """Shapes that share a mark; `hint` is a pattern that begins with the mark and stands in every text that has one of the shapes."""

    __slots__ = ("mark", "hint", "shapes")

    def __init__(self, mark: str, hint: str, *shapes: Shape) -> None:
        self._set(mark, hint, shapes)

    def __reduce__(self):
        return Family, (self.mark, self.hint) + self.shapes


class Announcement(Record):
    """What may stand between the name of a secret and its value.

    family: when to look; its shapes are looked for as well.
    separator: a pattern whose `group(1)` is what stands between them, and which goes on with what must follow soon.
    """

    __slots__ = ("family", "separator")

    def __init__(self, family: Family, separator: str) -> None:
        self._set(family, separator)


def _shape(kind: str, literals: str, condition: str, *pattern: str) -> Shape:
    return Shape(kind, tuple(literals.split(" ")), "".join(pattern), condition)


_EDGE = r"(?<![A-Za-z0-9])"     # left edge
_END = r"(?![A-Za-z0-9])"       # right edge of a body of known length
_BREAK = r"""(?:[\s"',`>]|\\[nr])"""   # between the lines of an encoded body: white space, written line breaks, quotes of source code
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

_UNDERSCORE = Family(
    "_", r"_[A-Za-z0-9_+/=-]{12}",
    _shape("github token", "ghp_ gho_ ghu_ ghs_ ghr_", "filled", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    _shape("github token", "github_pat_", "filled", r"github_pat_[A-Za-z0-9_]{36,255}"),
    _shape("stripe key", "_live_ _test_ _prod_", "mixed", _EDGE, r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}"),
    _shape("stripe key", "_live_ _test_", "key", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    _shape("webhook secret", "whsec_", "mixed", _EDGE, r"whsec_[A-Za-z0-9+/=]{24,}"),
    _shape("hugging face token", "hf_ api_org_", "mixed", _EDGE, r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),
    _shape("npm token", "npm_", "mixed", _EDGE, r"npm_[A-Za-z0-9]{36}", _END),
    _shape("groq key", "gsk_", "mixed", _EDGE, r"gsk_[A-Za-z0-9]{40,}"),
    _shape("replicate token", "r8_", "mixed", _EDGE, r"r8_[A-Za-z0-9]{37,}"),
    _shape("notion token", "secret_ ntn_", "mixed", _EDGE, r"(?:secret|ntn)_[A-Za-z0-9]{40,}"),
    _shape("linear key", "lin_api_ lin_oauth_", "mixed", _EDGE, r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    _shape("digitalocean token", "_v1_", "filled", _EDGE, r"do[por]_v1_[a-f0-9]{64}", _END),
    _shape("shopify token", "shpat_ shpca_ shppa_ shpss_", "filled", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}", _END),
    _shape("elevenlabs key", "sk_", "filled", _EDGE, r"sk_[0-9a-f]{40,64}", _END),
    _shape("docker token", "dckr_", "mixed", _EDGE, r"dckr_[po]at_[A-Za-z0-9_-]{24,}"),
    _shape("supabase key", "sbp_ sb_secret_", "filled", _EDGE, r"(?:sbp_[0-9a-f]{40}", _END, r"|sb_secret_[A-Za-z0-9_-]{24,})"),
    _shape("sentry token", "sntrys_ sntryu_", "mixed", _EDGE, r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    _shape("grafana token", "glsa_ glc_", "mixed", _EDGE, r"(?:glsa|glc)_[A-Za-z0-9+/=_]{32,}"),
    _shape("figma token", "figd_", "mixed", _EDGE, r"figd_[A-Za-z0-9_-]{36,}"),
    _shape("langsmith key", "lsv2_", "filled", _EDGE, r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{8,12}", _END),
    _shape("planetscale key", "pscale_", "mixed", _EDGE, r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=-]{32,}"),
    _shape("rubygems key", "rubygems_", "filled", _EDGE, r"rubygems_[0-9a-f]{48}", _END),
)

_HYPHEN = Family(
    "-", r"-[A-Za-z0-9_-]{12}",
    _shape("anthropic key", "sk-ant-", "key", _EDGE, r"sk-ant-[A-Za-z0-9_-]{20,}"),
    _shape(
        "openai key", "sk-proj- sk-svcacct- sk-admin- sk-service- sk-None-", "key",
        _EDGE, r"sk-(?:proj|svcacct|admin|service|None)-[A-Za-z0-9_-]{20,}",
    ),
    _shape("openrouter key", "sk-or-", "key", _EDGE, r"sk-or-[A-Za-z0-9_-]{20,}"),
    _shape("langfuse key", "sk-lf-", "filled", _EDGE, r"sk-lf-", _UUID, _END),
    _shape("api key", "sk-live- sk-test- sk-prod-", "mixed", _EDGE, r"sk-(?:live|test|prod)-[A-Za-z0-9_-]{16,}"),
    _shape("api key", "sk-live- sk-test- sk-prod-", "key", r"sk-(?:live|test|prod)-[A-Za-z0-9_-]{16,}"),
    _shape("api key", "sk-", "key", _EDGE, r"sk-[A-Za-z0-9_-]{16,}"),
    _shape(
        "api key", "sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or-v1-", "key",
        r"sk-(?:ant|proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{40,}",
    ),
    _shape(
        "gitlab token", "gl", "mixed",
        r"gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct|wt)-[A-Za-z0-9_-]{20,}(?:\.[0-9a-z]{2,12}){0,2}",
    ),
    _shape("slack token", "xox", "key", r"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    _shape("slack token", "xapp-", "key", r"xapp-[0-9]-[A-Za-z0-9-]{20,}"),
    _shape("google oauth secret", "GOCSPX-", "mixed", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    _shape("pypi token", "pypi-", "key", _EDGE, r"pypi-[A-Za-z0-9_-]{50,}"),
    _shape("mailgun key", "key-", "filled", _EDGE, r"key-[0-9a-f]{32}", _END),
    _shape("square key", "sq0", "mixed", r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}"),
    _shape("xai key", "xai-", "mixed", _EDGE, r"xai-[A-Za-z0-9]{40,}"),
    _shape("perplexity key", "pplx-", "mixed", _EDGE, r"pplx-[A-Za-z0-9]{40,}"),
    _shape("nvidia key", "nvapi-", "mixed", _EDGE, r"nvapi-[A-Za-z0-9_-]{40,}"),
    _shape("tavily key", "tvly-", "key", _EDGE, r"tvly-[A-Za-z0-9_-]{20,}"),
    _shape("cerebras key", "csk-", "mixed", _EDGE, r"csk-[A-Za-z0-9]{40,}"),
    _shape("pulumi token", "pul-", "filled", _EDGE, r"pul-[0-9a-f]{40}", _END),
    _shape("postman key", "PMAK-", "filled", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}", _END),
    _shape("new relic key", "NRAK-", "filled", r"NRAK-[A-Z0-9]{27}", _END),
    _shape("age secret key", "AGE-SECRET-KEY-1", "filled", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
)

_PEM = Family(
    "-----BEGIN ", r"-----BEGIN [A-Z]",
    # The body may be cut off at any length, stand on one line, or hold written line breaks; an END line is taken in where there is one.
    _shape(
        "private key", "PRIVATE KEY", "filled",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----", _BREAK, r"{0,24}",
        r"(?:(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^~]{0,160}?(?<![A-Za-z0-9+/=]))?",
        r"[A-Za-z0-9+/=]{16,}(?:", _BREAK, r"{1,24}[A-Za-z0-9+/=]{30,})*",
        r"(?:(?:", _BREAK, r"{1,24}[A-Za-z0-9+/=]{1,29}){0,2}", _BREAK, r"{0,24}-----END [A-Z0-9 ]{1,60}-----)?",
    ),
)

_DOT = Family(
    ".", r"\.[A-Za-z0-9_-]{12}",
    # Header and payload are JSON objects, `{"` in base64url. The third part may be cut off, or empty where nothing is signed; an encrypted
    # token has five parts, the second of which may be empty. Behind `_` and `-` the header is bounded, since a run may hold many.
    _shape(
        "json web token", "eyJ", "filled",
        r"(?:(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{12,}|(?<=[_-])eyJ[A-Za-z0-9_-]{12,200})\.",
        r"(?:eyJ[A-Za-z0-9_-]{12,}(?:\.[A-Za-z0-9_-]*)?|[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{12,}|\.[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{12,})",
    ),
    _shape("sendgrid key", "SG.", "mixed", _EDGE, r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    _shape("vault token", "hvs. hvb. hvr.", "mixed", _EDGE, r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    _shape("google access token", "ya29.", "key", _EDGE, r"ya29\.[A-Za-z0-9_-]{20,}"),
    _shape("doppler token", "dp.", "mixed", _EDGE, r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9]{40,}"),
)

_SLASH = Family(
    "/", r"/(?=/|services/|workflows/|triggers/|api/|webhook)",
    _shape(
        "password in a url", "://", "url password",
        r"""://[^\s/?#@:"'<>`\\]{0,100}:([^\s/?#"'<>`\\]{1,256})@(?!sha[0-9]{3}:)[A-Za-z0-9\[_$<{%-]""",
    ),
    _shape(
        "slack webhook", "hooks.slack", "mixed",
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/]{10,80}/([A-Za-z0-9]{16,})",
    ),
    _shape(
        "discord webhook", "/webhooks/", "mixed",
        r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,22}/([A-Za-z0-9_-]{40,})",
    ),
    _shape(
        "teams webhook", "webhook", "filled",
        r"(?:webhook\.office\.com/webhookb2|outlook\.office(?:365)?\.com/webhook)",
        r"/([0-9a-f@-]{36,80}/IncomingWebhook/[0-9a-f]{32}(?:/[0-9a-f-]{36})?)",
    ),
    _shape("google refresh token", "1//0", "key", _EDGE, r"1//0[A-Za-z0-9_-]{40,}"),
)

FAMILIES = (
    _UNDERSCORE,
    _HYPHEN,
    _PEM,
    _DOT,
    _SLASH,
    Family(
        "A", r"A(?:KIA|SIA|BIA|CCA|Iza|TATT3)[A-Za-z0-9_-]{12}",
        _shape("aws access key", "AKIA ASIA ABIA ACCA", "capitals", r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}", _END),
        _shape("google api key", "AIza", "mixed", r"AIza[A-Za-z0-9_-]{35}", _END),
        _shape("atlassian token", "ATATT3", "mixed", r"ATATT3[A-Za-z0-9_=-]{50,}"),
    ),
    Family("S", r"S(?=K[0-9a-f]{32})", _shape("twilio key", "SK", "filled", _EDGE, r"SK[0-9a-f]{32}", _END)),
    Family("E", r"EAAA[A-Za-z0-9_-]{40}", _shape("square key", "EAAA", "mixed", _EDGE, r"EAAA[A-Za-z0-9_-]{56,64}", _END)),
    Family("B", r"B(?=earer )", _shape("bearer token", "Bearer ", "key", r"""Bearer ["'`]?([A-Za-z0-9._~+/=-]{12,})""")),
    Family("dapi", r"dapi[0-9a-h]{32}", _shape("databricks token", "dapi", "filled", _EDGE, r"dapi[0-9a-h]{32}(?:-[0-9])?", _END)),
    Family(
        "=", r"=",
        _shape("azure storage key", "AccountKey=", "mixed", r"AccountKey=([A-Za-z0-9+/]{40,88}={0,2})"),
        _shape("azure shared access signature", "sig=", "mixed", r"[?&;]sig=([A-Za-z0-9%+/]{40,}={0,2})"),
    ),
)

# Behind a colon or `is` a value has a digit, an inner capital, the padding of base64, or a scheme in front of it: in prose, plain words
# follow them. All is bounded by what a value may not contain, or by a number.
_COLON = (
    r"""(:)[=\s"'`\\>]{0,4}(?:(?=\S{6})[^\s\d:]{0,64}[\d=]|[^\s:]{0,24}?[a-z][A-Z]"""
    r"""|[BbT](?:ea|as|ok|EA|AS|OK)|A[A-Za-z0-9_-]{30})"""
)
_EQUALS = r"""(=)[=>\s"'`\\]{0,4}[^\s"'`&=]{6}"""
_IS = r"""( (?:is|was):? )(?=["'`]?(?:[^\s\d]{0,64}\d|\S{0,32}?[a-z][A-Z]))"""
ANNOUNCEMENTS = (
    Announcement(
        Family(":", _COLON, _shape("telegram bot token", ":A", "mixed", _EDGE, r"[0-9]{8,10}:A[A-Za-z0-9_-]{34}", _END)),
        _COLON,
    ),
    Announcement(Family("=", _EQUALS), _EQUALS),
    Announcement(Family("assword is", r"assword is"), _IS),
    Announcement(Family("k", r"k(?=e[yn] is:? )"), _IS),
)

# Names that announce a secret, joined (`api_key`, `API-Key` and `apiKey` are one name) and read from their end, so that `db_password` and
# `aws_secret_access_key` are among them and `password_hint` and `key_id` are not. They stand under how random the value must look:
#     password  chosen by people
#     token     made by a machine
#     header    the value of a header, behind its scheme
SECRET_NAMES = {
    name: strictness
    for strictness, names in (
        ("password", "password passwd passphrase passcode passwort pwd pswd dbpass userpass smtppass adminpass rootpass"),
        ("token", "secret token apikey secretkey accesskey authkey privatekey signingkey encryptionkey masterkey accountkey servicekey"
                  " subscriptionkey adminkey clientkey"),
        ("header", "authorization"),
    )
    for name in names.split()
}
# Names that end like the above and announce nothing secret: cursors, protections that every page shows, public halves.
OPEN_NAMES = (
    "pagetoken", "nexttoken", "cursortoken", "paginationtoken", "continuationtoken", "synctoken", "csrftoken", "xsrftoken", "requesttoken",
    "csrfmiddlewaretoken", "updatetoken", "locktoken", "changetoken", "clienttoken", "cancellationtoken", "idempotencytoken", "spacetoken",
    "publictoken", "publishabletoken", "publickeytoken", "publicaccesskey",
)

# A value made of these words only, with or without a short number, stands for a secret and is none.
PLACEHOLDER_WORDS = frozenset("""
    a abc access account admin an api apikey app auth authorization aws bar base basic baz bearer bot change changed changeit changeme
    client code correct credential credentials db default demo dummy empty enter env example fake false foo for from generated get given
    goes guest hash here hidden host id in input insert invalid is it key login masked me my mypass mypassword mysecret mytoken name new
    nil no none not null of old omitted or our own pass passphrase passwd password paste placeholder private provide provided pw pwd
    random real redacted removed replace required root sample secret secretkey server service set sk some something strong stripped super
    supersecret test testing text the this to todo token true undefined unknown unset use user username value var variable with x your
    yourapikey yourkey yourpass yourpassword yoursecret yourtoken
""".split())

# Published by their vendors as examples, and shown everywhere since. Only the exact string is excused, never what resembles it.
KNOWN_EXAMPLES = frozenset("".join(pieces) for pieces in (
    # Amazon's documentation
    ("AKIA", "IOSFODNN7", "EXAMPLE"), ("ASIA", "IOSFODNN7", "EXAMPLE"),
    ("AKIA", "I44QH8DHB", "EXAMPLE"), ("ASIA", "I44QH8DHB", "EXAMPLE"),
    ("wJalrXUtnFEMI/", "K7MDENG/", "bPxRfiCY", "EXAMPLEKEY"), ("wJalrXUtnFEMI/", "K7MDENG/", "bPxRfiCYz", "EXAMPLEKEY"),
    ("je7MtGbClwBF/", "2Zp9Utk/", "h3yCo8nvb", "EXAMPLEKEY"),
    # the account of Azure's storage emulator
    ("Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6", "IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="),
    # Basic credentials of RFC 7617, and "user:pass" and its like
    ("QWxhZGRpbjpv", "cGVuIHNlc2FtZQ=="), ("QWxhZGRpbjpP", "cGVuU2VzYW1l"),
    ("dXNlcjpw", "YXNz"), ("dXNlcjpw", "YXNzd29yZA=="), ("dXNlcm5hbWU6", "cGFzc3dvcmQ="),
))
