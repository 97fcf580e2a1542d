"""What people are told on the way to an e-mail: why one did not go out, what stays as it is, and what was sent."""

from pathlib import Path

from tests.support.golden_talk import check_words


def test_what_the_form_cannot_take_is_said(tmp_path: Path) -> None:
    """Recipients that nobody knows, or that may not be mailed, are named; a question in between loses nothing."""
    check_words(tmp_path, FORM)


def test_nothing_goes_out_unless_somebody_says_so(tmp_path: Path) -> None:
    """At the card, other words change the e-mail or are told what they would have to be; nobody is added in secret."""
    check_words(tmp_path, CARD)


def test_an_email_is_not_sent_twice_without_a_question(tmp_path: Path) -> None:
    """After `back`, and where the same is wished for once more, it is said that it was sent already."""
    check_words(tmp_path, TWICE)


def test_what_was_sent_stays_sent(tmp_path: Path) -> None:
    """Who would rather have it back is told that it cannot be."""
    check_words(tmp_path, LATE)


FORM = """An address that cannot be.
@mail
@model SELECT id, name FROM regions ORDER BY id
> list all regions by number
@press yes
> email
@fill to=bob
I don't know “bob”. Type an address such as ana@example.com.
@fill to=bob@elsewhere.org
I can only mail addresses at example.com, so not bob@elsewhere.org. Nothing was sent. Your administrator can allow more.
@model SELECT COUNT(*) AS n FROM customers
> how many customers do we have?
I'll answer your question first; nothing here is lost. `back` brings you here again.
> back
    bob@elsewhere.org
> finance
This form needs e-mail addresses, such as ana@example.com, or `me`; what is in it stays.
"""

CARD = """Words at the card.
@mail
@model SELECT id, name FROM regions ORDER BY id
> list all regions by number
@press yes
> mail it to bob@example.com
To: bob@example.com
Includes: The 2 rows as a table in the e-mail. Also the question, the SQL, and your name.
> email
Nothing was sent yet. Type `send`, or press Send, and this e-mail goes to bob@example.com.
> hm, dont send it
Nothing was sent. What should I change? Type it, such as `add bob@example.com`, `subject: Orders in May` or `as CSV`,
> who will get this?
Check the recipients and the text, then press Send. Nothing is sent before that.
> bcc dan@example.com
I send no blind copies: whoever gets the e-mail sees who else does. Nobody was added;
> as csv
Includes: A file with 2 rows (CSV).
@press cancel
Nothing was sent.
> mail it to bob@example.com and bcc eve@example.com
I can't tell for sure who should get it. Type `to`, `add` or `without` with an address, or use the form.
"""

TWICE = """The same e-mail once more.
@mail
@model SELECT id, name FROM regions ORDER BY id
> list all regions by number
@press yes
> mail it to bob@example.com
@press email
✓ Sent to bob@example.com.
> back
This e-mail was sent already. Send it again? [Send again / Edit / As CSV / As Excel / Cancel]
@press cancel
> mail it to bob@example.com
This e-mail was sent already. Send it again?
> add eve@example.com
Send this e-mail? [Send / Edit / As CSV / As Excel / Cancel]
"""

LATE = """Too late.
@mail
@model SELECT id, name FROM regions ORDER BY id
> list all regions by number
@press yes
> mail it to bob@example.com
@press email
> wait dont send it
What was sent or written stays: an e-mail cannot be called back, and I never take rows out of a table.
"""
