"""Sentences that define a word, and others that only look like it."""

from router.understanding.definitions import DEFINITION_MAX_CHARS, Definition, definition_of, forgotten, unhinted
from router.understanding.short_wishes import example_wished
from tests.support.rows import every_row

NO_ORDER = "no order in 90 days"


@every_row(
    ("text", "name", "meaning"),
    [
        ("churned means no order in 90 days", "churned", NO_ORDER),
        ("Churned means no order in 90 days.", "Churned", NO_ORDER),
        ("churned  means\nno order in 90 days", "churned", NO_ORDER),
        ("please note that churned means no order in 90 days", "churned", NO_ORDER),
        ("remember: churned means no order in 90 days", "churned", NO_ORDER),
        ("ok, churned means no order in 90 days", "churned", NO_ORDER),
        ("for us churned means no order in 90 days", "churned", NO_ORDER),
        ("in our company, churned means no order in 90 days", "churned", NO_ORDER),
        ("the term churned means no order in 90 days", "churned", NO_ORDER),
        ('"churned" means no order in 90 days', "churned", NO_ORDER),
        ("“churned” means no order in 90 days", "churned", NO_ORDER),
        ("churned customer means no order in 90 days", "churned customer", NO_ORDER),
        ("define churned as no order in 90 days", "churned", NO_ORDER),
        ("Define “churned” as no order in 90 days", "churned", NO_ORDER),
        ("please define churned as no order in 90 days", "churned", NO_ORDER),
        ("define churned: no order in 90 days", "churned", NO_ORDER),
        ("define churned = no order in 90 days", "churned", NO_ORDER),
        ("define top customer to mean no order in 90 days", "top customer", NO_ORDER),
        ("churned is defined as no order in 90 days", "churned", NO_ORDER),
        ("churned customers are defined as no order in 90 days", "churned customers", NO_ORDER),
        ("ARR stands for annual recurring revenue", "ARR", "annual recurring revenue"),
        ("ARR is short for annual recurring revenue", "ARR", "annual recurring revenue"),
        ("Q1 means January to March", "Q1", "January to March"),
        ("big orders means orders above 500", "big orders", "orders above 500"),
        ("late means more than three days", "late", "more than three days"),
        ("late means delivered after the promised day", "late", "delivered after the promised day"),
        ("last year means the fiscal year that ended in June", "last year", "the fiscal year that ended in June"),
        ("net revenue means total minus refunds", "net revenue", "total minus refunds"),
        ("e-commerce means orders of the web shop", "e-commerce", "orders of the web shop"),
        ("churned bedeutet keine Bestellung in 90 Tagen", "churned", "keine Bestellung in 90 Tagen"),
        ("Stammkunde heißt mehr als zehn Bestellungen", "Stammkunde", "mehr als zehn Bestellungen"),
        ("definiere Stammkunde als Kunde mit zehn Bestellungen", "Stammkunde", "Kunde mit zehn Bestellungen"),
        ("bei uns bedeutet", "", ""),
        ("client perdu signifie aucun achat en 90 jours", "client perdu", "aucun achat en 90 jours"),
        ("définir client perdu comme sans achat", "client perdu", "sans achat"),
        ("cliente perdido significa sin pedidos", "cliente perdido", "sin pedidos"),
        ("VIP quiere decir diez pedidos", "VIP", "diez pedidos"),
        ('"which one" means the first', "which one", "the first"),
    ],
)
def test_definitions(text: str, name: str, meaning: str) -> None:
    """The name and what it means are read; what says too little is none."""
    assert definition_of(text) == (Definition(name, meaning) if name else None)


@every_row(
    "text",
    [
        "what does churned mean",
        "what does churned mean?",
        "what does churned mean in this database",
        "What does “churned” mean in our shop",
        "which customers churned",
        "which customers are churned and what does it mean",
        "who are the churned customers",
        "how is churned defined",
        "how do you define churned",
        "churned means?",
        "churned means no order in 90 days?",
        "churned means what",
        "is churned the same as no order in 90 days",
        "does churned mean no order in 90 days",
        "do you know what churned means",
        "tell me what churned means",
        "explain what revenue means here",
        "show customers, that means all of them",
        "show me the means by region",
        "list the means per month",
        "group means by region",
        "group means of totals by month",
        "mean total means per region",
        "sales by means of voucher",
        "orders by means of transport",
        "compare means across regions",
        "average means over time",
        "I mean the customers in Vienna",
        "I meant last year",
        "no, I mean the paid ones",
        "that means nothing to me",
        "that means we lost three customers",
        "this means trouble",
        "it means a lot",
        "we means all of us",
        "customers whose status means inactive",
        "customers who churned in the last 90 days",
        "orders where the code means refund",
        "regions with means above ten",
        "the definition of churned",
        "show the definition of revenue",
        "define",
        "define churned",
        "define the revenue by region",
        "churned = no order in 90 days",
        "total > 500",
        "revenue: by region",
        "SELECT 'churned means no order in 90 days'",
        "select name from customers where note = 'x means y'",
        "top products mean most revenue",
        "mean and median of totals",
        "write it to backup.means",
        "all means are wrong",
        "order means by name",
        "",
        "means",
        "x" * 700 + " means y",
    ],
)
def test_other_sentences(text: str) -> None:
    """A question, an answer, a remark and SQL define nothing."""
    assert definition_of(text) is None


