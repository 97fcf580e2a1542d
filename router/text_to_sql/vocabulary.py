"""Words of questions and names, told alike: plurals, endings, abbreviations, words that are written together."""

from collections.abc import Collection, Iterable, Iterator

from router.catalog.sensitive_columns import split_words
from router.language.inflection import stem, word_family

ABBREVIATIONS = """
account acct acc acnt; address addr adr; amount amt; approval appr; article art; attachment att; average avg;
balance bal; budget bdgt; building bldg; campaign cmp cmpgn; category cat categ; code cd; company comp co;
contract contr; country ctry cntry; currency curr ccy; customer cust cstmr; date dt; delivery dlv deliv;
department dept dep; description desc descr; detail det dtl; discount disc; document doc; employee emp empl;
equipment equip eqpt; group grp; header hdr; history hist; hour hrs hr; inventory inv invt; invoice inv invc;
item itm; language lang; ledger gl; level lvl; line ln; location loc; machine mach; maintenance maint mnt;
manager mgr; manufacturing mfg; material mat matl; message msg; month mth mon; movement mvmt; number no nr num;
order ord; organization org; organisation org; package pkg pack; part prt; payment pmt pymt pay; percent pct perc;
position pos; price prc; product prod prd; project proj prj; purchase po pur purch; quality qc qa qual;
quantity qty qnty; quarter qtr; rate rt; receipt rcpt; reference ref; region reg rgn; request req rqst;
requisition req; return ret rtn; salary sal; sale sls; schedule sched; service svc srv serv; shipment shp shpmt ship;
status stat sts; store str; supplier supp suppl splr; task tsk; technician tech; ticket tkt; timestamp ts;
total tot ttl; training trng train; transaction txn trx trans; user usr; value val; vehicle veh; vendor vend vnd;
volume vol; warehouse whs wh wrhs; week wk; year yr
"""
"""Abbreviations in names of tables and columns, the whole word first."""

WHOLE_WORDS: dict[str, tuple[str, ...]] = {}
for _line in ABBREVIATIONS.split(";"):
    _word, *_forms = _line.split()
    for _form in _forms:
        WHOLE_WORDS[_form] = (*WHOLE_WORDS.get(_form, ()), _word)

COMMON_WORDS = frozenset(
    """
    a about after all also am an and any are as at average be because been before below between both but by can count
    did do does each every few first for from get give had has have highest how i id in into is it its largest last
    least less list lowest many me mean month more most much my need never next no not now of off on only or our out
    over per please quarter show since so some sum than that the their them there these they this those to today
    top total under until up us versus vs was we week were what when where which while who whom whose why will with
    within without year yesterday you your number name have that
    """.split()  # noqa: SIM905 — a list of words is read as words
)
"""Words that say nothing of tables."""


def words(text: str) -> list[str]:
    """Return the stems of the words of a text or a name, in their order: "OrderItems", "order_items", "order items"."""
    return [stem(word) for word in split_words(text) if len(word) > 1 and not word.isdigit()]


def telling(found: Iterable[str]) -> list[str]:
    """Return the words that say something, each once."""
    return [word for word in dict.fromkeys(found) if word not in COMMON_WORDS]


def parts(word: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the two known words that one is written together of, as "stocklevel" is, or nothing."""
    for at in range(3, len(word) - 2) if len(word) > 6 else ():
        first, second = stem(word[:at]), word[at:]
        if first in known and second in known:
            return first, second
    return ()


def meant(word: str, known: Iterable[str]) -> Iterator[tuple[str, float]]:
    """Yield those of the known words that a word of a question may mean, with how surely it does."""
    family = word_family(word)
    for each in known:
        if each == word:
            yield each, 1.0
        elif word_family(each) == family:
            yield each, 0.6
        elif _inside(each, word) or _inside(word, each) or _cut(each, word):
            yield each, 0.5


def _inside(whole: str, part: str) -> bool:
    """Tell whether a word is written together with another one in front of it or behind it: points, loyaltypoints."""
    return len(part) > 3 and len(whole) - len(part) > 3 and (whole.startswith(part) or whole.endswith(part))


def _cut(short: str, word: str) -> bool:
    """Tell whether a name's word is the beginning of another one: equip, equipment."""
    return 2 < len(short) < len(word) - 2 and word.startswith(short)
