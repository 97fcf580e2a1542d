"""How well sentences are read: by the rules alone, by the embedded model alone, and by both as they work together.

`uv run --extra demo python -m tests.bench.bench_params` takes some minutes. The model alone reads whole sentences, and
is held to their words; modes, forms and names of jobs are always read by rules, and are not counted against it.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from bot.models.choice import EMBEDDED, choose_reader
from router.errors import AgentAway
from router.llm.call import ModelCall, Requester, Shape
from router.llm.client import Llm
from router.text_to_sql.question import Model
from router.understanding.parameters.reader import ask_mailing, ask_writing, read_mailing, read_writing
from router.understanding.parameters.sentence import MailingWish, Rest, WritingWish
from tests.router.understanding.parameters.cases import CONNECTIONS, MAILINGS, WRITINGS, Sentence
from tests.support.bot_settings import settings_of

Wish = WritingWish | MailingWish
BY_RULES = ("mode", "name", "form", "body")


def away() -> Model:
    raise AgentAway("There is no model.")


def read(sentence: Sentence, reader: Callable[[], Model]) -> Wish:
    """Read it as the bot does."""
    if isinstance(sentence.wish, WritingWish):
        return read_writing(sentence.say, reader, Requester("bench"), CONNECTIONS)
    return read_mailing(sentence.say, reader, Requester("bench"))


def read_alone(sentence: Sentence, llm: Llm) -> Wish:
    """Have the model read all of it; what it is not asked for is taken as right."""

    def ask(shape: type[Shape], system: str, user: str) -> Shape:
        return llm.fill(shape, ModelCall(system, user, Requester("bench"), "params", 0.0))

    rest, wish = Rest(sentence.say), sentence.wish
    said: Wish = ask_writing(rest, CONNECTIONS, ask) if isinstance(wish, WritingWish) else ask_mailing(rest, ask)
    given: dict[str, Any] = {f.name: getattr(wish, f.name) for f in fields(wish) if f.name in BY_RULES}
    return replace(said, **given)


def told(name: str, sentences: Iterable[Sentence], read_one: Callable[[Sentence], Wish]) -> None:
    """Print how many sentences and fields are right, and the seconds that one takes."""
    taken, whole, right, all_fields = [], 0, 0, 0
    for sentence in sentences:
        began = time.perf_counter()
        found = read_one(sentence)
        taken.append(time.perf_counter() - began)
        same = [getattr(found, f.name) == getattr(sentence.wish, f.name) for f in fields(sentence.wish)]
        whole, right, all_fields = whole + all(same), right + sum(same), all_fields + len(same)
    count, slow = len(taken), [seconds for seconds in taken if seconds > 0.1]
    print(
        f"{name:12} sentences {whole:3} of {count:3} ({whole / count:4.0%}), fields {right / all_fields:4.0%}, "
        f"mean {statistics.mean(taken):6.3f} s, model asked {len(slow):3} times, "
        f"{statistics.median(slow) if slow else 0:.1f} s each"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        Path(home, "cache").mkdir()
        llm = choose_reader(settings_of({"ICC_BOT_HOME": home, "MODEL_NAME": EMBEDDED}), timeout=300).llm()
        llm.answer(ModelCall("Say yes.", "Now", Requester("bench"), "params"))  # loads it
        for name, sentences in (
            ("write", WRITINGS),
            ("e-mail", MAILINGS),
            ("beyond the rules", tuple(s for s in (*WRITINGS, *MAILINGS) if s.beyond)),
        ):
            print(name)
            told("rules alone", sentences, lambda sentence: read(sentence, away))
            told("both", sentences, lambda sentence: read(sentence, lambda: llm))
            told("model alone", sentences, lambda sentence: read_alone(sentence, llm))


if __name__ == "__main__":
    main()
