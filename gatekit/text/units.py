"""What stands beside a number and belongs to its value: currencies, scales and units, as data.

A spelling may stand for several units (`$` for every dollar, `pounds` for money and weight): two numbers may be of one unit if they share one.
A spelling of one letter counts only where it touches the number.
"""
from __future__ import annotations

_DOLLARS = "USD CAD AUD NZD SGD HKD TWD"

# What is written, in small letters: the currencies that it may mean.
CURRENCIES = {
    "$": _DOLLARS + " MXN ARS CLP COP BRL", "dollar": _DOLLARS, "dollars": _DOLLARS, "buck": _DOLLARS, "bucks": _DOLLARS,
    "us$": "USD", "usd": "USD", "c$": "CAD", "ca$": "CAD", "cad": "CAD", "a$": "AUD", "au$": "AUD", "aud": "AUD", "nz$": "NZD", "nzd": "NZD",
    "s$": "SGD", "sgd": "SGD", "hk$": "HKD", "hkd": "HKD", "nt$": "TWD", "twd": "TWD", "mx$": "MXN", "mxn": "MXN", "r$": "BRL", "brl": "BRL",
    "\u20ac": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "\u00a3": "GBP", "gbp": "GBP", "pound": "GBP lb", "pounds": "GBP lb",
    "\u00a5": "JPY CNY", "jpy": "JPY", "yen": "JPY", "cny": "CNY", "rmb": "CNY", "yuan": "CNY", "\u5143": "CNY TWD HKD", "\u5186": "JPY",
    "chf": "CHF", "franc": "CHF", "francs": "CHF", "\u20b9": "INR", "inr": "INR", "rs": "INR PKR", "rupee": "INR PKR", "rupees": "INR PKR",
    "\u20a9": "KRW", "krw": "KRW", "\u20bd": "RUB", "rub": "RUB", "\u20ba": "TRY", "\u20aa": "ILS", "ils": "ILS",
    "sek": "SEK", "nok": "NOK", "dkk": "DKK", "kr": "SEK NOK DKK", "pln": "PLN", "z\u0142": "PLN", "czk": "CZK", "huf": "HUF", "zar": "ZAR", "aed": "AED",
    "sar": "SAR", "thb": "THB", "\u0e3f": "THB", "\u20ab": "VND", "vnd": "VND", "\u20b1": "PHP", "\u20a6": "NGN", "ngn": "NGN",
    "k\u010d": "CZK", "\u20b4": "UAH", "uah": "UAH", "cent": "cent", "cents": "cent", "\u00a2": "cent",
}  # fmt: skip
CODES = frozenset(code for codes in CURRENCIES.values() for code in codes.split() if code != "lb")
# Those that may stand in front of the number: signs and codes, not words.
IN_FRONT = tuple(spelt for spelt in CURRENCIES if not spelt.isalpha() or spelt in ("rs", "kr", "k\u010d") or len(spelt) == 3 and spelt.upper() in CODES | {"RMB"})

# What is written: the power of ten. Those of MONEY_SCALES mean it only beside a currency, and those of CAPITAL_SCALES in capitals.
SCALES = {
    "hundred": 2, "thousand": 3, "thousands": 3, "k": 3, "lakh": 5, "lakhs": 5, "million": 6, "millions": 6, "mn": 6, "mln": 6, "mio": 6,
    "mill": 6, "millionen": 6, "millioner": 6, "miljoner": 6, "millones": 6, "milliarden": 9, "milliarder": 9, "miljarder": 9, "mia": 9, "mdr": 9,
    "crore": 7, "crores": 7, "billion": 9, "billions": 9, "bn": 9, "bln": 9, "milliard": 9, "milliards": 9, "mrd": 9,
    "trillion": 12, "trillions": 12, "tn": 12, "trn": 12,
}  # fmt: skip
MONEY_SCALES = {"m": 6, "mm": 6, "b": 9, "t": 12}
CAPITAL_SCALES = {"M": 6, "B": 9}

# The unit: its spellings. Units of STRICT are part of the value: 5% is not 5.
_UNITS = {
    "%": "% percent percents pct percentage",
    "\u2030": "\u2030 permille",
    "pp": "pp ppt",
    "bp": "bp bps",
    "kg": "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes", "g": "g gram grams gramme grammes", "mg": "mg milligram milligrams",
    "lb": "lb lbs", "oz": "oz ounce ounces", "tonne": "ton tons tonne tonnes",
    "km": "km kms kilometer kilometers kilometre kilometres", "metre": "m meter meters metre metres", "cm": "cm centimeter centimeters centimetre centimetres",
    "mm": "mm millimeter millimeters millimetre millimetres", "mile": "mile miles mi", "foot": "ft foot feet", "inch": "inch inches", "yard": "yard yards yd",
    "litre": "l liter liters litre litres", "ml": "ml milliliter milliliters millilitre millilitres", "gallon": "gal gallon gallons",
    "byte": "byte bytes", "kb": "kb kib", "mb": "mb mib", "gb": "gb gib", "tb": "tb tib",
    "hz": "hz", "khz": "khz", "mhz": "mhz", "ghz": "ghz", "w": "w watt watts", "kw": "kw", "mw": "mw", "kwh": "kwh", "mwh": "mwh",
    "ms": "ms millisecond milliseconds", "second": "s sec secs second seconds", "minute": "min mins minute minutes", "hour": "h hr hrs hour hours",
    "day": "d day days", "week": "wk wks week weeks", "month": "mo mos month months", "year": "y yr yrs year years",
    "celsius": "\u2103 \u00b0c celsius", "fahrenheit": "\u2109 \u00b0f fahrenheit",
}  # fmt: skip
STRICT = frozenset(("%", "\u2030", "pp", "bp"))
UNITS = {spelt: frozenset(codes.split()) for spelt, codes in CURRENCIES.items()}
UNITS.update((spelt, frozenset((unit,))) for unit, spellings in _UNITS.items() for spelt in spellings.split())

# What may follow a number's digits and changes nothing: ordinals, halves of the day.
SUFFIXES = frozenset("st nd rd th am pm x".split())

# Words that a hyphen joins to a number without making a name of both: `Mid-2024`, `Sub-100`.
NAMELESS = frozenset("pre mid post early late end over under up down sub non near since about around top total price cost fy cy".split())
