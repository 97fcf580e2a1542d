"""How much of a comparison is kept: as much as its connections let, and its disk."""

from router.jobs.payloads import ref_of, report_of
from router.sql.comparing.wording import report_sentences
from router.sql.databases.session import Described
from tests.router.jobs.comparing.bench import Bench, shop, warehouse
from tests.router.jobs.comparing.test_compare_sql import compared


def test_rows_of_a_comparison_have_a_bound_of_their_own(bench: Bench) -> None:
    """It is another than that of an answer; what is beyond it is counted, and said."""
    with bench.runner(kept=3) as runner:
        done = compared(runner, shop(), warehouse(), "all")
    assert (3, True, 2) == (ref_of(done).total, ref_of(done).capped, report_of(done).unkept)
    assert report_sentences(report_of(done)).endswith(" The first rows were kept, and 2 more were not.")


def test_rows_of_a_comparison_do_not_fill_the_disk(bench: Bench) -> None:
    """A file that is large enough takes no more rows, and takes them again when it is begun again."""
    rows = [(number, "x" * 1000) for number in range(10_000)]
    with bench.results.writer((Described("n", "number"), Described("t", "text")), 10**6, 2**20) as writer:
        for _ in range(2):
            writer.begin()
            for start in range(0, len(rows), 1000):
                writer.add(rows[start : start + 1000])
            assert 0 < writer.total < len(rows)
            assert writer.capped
