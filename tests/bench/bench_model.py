"""The embedded model on the sample company: seconds to the first answer and to later ones, and the SQL it wrote.

`uv run --extra demo python -m tests.bench.bench_model` runs on the machine as it is: leave it alone meanwhile.
"""

import statistics
import tempfile
import time
from pathlib import Path

from bot.models.choice import EMBEDDED
from bot.settings.environment import Settings
from bot.wiring.bot import built
from router.cards import Code, Reply
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.turn import Incoming, Said

QUESTIONS = (
    "Which five customers brought the most revenue this year?",
    "How many orders were placed last month?",
    "Revenue by region last quarter",
    "Which ten products sold the most pieces?",
    "How many support tickets are open, by priority?",
    "What is the average order value per channel?",
    "Which stores have the most employees?",
    "Monthly revenue this year",
    "Which products are below their reorder level?",
    "How many customers joined in 2025?",
)


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(ICC_BOT_HOME=Path(home), SQL_MODEL_NAME=EMBEDDED)
        with built(settings) as bot:
            began = time.perf_counter()
            taken = []
            for number, question in enumerate(QUESTIONS):
                shown: list[Reply] = []
                asked = time.perf_counter()
                key = ThreadKey("bench", "", "", str(number))
                bot.router.turn(Incoming(key, User("bench:ana"), Said(question)), shown.append)
                taken.append(time.perf_counter() - asked)
                sql = next((card.body for card in shown[-1].cards if isinstance(card, Code)), "no SQL")
                print(f"{taken[-1]:6.1f} s  {question}\n          {' '.join(sql.split())}")
            print(f"first answer, with loading the model: {taken[0]:.1f} s")
            print(f"later answers: median {statistics.median(taken[1:]):.1f} s, slowest {max(taken[1:]):.1f} s")
            print(f"all: {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
