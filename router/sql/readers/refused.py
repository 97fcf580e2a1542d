"""What a child does not do, as a sentence for the person."""


class Refused(Exception):
    """The sentence, word for word."""
