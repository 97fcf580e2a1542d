"""A question and what is to become of its result, in one sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.cards import ChartKind
from router.memory.draft import Wish
from router.understanding.steps import (
    PLAN_MAX_CHARS,
    PLAN_MAX_STEPS,
    chart_kind_in,
    read_steps,
    step_of,
)
from tests.support.rows import every_row

BY_REGION = "revenue by region"
SEVERAL = {
    "revenue by region, mail it to Bob every Monday, as Excel": (
        BY_REGION,
        ("repeat", "repeat it every Monday"),
        ("email", "mail it to Bob"),
        ("xlsx", "export it as Excel"),
    ),
    "envoie-moi les factures impayées par mail": ("les factures impayées", ("email", "mail it to me")),
    "how many open tickets do we have and which store sells the most?": (
        "how many open tickets do we have",
        ("ask", "which store sells the most?"),
    ),
    "parcels by carrier, mail it to jo@example.com with subject Parcels, and say hi": (
        "parcels by carrier",
        ("email", "mail it to jo@example.com with subject Parcels, and say hi"),
    ),
    "save it to tmp_parcels, overwrite it, and draw it": (
        "",
        ("write", "save it to tmp_parcels, overwrite it"),
        ("chart", "draw it as a chart"),
    ),
    "stock per shop, excel please": ("stock per shop", ("xlsx", "export it as Excel")),
    "parcels by carrier, pie chart and csv": (
        "parcels by carrier",
        ("chart", "draw it as a pie chart"),
        ("csv", "export it as CSV"),
    ),
    "parcels by carrier plus mail me the excel": ("parcels by carrier", ("email", "mail me the excel")),
    "Pakete je Lieferant als Kreisdiagramm und schick die csv an ana@example.com": (
        "Pakete je Lieferant",
        ("chart", "draw it as a pie chart"),
        ("email", "schick die csv an ana@example.com"),
    ),
    "every Friday at 6 pm the open parcels": ("the open parcels", ("repeat", "repeat it every Friday at 6 pm")),
    "daily 7:15 new parcels into ops.parcels": (
        "new parcels",
        ("write", "save it into table ops.parcels"),
        ("repeat", "repeat it daily 7:15"),
    ),
    "save the parcels of May to tmp_parcels, append please": (
        "the parcels of May",
        ("write", "save it into table tmp_parcels, append please"),
    ),
    "run it and draw a chart": ("", ("chart", "draw it as a chart")),
    "the parcels of May, but don't send them": ("the parcels of May",),
    "salaries by office; no chart please": ("salaries by office",),
    "envía cada lunes los paquetes abiertos a jo@example.com": (
        "los paquetes abiertos",
        ("repeat", "repeat it cada lunes"),
        ("email", "mail it to jo@example.com"),
    ),
    "Pakete pro Monat mit Diagramm": ("Pakete pro Monat", ("chart", "draw it as a chart")),
    "salaries by office, and please never share it": ("salaries by office",),
    "mail Ana@example.com the revenue by region as excel": (
        "the revenue by region",
        ("email", "mail it to Ana@example.com as Excel"),
    ),
    "mail revenue by region to ana@example.com as excel": (
        BY_REGION,
        ("email", "mail it to ana@example.com as Excel"),
    ),
    "mail it to ana@example.com and show it as a chart": (
        "",
        ("email", "mail it to ana@example.com"),
        ("chart", "draw it as a chart"),
    ),
    "send me a csv of all customers in Italy": ("all customers in Italy", ("csv", "export it as CSV")),
    "excel with all customers in Italy please": ("all customers in Italy", ("xlsx", "export it as Excel")),
    "every Monday at 8 mail the open orders to ops@example.com": (
        "the open orders",
        ("repeat", "repeat it every Monday at 8"),
        ("email", "mail it to ops@example.com"),
    ),
    "send ana@example.com the open orders every Monday at 8 as csv": (
        "the open orders",
        ("repeat", "repeat it every Monday at 8"),
        ("email", "mail it to ana@example.com as CSV"),
    ),
    "put last month's returns into table tmp_returns and tell ana@example.com": (
        "last month's returns",
        ("write", "save it into table tmp_returns"),
        ("email", "mail it to ana@example.com"),
    ),
    "export all invoices of May as csv": ("all invoices of May", ("csv", "export it as CSV")),
    "can you get me the revenue by region and then email it to ana@example.com?": (
        "can you get me the revenue by region",
        ("email", "email it to ana@example.com"),
    ),
    "show revenue by region, save it to tmp_rev, and mail it to bob@example.com": (
        "show revenue by region",
        ("write", "save it to tmp_rev"),
        ("email", "mail it to bob@example.com"),
    ),
    "revenue by region, then chart it, then mail the chart to ana@example.com": (
        BY_REGION,
        ("chart", "draw it as a chart"),
        ("email", "mail the chart to ana@example.com"),
    ),
    "send the top 10 customers to ana@example.com and bob@example.com as csv": (
        "the top 10 customers",
        ("email", "mail it to ana@example.com and bob@example.com as CSV"),
    ),
    "I need revenue by store as an excel file, mailed to ana@example.com": (
        "revenue by store",
        ("xlsx", "export it as Excel"),
        ("email", "mail it to ana@example.com"),
    ),
    "plot revenue by month": ("revenue by month", ("chart", "draw it as a chart")),
    "mail a chart of revenue by month to ana@example.com": (
        "revenue by month",
        ("chart", "draw it as a chart"),
        ("email", "mail it to ana@example.com"),
    ),
    "revenue by region as a chart every Monday": (
        BY_REGION,
        ("chart", "draw it as a chart"),
        ("repeat", "repeat it every Monday"),
    ),
    "tell ana@example.com how many orders are open": (
        "how many orders are open",
        ("email", "mail it to ana@example.com"),
    ),
    "could you send me the invoices of May as an excel file by e-mail?": (
        "the invoices of May",
        ("email", "mail it to me as Excel"),
    ),
    "schick die Umsätze pro Region an ana@example.com als Excel": (
        "die Umsätze pro Region",
        ("email", "mail it to ana@example.com as Excel"),
    ),
    "revenue by region and how many customers do we have?": (BY_REGION, ("ask", "how many customers do we have?")),
    "List the open orders. Which customers ordered most?": (
        "List the open orders",
        ("ask", "Which customers ordered most?"),
    ),
    "List the open orders and mail them to ana@example.com. Which of them are late? Draw it as a chart.": (
        "List the open orders",
        ("email", "mail them to ana@example.com"),
        ("ask", "Which of them are late? Draw it as a chart."),
    ),
    "weekly report of revenue by store to boss@example.com": (
        "revenue by store",
        ("repeat", "repeat it weekly"),
        ("email", "mail it to boss@example.com"),
    ),
    "schedule revenue by region every Monday at 9": (BY_REGION, ("repeat", "repeat it every Monday at 9")),
    "I want to know every day at 9 how many orders came in": (
        "how many orders came in",
        ("repeat", "repeat it every day at 9"),
    ),
    "Could you email Peter and ana@example.com the list of late shipments?": (
        "the list of late shipments",
        ("email", "mail it to Peter and ana@example.com"),
    ),
    "could I have the phone list in Excel and as an e-mail to desk@example.com?": (
        "the phone list",
        ("xlsx", "export it as Excel"),
        ("email", "mail it to desk@example.com"),
    ),
    "csv export of all members who joined in 2024": (
        "all members who joined in 2024",
        ("csv", "export it as CSV"),
    ),
    "Kannst du mir die offenen Rechnungen als Excel an ana@example.com schicken?": (
        "die offenen Rechnungen",
        ("email", "mail it to ana@example.com as Excel"),
    ),
    "Who ordered most in May? And in which city do they live?": (
        "Who ordered most in May",
        ("ask", "in which city do they live?"),
    ),
    "put it into table x and how many customers do we have": (
        "",
        ("write", "put it into table x"),
        ("ask", "how many customers do we have"),
    ),
    "write it and mail it to ana@example.com": (
        "",
        ("write", "write it"),
        ("email", "mail it to ana@example.com"),
    ),
    "excel, and write it": ("", ("xlsx", "export it as Excel"), ("write", "write it")),
    "draw it as a chart and mail it to ana@x.de every monday": (
        "",
        ("chart", "draw it as a chart"),
        ("repeat", "repeat it every monday"),
        ("email", "mail it to ana@x.de"),
    ),
    "share it and mail it": ("", ("share", "share it with the channel"), ("email", "mail it")),
    "write it and draw it as a pie": ("", ("write", "write it"), ("chart", "draw it as a pie chart")),
    "mail it to ana@example.com. How many customers do we have?": (
        "",
        ("email", "mail it to ana@example.com"),
        ("ask", "How many customers do we have?"),
    ),
}


def wishes_of(text: str) -> tuple[str, tuple[Wish, ...]]:
    """Return the question of a sentence and its steps; the whole sentence where nothing else is in it."""
    found = read_steps(text)
    return (found.question, tuple(found.steps)) if found.steps or found.denied else (text, ())


@every_row("text", SEVERAL)
def test_several_wishes(text: str) -> None:
    """The question stays whole, and each wish is there once, in the order in which it is done."""
    question, wishes = wishes_of(text)
    assert SEVERAL[text] == (question, *((wish.step, wish.text) for wish in wishes))


@every_row(
    "text",
    [
        "customers and orders",
        "how many parcels were sent by mail, and not by courier",
        "which customers asked for a chart or a csv file",
        "orders placed every day at 8",
        "suppliers that don't send invoices",
        "orders by month and region",
        "exports to Italy",
        "how many mails did we send to Ana and Bob?",
        "who wrote to support every week",
        "how many orders were mailed to customers every Monday",
        "which employees report to Ana and Bob",
        "customers who wrote to us and then cancelled",
        "number of exports by month as a percentage",
        "list all products as a table",
        "products that are sold in table tennis shops",
        "chart of accounts by department",
        "how many orders did ana@example.com place?",
        "email me when revenue drops",
        "customers and how many orders they placed",
        "how many orders were open and how many orders were closed?",
        "which regions are there and how many customers are in each?",
        "Which products cost more than 4000? Show name and price.",
        "what is the revenue and what is the profit by month?",
        "Can you help me? How many orders are open?",
        "We have a problem with returns. How many were there in May?",
        "which reports are mailed every Monday?",
        "send a reminder to all customers with unpaid invoices",
    ],
)
def test_one_wish(text: str) -> None:
    """Words that belong to a question, or only speak of the result on show, are not split."""
    assert (text, ()) == wishes_of(text)


TYPED = (
    "mail send me it Ana ana@example.com the revenue orders by region as csv excel a chart of every Monday at 8 to and"
    " then , . ? how many customers do we have which save into table tmp_x list plot export all"
)
WORD = st.sampled_from(TYPED.split())


@given(st.lists(WORD, max_size=14).map(" ".join))
def test_any_sentence(text: str) -> None:
    """Whatever is typed, there are not more steps than a plan has, and a question or a wish is left."""
    question, wishes = wishes_of(text)
    assert len(wishes) <= PLAN_MAX_STEPS + 1
    assert question or wishes or not text
    assert all(wish.text for wish in wishes)


HOSTILE = [
    head + part * 12_000
    for head in ("revenue by region", "send me ", "every monday ", "mail it to ana@example.com")
    for part in (", ", " ", "and ", "? list ", "ana@example.com, ", "a.b")
]


@every_row("text", HOSTILE)
def test_a_hostile_sentence(text: str) -> None:
    """A long text is a question as it is; a shorter one ends, however often something stands in it."""
    long, short = f"{text[:11_999]}=", f"{text[: PLAN_MAX_CHARS - 2]}="
    assert (long, ()) == wishes_of(long)
    assert len(wishes_of(short)[1]) <= PLAN_MAX_STEPS + 1


@pytest.mark.parametrize(
    "text",
    [
        "Show orders from St. Gallen by region",
        "Show the revenue of Huber GmbH & Co. KG by month",
        "Show the avg. price by region",
        "Show the approx. revenue by region",
        "show me customers that order every week",
        "send me the subscriptions that renew monthly",
        "show me the machines which fail daily",
        "show the messages sent by eve@example.com to bob@example.com",
        "share of revenue by region with ana@example.com",
        "email ana@example.com about the delay",
        "share your password with ana@example.com",
        "do not export revenue by region as csv",
        "please don't send me revenue by region every Monday",
    ],
)
def test_no_wish(text: str) -> None:
    """What only looks like a wish, or is not to be done, or like two questions, stays one sentence."""
    assert (text, ()) == wishes_of(text)


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("parcels of May, but please don't mail it", "please don't mail it"),
        ("Pakete im Mai, aber nicht verschicken", "nicht verschicken"),
        ("les colis de mai, mais ne l'envoie pas", "ne l'envoie pas"),
        ("parcels of May; no chart", "no chart"),
        ("suppliers who never send invoices", ""),
        ("parcels without a carrier", ""),
    ],
)
def test_what_is_denied(text: str, denied: str) -> None:
    """A step that is not wanted is no part of the question, and is kept, so that it can be said."""
    assert denied == " ".join(word for each in read_steps(text).denied for word in [each])


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("download it and send it to bob@example.com", "download it"),
        ("as csv but only if there are rows", "only if there are rows"),
        ("en csv, pero si hay filas", "si hay filas"),
        ("show me a chart and stop the monday report", "stop the monday report"),
        ("write it to t_7, but only the open ones", ""),
        ('save it to "x\'); drop table stores;--"', ""),
    ],
)
def test_what_is_no_step_behind_one_is_kept(text: str, unread: str) -> None:
    """It is said, or holds the step back; a write and an e-mail are read again with all of their words."""
    found = read_steps(text)
    assert found.steps
    assert not found.question
    assert unread == ", ".join(found.unread)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("make it a line", "line"),
        ("can you make it a pie?", "pie"),
        ("as a column chart please", "bar"),
        ("bars instead", "bar"),
        ("show it as lines", "line"),
        ("Pie", "pie"),
        ("als Kreisdiagramm", "pie"),
        ("en barres", "bar"),
        ("show me the lines", None),
        ("show me order lines", None),
        ("which lines were late", None),
        ("chart", None),
    ],
)
def test_a_sentence_for_another_drawing_is_told_from_a_question(text: str, kind: ChartKind | None) -> None:
    """Only a sentence that asks for nothing else is one."""
    step = step_of(text)
    assert kind == (chart_kind_in(step.text) if step else None)


def test_a_wish_for_a_picture_may_name_its_kind() -> None:
    """Among other words, too."""
    assert chart_kind_in("draw the revenue by month as a line chart") == "line"
    assert chart_kind_in("draw it") is None
