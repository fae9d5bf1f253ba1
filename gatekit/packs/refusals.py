"""Phrases of refusals, as data: a row for each language. `refusal_phrases` reads them.

All of it is spelt as a folded text is: lower case, ASCII apostrophes and quotes, one space for any white space.

A language's `Refusals`:

    cues        what to look for first: pairs of a mark (a short string) and a hint (a pattern that begins with the mark, or "" where the
                mark itself is telling). A text without any cue refuses nothing, so whatever a phrase matches must contain a cue
    phrases     `Phrase`s, see there
    adverbs     words that may stand between an opener and its verb
    serving     what an assistant is asked to do. A verb's value says which words must follow it, or, after a "-", must not; "" is any
    perceiving  verbs whose failure is a result or a figure of speech, not a refusal: find, confirm, wait
    apologies   patterns for what may stand between the start of a sentence and a phrase without a subject: "Sorry, can't do that"
    reporting   patterns for what stands in front of a phrase that is not said here and now: "if", "when", "she said"
    undoing     patterns for what follows the verb and takes the refusal back: "I can't thank you enough", "I can't help until you log in"
    promising   patterns from the verb on that make a promise of a resolve: "I won't share your address"
    labels      words before a quotation that do not make it a quotation: `answer: "..."`

Sources: the phrase lists of public refusal classifiers and safety evaluations, and what their users reported as wrong about them
(apologies, quoted dialogue, topic words, "I can't wait"); the wording is our own.
"""
from __future__ import annotations

from ..ground.record import Record


class Phrase(Record):
    """One way to refuse.

    kind: how the pattern refuses:
        "whole"    by itself
        "bare"     by itself, where its subject is left out: at the start of a sentence, or behind `apologies`
        "opener"   when a verb of `serving` follows, or the sentence ends: "I can't", "I'm unable to"
        "resolve"  when a verb of `serving` follows; by itself it may end a promise: "I won't"
        "regret"   whatever follows, except a verb of `perceiving`: "I'm sorry, but I can't"
    words: literals of which one must stand in the text for the pattern to be tried; () is any text that has a cue.
    pattern: what to look for; its ends must not touch a letter or digit.
    """

    __slots__ = ("kind", "words", "pattern")

    def __init__(self, kind: str, words: tuple, pattern: str) -> None:
        self._set(kind, words, pattern)


class Refusals(Record):
    """How one language refuses: see the module."""

    __slots__ = ("cues", "phrases", "adverbs", "serving", "perceiving", "apologies", "reporting", "undoing", "promising", "labels")

    def __init__(
        self,
        *,
        cues: tuple,
        phrases: tuple,
        adverbs: frozenset = frozenset(),
        serving: dict | None = None,
        perceiving: frozenset = frozenset(),
        apologies: tuple = (),
        reporting: tuple = (),
        undoing: tuple = (),
        promising: tuple = (),
        labels: tuple = (),
    ) -> None:
        self._set(cues, phrases, adverbs, serving or {}, perceiving, apologies, reporting, undoing, promising, labels)


def _phrase(kind: str, words: str, *pattern: str) -> Phrase:
    return Phrase(kind, tuple(words.split("|")) if words else (), "".join(pattern))


def _verbs(table: str) -> dict:
    """Lines of `verbs | what must (or, after a -, must not) follow`."""
    verbs = {}
    for line in table.strip().splitlines():
        words, _, following = line.partition("|")
        for word in words.split():
            verbs[word] = following.strip()
    return verbs


# --- English ---------------------------------------------------------------------------------------------------------------------------

