"""Columns whose values are about a person, or secret: no model ever sees a sample of them."""

import re

from router.language.inflection import stem

PERSONAL_PARTS = frozenset(
    """
    email mailaddress phone telefon password passwd passwort secret apikey token iban accountnumber accountno cardnumber
    firstname lastname fullname middlename surname familyname givenname nickname username maidenname vorname nachname
    address street strasse postcode postalcode zipcode birth salary passport taxid ipaddr
    """.split()  # noqa: SIM905 — a list of words is read as words
)
"""A column is personal if its name, without blanks and underscores, contains one of these."""

PERSONAL_WORDS = frozenset(
    """
    mail tel mobile cell fax pwd pass pin otp salt hash key ssn sin nin bic swift cvv cvc card dob gender sex race
    religion ethnicity nationality diagnosis disability login user owner author contact person ip mac lat lon lng
    latitude longitude signature note notes comment comments remark remarks
    """.split()  # noqa: SIM905 — a list of words is read as words
)
"""A column is personal if one of the words of its name is one of these."""

PEOPLE_TABLES = frozenset(
    """
    account applicant author candidate client contact customer doctor driver employee guest guardian lead manager
    member owner parent passenger patient people person player staff student subscriber teacher tenant user worker
    """.split()  # noqa: SIM905 — a list of words is read as words
)
"""In tables of these, and next to one of these words, "name" is a person's."""


def looks_personal(table: str, column: str) -> bool:
    """Tell whether a column's values are likely to be about a person, or secret."""
    joined = re.sub(r"[\W_]", "", column).lower()
    words = words_of(column)
    if any(part in joined for part in PERSONAL_PARTS) or PERSONAL_WORDS & words:
        return True
    near = words | words_of(table)
    return "name" in words and bool(PEOPLE_TABLES & (near | {stem(word) for word in near}))


def words_of(name: str) -> frozenset[str]:
    """Return the words of a name in lower case: customer_ID and CustomerId are both {"customer", "id"}."""
    return frozenset(word.lower() for word in split_words(name))


def split_words(name: str) -> list[str]:
    """Return the words of a name in their order, cut at underscores, blanks, digits and capitals."""
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+", name)
