"""Small numbers, in digits and in the words of four languages."""

_WORDS = {
    1: "one|ein|eine|einen|un|une|uno|una",
    2: "two|zwei|deux|dos",
    3: "three|drei|trois|tres",
    4: "four|vier|quatre|cuatro",
    5: "five|fünf|fuenf|cinq|cinco",
    6: "six|sechs|seis",
    7: "seven|sieben|sept|siete",
    8: "eight|acht|huit|ocho",
    9: "nine|neun|neuf|nueve",
    10: "ten|zehn|dix|diez",
    12: "twelve|zwölf|douze|doce",
    15: "fifteen|fünfzehn|quinze|quince",
    20: "twenty|zwanzig|vingt|veinte",
    25: "twenty-five|fünfundzwanzig",
    30: "thirty|dreißig|trente|treinta",
    50: "fifty|fünfzig|cinquante|cincuenta",
    100: "hundred|hundert|cent|cien",
}

_VALUES = {word: value for value, words in _WORDS.items() for word in words.split("|")}

NUMBER = r"(?:(?!(?:19|20)\d\d\b)\d{1,5}|(?:a )?(?:" + "|".join(sorted(_VALUES, key=len, reverse=True)) + "))"
"""A number of rows; no year."""


def value_of(text: str) -> int:
    """Return the number that a text of this form stands for."""
    low = text.lower().removeprefix("a ")
    return int(low) if low.isdecimal() else _VALUES[low]
