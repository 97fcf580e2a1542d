"""The words that people type in place of pressing a button."""

from router.language.folding import without_accents
from router.understanding.button_phrases import PHRASED, phrase_of, waits

SYNONYMS: dict[str, frozenset[str]] = {
    word: frozenset(typed.split("|")) | {word}
    for word, typed in {
        "yes": "use it|y|yeah|yep|yup|ok|okay|k|sure|correct|right|fine|go|go ahead|go on|run|run it|run this|execute"
        "|execute it|do it|please do|yes please|looks good|lgtm|approve|approved|confirm|proceed|👍|✅|si|ja"
        "|ja bitte|oui|start|start it|start repeating|use as first query|use as second query",
        "no": "n|nope|nah|no thanks|not that|wrong|reject|rephrase|change it|change|change the question|change question"
        "|👎|nein|non",
        "edit": "edit it|edit the sql|edit sql|modify|change the sql|let me edit",
        "again": "rewrite|rewrite it|rewrite the sql|write it again"
        "|another try|try again|again please|retry|another|another one|regenerate|once more|new try"
        "|same question|the same question|ask the same|send again|send it again|compare again|compare it again"
        "|try another|ask it again|ask again",
        "alone": "ask it alone|ask this alone|ask that alone|ask alone|on its own|ask it on its own",
        "generate": "generate sql|generate it|write it|write the sql|write sql|ask|ask in words|in words"
        "|ask in words instead|you write it|write it for me|generate it for me",
        "provide": "provide sql|provide my own|own sql|my own|my own sql|i have sql|sql|paste|paste sql|use my sql",
        "done": "finish|finished|that is all|that's all|thats all|bye|goodbye|end|no more|i am done|i'm done|im done"
        "|that was all|that was it|nothing else|fertig|ich bin fertig|das war's|das wars|das war alles|das ist alles"
        "|schluss|tschuss|termine|terminé|j'ai termine|fini|c'est tout|c'est fini|c'était tout|ce sera tout|au revoir"
        "|terminado|he terminado|eso es todo|es todo|eso era todo|esto es todo|nada más|adios",
        "repeat": "repeat this|repeat it|schedule|schedule it|schedule this|repeat the query",
        "schedules": "my schedules|schedule list|list schedules|list my schedules|show schedules|show my schedules"
        "|what is repeated|what do you repeat|repeated|stop repeating|stop repeating this|stop repeating it"
        "|unschedule",
        "examples": "example|my examples|list examples|list the examples|show examples|show the examples"
        "|show me examples|show me the examples|kept examples|verified examples",
        "glossary": "show glossary|show the glossary|the glossary|terms|list terms|list the terms|show terms"
        "|show the terms|glossar|glossaire|glosario",
        "human": "ask a human|ask a person|ask somebody|ask someone|ask people|ask a colleague|ask the data team"
        "|ask the experts|a human|a person|human please|a human please|get me a human|get me a person"
        "|get me somebody|get a human|talk to a human|talk to a person|talk to somebody|talk to someone"
        "|talk to the data team|speak to a human|speak to a person|speak to somebody|speak to someone"
        "|i want a human|i want to talk to a human|i want to talk to a person|i need a human|i need a person"
        "|can i talk to a human|can i talk to a human?|can i talk to a person|can i talk to a person?"
        "|can i talk to somebody|can i talk to somebody?|can i talk to someone|can i talk to someone?"
        "|can i talk to somebody from the data team|can i talk to somebody from the data team?|hand off|handoff"
        "|hand it to a human|einen menschen fragen|mensch",
        "teach": "keep for everybody|propose for everybody|keep the hint|keep this hint|keep it for everybody",
        "share": "share it|share this|share in channel|show everybody|show it to everybody|teilen|partager|compartir",
        "write": "write to a table|write to table|save|save it|store it|write it to a table|write results",
        "inline": "in the e-mail|in the email|in the mail|inside the mail|as a table|as text",
        "result": "the result above|the result|these rows|the rows above",
        "the_table": "the table|all of the table|the whole table",
        "somewhere": "write or email|write or e-mail|write/email|save or send|take it away|what can i do with it",
        "append": "add|add the rows|add to them|add them|add rows|keep them|keep",
        "truncate": "empty|empty it|empty it first|empty first|delete them|delete the rows|clear|clear it",
        "drop": "replace|replace the table|replace it|overwrite|drop and create|recreate|make it anew",
        "table": "wrong table|not this table|andere tabelle|eine andere tabelle|falsche tabelle|autre table"
        "|otra tabla|another table|other table|change table",
        "columns": "show the columns|show me the columns|show me the columns again|see the columns|check the columns"
        "|edit columns|edit the columns|spalten ändern|zeig die spalten|by column|change columns"
        "|change the columns|map columns|mapping",
        "name": "name the job|name job|rename|rename the job|job name|call it",
        "email": "e-mail|mail|mail it|email it|e-mail it|send|send it|send by email|per mail|courriel|par mail|correo"
        "|por correo|📧|✉|📨|📩",
        "next": "more|next page|show more|show me more|more rows|next rows|the next page|show next page"
        "|show the next page|show me next page|show me the next page|further|forward|>|mehr|nachste seite|suivant"
        "|page suivante|siguiente|siguiente pagina|mas|⏭|➡",
        "previous": "prev|previous page|page back|earlier|<|vorherige seite|page precedente|pagina anterior|⏮|⬅",
        "csv": "download|download csv|export|export csv|as csv|herunterladen|als csv|telecharger|en csv|descargar",
        "xlsx": "excel|download xlsx|download excel|as excel|spreadsheet|export xlsx|export excel|als excel|en excel",
        "chart": "draw a chart|draw the chart|show a chart|show as chart|show as a chart|as chart|as a chart|plot"
        "|plot it|graph|show as graph|as a graph|diagram|draw|draw it|draw this|bar chart|line chart|picture"
        "|diagramm|grafik|als diagramm|als grafik|graphique|en graphique|grafico|como grafico|📊|📈|📉",
        "database": "change database|switch database|other database|another database|connection|connections"
        "|change connection|switch connection|databases|switch to another database|change to another database"
        "|change the database|switch the database|andere datenbank|datenbank wechseln|changer de base|autre base"
        "|cambiar de base de datos|otra base de datos|try another database",
        "tables": "choose tables|pick tables|limit tables|choose the tables|pick the tables",
        "as_is": "just go on|as it is|just run it|just ask it|skip|skip it|none of these|none of them|neither"
        "|all of them|all of these|any of them|either|i don't mind|no preference",
        "likely": "the likely ones|likely ones|use the likely ones",
        "all": "all rows|every row|all tables|every table|everything",
        "refresh": "refresh schema|refresh the schema|read the tables again|reload schema",
        "compare": "compare two queries|compare two|compare it|compare this|compare results|compare queries|comparison"
        "|compare the result|compare this result|vergleichen|comparer|comparar",
        "same": "same sql|the same sql|same query|the same query|the same",
        "accept": "accept it|accept them|accept these|take them|agreed",
        "map": "map by hand|by hand|match by hand|match columns|match the columns",
        "first": "the question alone|the question|only the question|question only|the first question alone"
        "|the first question|edit the first query|first query"
        "|the first query",
        "second": "edit the second query|second query|the second query",
        "unmatched": "keep them as (none)|keep them as none|keep the others|include them|as (none)",
        "reporting": "report|the report|another report",
        "tolerances": "tolerance|what counts|what does not count",
        "into": "into a table",
        "none": "no table|not into a table",
        "differences": "differences only|only differences|only the differences",
        "aggregates": "totals|totals only|only totals|aggregates only",
        "help": "?|h|help me|what can you do|what can i do|how does this work|commands|sos|🆘|hilfe|hilf mir"
        "|aide|aide-moi|aidez-moi|ayuda|ayudame",
        "back": "🔙|back to the sql|go back|step back|undo|one step back",
        "restart": "start over|start again|reset|new|from the start|begin again|new question",
        "cancel": "back to the result|back to result|abort|forget it|never mind|nevermind|leave it|drop it|abbrechen"
        "|❌|✖|🚫",
        "hello": "hi|hey|hallo|hi there|hello there|hey there|good morning|good afternoon|good evening|good day|moin"
        "|hola|salut|ciao|servus|yo|test|ping|hi bot|hello bot",
        "stop": "halt|stop it|please stop",
    }.items()
}