# Broken contractions are spelt out: "cant", "can' t", "can 't". Nothing here matches "wont to".
_CANNOT = "(?:can ?'? ?t|cannot|can not|can no longer|could(?:n't| not) (?:possibly|in good conscience))"
_WONT = "(?:won ?'? ?t|will not|shall not|shan't)"
_DONT = "(?:don ?'? ?t|do not)"
_NOT = " ?(?:n't|not)"
_I_AM = "(?:i ?'? ?m|i am)"
_WILLING = (
    "(?:unable|unwilling|no longer able|not (?:able|allowed|permitted|authori[sz]ed|in a position|equipped|designed|programmed|trained"
    "|supposed|going|about|willing|prepared|at liberty)) to"
)
_BE_ABLE = "(?:" + _WONT + " (?:[a-z]+ )?be able to|(?:will|'ll) be unable to|would" + _NOT + " be able to)"
_LY = "(?:[a-z]+ly |just |still |also )?"
_I_CANNOT = (
    "(?:i " + _LY + _CANNOT + "(?: (?:and|or) " + _WONT + ")?|" + _I_AM + "(?: [a-z]+|, [a-z]+,)?? " + _WILLING + "|i ?" + _BE_ABLE + ")"
)
_NO_FIGURE = "(?! (?:wait|stress|help but|thank|believe))"
_ENDING = "(?= ?[.!,;\\n]|\\Z)"
_RULES = (
    "(?:guidelines?|polic(?:y|ies)|programming|training|instructions|rules|principles|values|constraints|restrictions|terms|safeguards)"
)
_MACHINE = "(?:ai|a\\.i\\.|language model|llm|chatbot|bot|assistant|artificial intelligence|machine)"
_MACHINE_WORDS = " ai| a.i.|language model|llm|bot|assistant|artificial|machine"
_PROPER = "(?:appropriate|ethical|responsible|proper|right|safe|wise|okay|ok|acceptable|possible)"
_IMPROPER = "(?:inappropriate|unethical|irresponsible|improper|unsafe|harmful|wrong|dangerous|illegal|unwise)"
_SERVICE = "(?:help|assist|do|discuss|provide|support|engage|offer|answer|talk|share|write|generate|create|comply|advise|participate|be)"
_REQUESTS = " (?:your|this|that|the|such|these) (?:[a-z]+ ){0,2}?requests?"

_ENGLISH_CUES = (
    # Contractions of can, will, do, could, should and would, where they can begin a refusal.
    ("'", "'(?:(?:(?<=can')|(?<=can ')|(?<=won')|(?<=won ')|(?<=i don')|(?<=i shouldn')|(?<=i wouldn')|(?<=i mustn')) ?t"
          "|(?<=shan')t|(?<=couldn')t (?:possibly|in good)|(?:(?<=don')|(?<=doesn')|(?<=won'))t (?:allow|permit|let|enable)"
          "|(?:(?<=isn')|(?<=wasn')|(?<=aren')|(?<=wouldn'))t)"),
    (" not", " not(?:(?<=can not)|(?<=will not)|(?<=shall not)|(?<=am not)|(?<=m not)|(?<=rather not)|(?<=prefer not)|(?<=should not)"
             "|(?<=must not)|(?<=i do not)|(?<=i would not)|(?<=choose not)|(?<=programmed not)|(?<=designed not)|(?<=instructed not)"
             "|(?<=trained not)|(?<=s not) (?:something|anything|a |within|allow|permit|let)|(?<=do not) (?:allow|permit|let)"
             "| (?:possibly|in good|comfortable)| (?:able|allowed|permitted|going|willing) to)"),
    # unable, no longer able, uncomfortable, beyond, forbidden, prohibited
    ("b", "b(?:le(?:(?<=unable)|(?<=longer able)|(?<=uncomfortable))|eyond|id(?<=forbid)|it(?<=prohibit))"),
    # cannot, can no longer, cant, decline, restricted
    ("c", "c(?:an(?:not| no longer|t(?<=i cant))|lin(?<=declin)|ted from(?<=restricted from))"),
    # prevent, violate
    ("v", "v(?:ent(?<=prevent)|iolat)"),
    ("k", "k the(?<=lack the)"),
    ("refus", ""), ("i wont", ""), ("i dont", ""), ("unwilling", ""), ("for me to", ""),
    ("have to ", "have to (?:[a-z]+ly )?(?:pass|say no)"),
    ("outside", "outside (?:of )?(?:my|the|what)"), ("against ", "against (?:my|our|[a-z]+'s) "),
)

