"""Whether a statement writes a name."""

import re


def mentions(sql: str, name: str) -> bool:
    """Say whether `name` is written in `sql` as a word, quoted in whatever way."""
    # A quote inside a quoted name is written twice, or once within quotes of another kind.
    spellings = "|".join(re.escape(word) for word in {name, re.sub("[\"'`]", "", name)})
    word = re.compile(rf"(?<![\w$])(?:{spellings})(?![\w$])", re.IGNORECASE)
    without_doubled_quotes = re.sub("\"\"|``|''", "", sql)
    return bool(word.search(sql) or word.search(without_doubled_quotes))