# A word of acknowledgement says nothing about a name, a question or a recipient: it is never taken for one.
CONFIRMATIONS = SYNONYMS["yes"] | SYNONYMS["no"]

GREETINGS = SYNONYMS["hello"]

_MAY_BE_ASKED = frozenset({"help", "csv", "xlsx", "chart", "next", "previous"})
"""Buttons that a word with a question mark stands for, too: "excel?". They show something, or a form."""


def _typed(text: str) -> str:
    """Return `text` as it is looked up: folded, without accents and without the variants of signs."""
    return without_accents(folded(text).replace("’", "'").replace("\ufe0f", ""))


def folded(text: str) -> str:
    """Return `text` as it is compared: lower case, single blanks, without closing punctuation."""
    return " ".join(text.lower().split()).rstrip(".!,;: ") or text.strip()


def greets(text: str) -> bool:
    """Tell whether somebody only says hello, or nothing at all but the bot's name."""
    return not text.strip() or folded(text) in GREETINGS


def word_of(text: str, words: tuple[str, ...]) -> str | None:
    """Return which of `words` the typed text stands for, or None where it stands for none of them."""
    typed = _typed(text)
    asked = _typed(typed.rstrip("?¿ ")) if typed.endswith("?") else ""
    for word in words:
        known = SYNONYMS.get(word, frozenset({word}))
        if typed in known or (asked in known and word in _MAY_BE_ASKED):
            return word
    named = means_button(text) and typed not in SYNONYMS["stop"]  # where nothing is at work, Stop leaves the card
    return None if named else phrase_of(text, words)


def means_button(text: str) -> bool:
    """Tell whether the typed text stands for a button, or for a word that works anywhere."""
    typed = _typed(text)
    return any(typed in words for words in SYNONYMS.values())


def is_answer(text: str) -> bool:
    """Tell whether the typed text stands for a button, in a word or in a phrase, or only says that somebody thinks."""
    return means_button(text) or phrase_of(text, PHRASED) is not None or waits(text)