_ENGLISH_PHRASES = (
    _phrase("opener", "", _I_CANNOT),
    _phrase("opener", "should|must", "i (?:should|must)" + _NOT),
    _phrase("opener", "think", "i " + _DONT + " think (?:that )?i (?:can|could|should|(?:would|will|am) (?:be )?able to)"),
    _phrase("resolve", "won|ll not|shan|shall", "(?:i " + _LY + _WONT + "|i'll not)"),
    _phrase("regret", " not ", _I_AM + " (?:[a-z]+ly )?not (?:programmed|designed|trained|allowed|permitted|authori[sz]ed|at liberty) to"),
    _phrase(
        "regret", "sorry|apolog|afraid|unfortunately|regret|sadly",
        "(?:sorry|apologi[sz]e|apologies|afraid|unfortunately|regrettably|regretfully|regret|sadly)(?: [^.!?;,\\n]{0,24})??",
        "[,.;:!]?(?: -)? ",
        "(?:(?:but|however|and|that|as|because|although),? ){0,2}" + _I_CANNOT,
    ),
    _phrase(
        "whole", "don't|do not|i dont|don' t|don 't",
        "i " + _DONT + " (?:[a-z]+ly )?(?:provide|assist|engage|participate|generate|produce|comply|discuss|advise|endorse|condone",
        "|facilitate|take part)(?! your| any of)",
    ),
    _phrase(
        "whole", "ing",
        "i ?(?:" + _WONT + "|'ll not) be (?:helping|assisting|providing|answering|writing|sharing|creating|generating|producing",
        "|discussing|giving|doing|complying|taking part|participating)",
    ),
    _phrase("resolve", " to ", "i (?:" + _DONT + " (?:wish|want|care) to|choose not to)"),
    _phrase("whole", "programmed|designed|instructed|trained", _I_AM + " (?:programmed|designed|instructed|trained) not to"),
    # As a machine
    _phrase(
        "whole", _MACHINE_WORDS,
        "(?:as|being) an? (?:[a-z-]+ ){0,4}?" + _MACHINE + "(?![a-z0-9])[^.!?\\n]{0,60}?(?<![a-z0-9'])",
        "(?:" + _I_CANNOT + "|i " + _WONT + ")" + _NO_FIGURE,
    ),
    _phrase(
        "whole", _MACHINE_WORDS,
        _I_AM + "(?: just| only| merely| simply)? an? (?:[a-z-]+ ){0,4}?" + _MACHINE + "(?![a-z0-9])[^.!?\\n]{0,40}?(?<![a-z0-9'])",
        "(?:" + _I_CANNOT + "|(?:and|so|but|therefore|thus)(?: i)? (?:" + _CANNOT + "|(?:am )?" + _WILLING + "))" + _NO_FIGURE,
    ),
    # Declining
    _phrase(
        "whole", "decline|refuse|abstain|refrain",
        "i ?(?:(?:must|(?:will |would |am going to |'m going to |'ll |'d )?have to|need to|have no choice but to|shall|will|'ll|should",
        "|am obliged to|am forced to|choose to)(?: [a-z]+ly)?|[a-z]+ly) (?:decline|refuse|abstain|refrain)",
    ),
    _phrase("whole", "have to", "i(?:'ll| will|'d| would)? have to (?:[a-z]+ly )?(?:pass(?: on|" + _ENDING + ")|say no)"),
    _phrase("whole", "declining|refusing", _I_AM + " (?:[a-z]+ly )?(?:declining|refusing) (?:to|your|this|that)"),
    _phrase("whole", "decline", "i decline (?:to|your|this|that)"),
    _phrase("whole", "refuse", "i refuse(?: to(?! (?:believe|give up|accept|let|think|be))|" + _ENDING + "| (?:this|that|your) request)"),
    # Comfort and preference
    _phrase(
        "whole", "comfortable",
        "(?:" + _I_AM + " not (?:[a-z]+ )?|i (?:" + _DONT + "|would" + _NOT + ") (?:[a-z]+ )?feel (?:[a-z]+ )?)",
        "comfortable(?! (?:in|on|at) )",
    ),
    _phrase("whole", "feel right", "i " + _DONT + " feel right (?:about|with|[a-z]+ing)"),
    _phrase("whole", "uncomfortable", _I_AM + " (?:[a-z]+ )?uncomfortable (?:with|about|[a-z]+ing)"),
    _phrase(
        "whole", "rather not|prefer not",
        "i(?:'d| would) (?:[a-z]+ )?(?:rather|prefer) not(?! (?:to )?(?:wait|pay|miss|lose|be|have|get))",
    ),
    # Propriety
    _phrase("whole", " me to", "(?:would be|is|it's|that's|be|feels|seems) (?:[a-z]+ )?" + _IMPROPER + " (?:for|of) me to(?! not)"),
    _phrase("whole", "for me to", "(?:would" + _NOT + " be|isn't|is not|(?:it|that|this)'s not) (?:[a-z]+ )?" + _PROPER + " for me to"),
    _phrase(
        "whole", "think|believe|feel",
        "i " + _DONT + " (?:think|believe|feel) (?:that )?(?:(?:it|that|this) (?:is|would be)|it's|that's) (?:[a-z]+ )?",
        _PROPER + " (?:for me )?to",
    ),
    # Not something I can do
    _phrase(
        "whole", "something|anything|a request|a topic|a question|a task|a subject|a thing|a conversation",
        "(?:not|[a-z]+n't) (?:[a-z]+ )?(?:something|anything|a (?:request|topic|question|task|subject|thing|conversation))",
        "(?: that| which)? ",
        "(?:i|we)(?:'m|'re| am| are|'ll| will)?(?: be)? ",
        "(?:comfortable|(?:can|could|(?:able|allowed|permitted|willing|going|prepared|in a position) to)",
        "(?: " + _SERVICE + "|" + _ENDING + "))",
    ),
    # Limits
    _phrase(
        "whole", "beyond|outside|out of|not within",
        "(?:beyond|outside(?: of)?|out of|not within) (?:the (?:scope|bounds|limits|range) of )?",
        "(?:what i(?:'m| am)? (?:can|could|(?:able|allowed|permitted) to)|what i was (?:built|made|designed)",
        "|my (?:scope|capabilit(?:y|ies)|abilit(?:y|ies)|guidelines|remit|limits|competence|expertise|purview|programming|permissions",
        "|powers?))",
    ),
    _phrase(
        "whole", "prevented|prohibited|restricted|forbidden|barred|precluded",
        _I_AM + " (?:[a-z]+ )?(?:(?:prevented|prohibited|restricted|forbidden|barred|precluded) from|forbidden to)",
    ),
    _phrase("whole", "lack the", "i lack the (?:ability|capability|capacity|authority)"),
    _phrase("whole", "abilit|capab|capacity", "i " + _DONT + " (?:[a-z]+ly )?have (?:the|any) (?:ability|capability|capacity)(?! for)"),
    # Rules
    _phrase(
        "whole", "allow me|permit me|let me|enable me|prevent|prohibit|forbid|stop|preclude|restrict|bar me|bars me",
        _RULES + " (?:[a-z]+ )?(?:(?:do(?:es)?" + _NOT + "|" + _WONT + "|" + _CANNOT + ") (?:allow|permit|let|enable)",
        "|prevents?|prohibits?|forbids?|stops?|precludes?|bars?|restricts?) me",
    ),
    _phrase(
        "whole", "against|violat|contrary",
        "(?:against|violat(?:e|es|ing)|violation of|contrary to) ",
        "(?:my|our (?:content|usage|safety|use|community)|openai's|anthropic's|google's) (?:[a-z]+ ){0,3}?" + _RULES,
    ),
    # We of a request, and nobody
    _phrase(
        "whole", "request|assist|help",
        "(?:we|we're|we are) (?:" + _CANNOT + "|(?:are )?(?:[a-z]+ )?(?:unable|not able) to|" + _WONT + " be able to) (?:[a-z]+ly )?",
        "(?:(?:process|fulfil|fulfill|complete|honou?r|accommodate|comply with|assist with|help with|respond to|answer|handle|grant",
        "|approve|support|carry out)" + _REQUESTS + "|(?:assist|help)(?: you)?(?: with (?:that|this|your request)|" + _ENDING + "))",
    ),
    _phrase(
        "bare", "help|assist|comply|do |answer|discuss|engage|fulfil",
        "(?:" + _CANNOT + "|" + _WONT + "|unable to|not able to) (?:(?:help|assist|comply)" + _ENDING,
        "|(?:help|assist|comply|do|answer|discuss|engage|fulfil|fulfill)(?: you)?(?: with)? ",
        "(?:that|this|your request|the request|such|you))",
    ),
)

