"""Why nothing was written."""

from router.errors import JobFailed


class Refusal(JobFailed):
    """A sentence for the person; `bare` is the same without any value of a row, for logs and trails."""

    def __init__(self, sentence: str, bare: str = "") -> None:
        super().__init__(sentence)
        self.bare = bare or sentence


class Lost(JobFailed):
    """The connection broke: whether the last step was done, only the log of written jobs can say."""


class Clash(ValueError):
    """A value that a column cannot take; the words go on after "the value"."""


def nothing_written(why: str, advice: str = "", bare: str = "") -> Refusal:
    """Return the refusal for `why`, a sentence without its full stop; `bare` is the same sentence without values."""
    rest = f". Nothing was written.{' ' if advice else ''}{advice}"
    return Refusal(why + rest, bare and bare + rest)


LATER = "Please try again in a moment."
TELL = "Tell whoever runs the database."
