"""What people are told of what is repeated: what was understood, what cannot be, and when it runs first."""

from pathlib import Path

from tests.support.golden_talk import check_words


def test_what_is_repeated_is_said(tmp_path: Path) -> None:
    """The card and the list say when, where and for whom; what cannot be repeated so is named."""
    check_words(tmp_path, SAID)


SAID = """Times.
@mail
@model SELECT id, name FROM regions ORDER BY id
> list all regions by number
@press yes
> repeat this
> never mind
No schedule was added.
> repeat this every 10 minutes
I can't do that: “every 10 minutes”. I can repeat a query every hour, on days of the week or on days of the month.
@press cancel
> I would like to have this repeated automatically, each week
How often: Every hour / Every day / Every workday / *Every week* / Every month
@press cancel
> repeat this every Monday at 8 if it changed
Every Monday at 08:00 (UTC) I run this on Shop and put the rows here, if they changed. First time: Mon 16 Mar 08:00.
> start
✓ This is repeated every Monday at 08:00 (T-1). First time: Mon 16 Mar 08:00. `schedules` lists it.
> mail this to bob@elsewhere.org every workday at 9:15 as excel
I can only mail addresses at example.com, so not bob@elsewhere.org.
@fill people=bob@example.com
I run this on Shop and e-mail the rows to bob@example.com as Excel. First time: Mon 16 Mar 09:15.
> start
> schedules
T-2: list all regions by number · every workday at 09:15 · Shop · by e-mail to bob@example.com · next Mon 16 Mar 09:15
@press repeat:stop:T-1
You stopped this: list all regions by number, every Monday at 08:00 (T-1).
@press repeat:stop:T-1
is not repeated any more.
"""