_ENGLISH_SERVING = _verbs("""
    answer assist aid comply oblige accommodate cooperate collaborate fulfil fulfill generate produce compose draft translate summarize
    summarise participate engage facilitate encourage promote endorse condone entertain indulge advise teach instruct disclose divulge
    reveal speculate elaborate perform execute impersonate roleplay role-play fabricate invent simulate decode hack bypass
    offer provide supply continue proceed respond discuss share recommend suggest honor honour grant oblige satisfy assess diagnose
    help    | - but it myself themselves feel wonder think notice smile laugh admire
    support | that this such your the any these those
    do      | that this so it what any anything such as
    create  | - an account
    write   | - to home down off back
    give    | you that this any advice legal medical financial instructions details information out guidance an a
    tell    | you
    show    | you
    explain | how that this what the
    describe| how that this the in
    go      | along into there through ahead
    walk    | you
    carry   | out
    take    | part on
    get     | involved into
    be      | of part a involved party doing used complicit
    act     | as on
    play    | along the that
    pretend | to
    make    | that such those these recommendations predictions judgments judgements
    build   | that such a an this
    design  | that such a an this
    list    | - it them
    process | that this your such
    complete| that this your such
    handle  | that this your such
    address | that this your such
    follow  | that this your such those these
    meet    | that this your such
    approve | that this your such
    accept  | that this your such
    allow   | that this you
    agree   | to
    lend    | a my
    say     | that anything
    comment | on
    weigh   | in
""")

