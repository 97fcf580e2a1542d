"""Whether a statement writes a name."""

import re


def mentions(sql: str, name: str) -> bool:
    """Say whether `name` is written in `sql` as a word, quoted in whatever way."""
    bare = re.escape(re.sub("[\"'`]", "", name))
    word = re.compile(rf"(?<![\w$]){bare}(?![\w$])", re.IGNORECASE)
    without_doubled_quotes = re.sub("\"\"|``|''", "", sql)
    return bool(word.search(sql) or word.search(without_doubled_quotes))
