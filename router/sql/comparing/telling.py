"""Two values that differ, written so that a person sees by what: what cannot be seen has its name."""

from unicodedata import category, name, normalize

_NAMES = {" ": "␣", "\t": "⟨tab⟩", "\n": "⟨line feed⟩", "\r": "⟨carriage return⟩"}

_TWINS = str.maketrans("АВЕКМНОРСТХаеорсухіΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTXaeopcyxiABEZHIKMNOPTYXo")
"""Letters of other alphabets that look like those of the Latin one."""


def told_apart(left: str | None, right: str | None) -> tuple[str | None, str | None]:
    """Return two different texts as they are where one sees that they differ, else with names in ⟨…⟩."""
    if left is None or right is None:
        return _quoted(left), _quoted(right)
    if left == right or _looks(left) != _looks(right):
        return left, right
    start = shared(left, right)
    end = shared(left[start:][::-1], right[start:][::-1])
    return _named(left, start, end), _named(right, start, end)


def shared(one: str, other: str) -> int:
    """Return how many letters at the beginning are the same."""
    both = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, its) in both if mine != its), min(len(one), len(other)))


def _quoted(text: str | None) -> str | None:
    """Return a text beside no value so that it is not taken for one too."""
    return "(empty text)" if text is not None and not text.strip() else "“NULL”" if text == "NULL" else text


def _looks(text: str) -> str:
    """Return what is to be seen of a text."""
    plain = "".join(" " if letter.isspace() else letter for letter in normalize("NFC", text.translate(_TWINS)))
    return " ".join("".join(letter for letter in plain if category(letter) not in ("Cf", "Cc")).split())


def _named(text: str, start: int, end: int) -> str:
    middle = "".join(map(_letter, text[start : len(text) - end]))
    return text[:start] + middle + text[len(text) - end :]


def _letter(letter: str) -> str:
    if letter in _NAMES:
        return _NAMES[letter]
    if category(letter)[0] in "MCZ" or letter.translate(_TWINS) != letter:
        return f"⟨{name(letter, f'U+{ord(letter):04X}').lower()}⟩"
    return letter