_ENGLISH_PERCEIVING = frozenset("""
    find see locate confirm verify identify detect determine reproduce recall remember read open reach connect load hear understand think
    say imagine believe wait stress thank attend come join guarantee promise tell decide figure spot access recognize recognise replicate
    be make stay meet afford stand bear deny complain express overstate emphasize emphasise praise stop resist sleep eat drive travel keep
    log get explain blame
""".split())

ENGLISH = Refusals(
    cues=_ENGLISH_CUES,
    phrases=_ENGLISH_PHRASES,
    adverbs=frozenset("""
        actually really currently just simply unfortunately regrettably sadly therefore thus personally directly ethically legally knowingly
        ever possibly safely fully properly easily also further openly presently still even responsibly honestly respectfully always
        definitely certainly
    """.split()),
    serving=_ENGLISH_SERVING,
    perceiving=_ENGLISH_PERCEIVING,
    apologies=("(?:sorry|apologies|unfortunately|sadly|no),?(?: but)? ",),
    reporting=(
        "(?:if|when|whenever|unless|until|whether|once|in case|lest|how come|wish|as though)",
        "(?<!is )(?<!'s )(?<!reason )(?:why|where)",
        "(?<! i )(?:said|says|replied|replies|wrote|writes|claims?|claimed|answered|responded|insists?|insisted)",
        "told (?:me|us|him|her|them|you)",
        "(?:he|she|they|you|who) (?:say|think|thinks|thought|believe|believes)",
    ),
    undoing=(
        "[^.!?;,\\n]{0,60}? enough(?![a-z])",
        "[^.!?;,\\n]{0,60}? (?:until|till|unless|before (?:i|you|we))(?![a-z])",
        "[^.!?;,\\n]{0,60}? without (?!violat|break|breach|compromis|risk|cross|harm|endanger|caus)",
        "(?<= help) (?!anything|everything|nothing)[a-z]+ing(?![a-z])",
        "(?<= tell) you (?:how (?:much|happy|glad|sorry|grateful|excited|pleased|often|many)|whether|if|for (?:sure|certain))(?![a-z])",
    ),
    promising=(
        "(?:share|give|tell|disclose|divulge|reveal|show|offer|discuss|provide|supply) [^.!?\\n]{0,50}?"
        "(?:anyone|anybody|third part(?:y|ies)|others|other people|strangers)(?![a-z])",
        "(?:share|give|tell|disclose|divulge|reveal|show|discuss|provide) (?:away |out )?(?:any of )?your (?:[a-z-]+ ){0,2}?"
        "(?:details?|data|e-?mails?|address|number|name|information|info|account|card|password|order|secret|location|privacy|records?)"
        "(?![a-z])",
        "(?:do|make|allow|let) [^.!?;,\\n]{0,40}?(?:again|anymore|any more)(?![a-z])",
    ),
    labels=("answer", "response", "output", "reply", "assistant", "result", "message", "final answer", "text", "ai", "bot", "agent"),
)

REFUSALS = {"en": ENGLISH}
