"""The ratings that people gave, as they are kept."""

from sqlalchemy import select

from router.jobs.feedback import AnsweredQuestion
from router.storage.database import Database
from router.storage.tables import answers, ratings


def ratings_of(database: Database) -> list[tuple[AnsweredQuestion, str, bool]]:
    """Return every rating: the answer, who rated it, and whether they found it good; the oldest first."""
    columns = [answers.c[field] for field in AnsweredQuestion.__dataclass_fields__]
    query = select(*columns, ratings.c.who, ratings.c.good).join(ratings, ratings.c.result == answers.c.result)
    with database.reading() as connection:
        rows = connection.execute(query.order_by(ratings.c.at, ratings.c.number)).all()
    return [(AnsweredQuestion(*answer), who, good) for *answer, who, good in rows]