def test_all_that_a_definition_says() -> None:
    """Other names and a filter stand behind the meaning."""
    assert definition_of(
        "define big order as an order above 500; also called whale, jumbo, large order; filter: total > 500"
    ) == Definition("big order", "an order above 500", ("whale", "jumbo", "large order"), "total > 500")
    assert definition_of("big means more than 5; in euros; filter: total > 5; drop table x") == Definition(
        "big", "more than 5; in euros", (), "total > 5; drop table x"
    )
    assert definition_of("active means paid this year; filter: status = 'paid'") == Definition(
        "active", "paid this year", (), "status = 'paid'"
    )
    assert definition_of("ARR means annual recurring revenue; also known as run rate") == Definition(
        "ARR", "annual recurring revenue", ("run rate",)
    )


@every_row(
    ("hint", "name", "meaning"),
    [
        ("churned = no order in 90 days", "churned", NO_ORDER),
        ("churned: no order in 90 days", "churned", NO_ORDER),
        ("churned means no order in 90 days", "churned", NO_ORDER),
        ("churned refers to status = 'C'", "churned", "status = 'C'"),
        ("revenue is total_amount", "revenue", "total_amount"),
    ],
)
def test_hints_that_define(hint: str, name: str, meaning: str) -> None:
    """A hint needs fewer words to say what something means."""
    assert definition_of(hint, hint=True) == Definition(name, meaning)


@every_row(
    ("text", "question", "hint"),
    [
        ("Which customers churned?\nhint: churned = x", "Which customers churned?", "churned = x"),
        ("Which customers churned? Hint: churned = x", "Which customers churned?", "churned = x"),
        ("Which customers churned (hint: churned = f(x))", "Which customers churned", "churned = f(x)"),
        ("Which customers churned, hint: a\n b", "Which customers churned", "a b"),
        ("hint: churned = x", "", "churned = x"),
        ("Hinweis: abgewandert = x", "", "abgewandert = x"),
        ("Which customers churned - hint: churned = x", "Which customers churned", "churned = x"),
        ("Which customers churned (my hint: a)", "Which customers churned", "a"),
        ("a-hint: b", "a-hint: b", ""),
        ("who gave a hint", "who gave a hint", ""),
        ("hints by region", "hints by region", ""),
        ("column a.hint: which values", "column a.hint: which values", ""),
    ],
)
def test_hints(text: str, question: str, hint: str) -> None:
    """A hint stands behind its question, or alone."""
    assert unhinted(text) == (question, hint)


@every_row(
    "text",
    [
        " " * 60_000,
        "x" + " " * 60_000 + "x",
        "x" + " \t" * 30_000 + "hint" + " " * 60_000 + ": y",
        "hint " * 12_000,
        "hint: " * 10_000,
        " (" * 30_000,
        "-" * 60_000,
        "my " * 20_000,
        "keep this as example" + " " * 60_000 + "x",
        "keep this as example:" + " x" * 30_000,
        "means " * 10_000,
        "define " * 85 + "x",
        "ok, " * 140 + "means x",
        "define a as b" + "; also c" * 73,
        "a means b" + "(" * 590,
        "forget the term " + "a " * 290,
        "\n" * 60_000,
    ],
)
def test_long_texts_are_read_in_one_go(text: str) -> None:
    """However long a text is, and whatever is repeated in it, it is told what it is."""
    question, hint = unhinted(text)

    assert len(question) + len(hint) <= len(text)
    assert definition_of(text) is None or len(text) <= DEFINITION_MAX_CHARS
    assert forgotten(text) == "" or len(text) <= DEFINITION_MAX_CHARS
    assert example_wished(text) is None or text.startswith("keep")


def test_what_shall_be_forgotten() -> None:
    """Only a sentence that says it is about a term takes one away."""
    assert forgotten("please forget the term “net revenue”.") == "net revenue"
    assert forgotten("remove the definition of churned") == "churned"
    assert forgotten("delete all customers") == ""
    assert forgotten("forget it") == ""
