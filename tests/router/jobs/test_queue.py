"""When jobs run that need a place in several lanes."""

from threading import Event

from router.jobs.queue import Threads, lane_of


def test_the_order_of_lanes_is_one_for_all() -> None:
    """Two jobs on the same two databases, said in other orders, never wait for one another's place."""
    assert lane_of("shop", "warehouse") == lane_of("warehouse", "shop")
    assert "shop" == lane_of("shop", "shop")


def test_a_job_of_two_lanes_waits_for_both() -> None:
    """It is run once, however often it was put while it waited, and is no second job in its first lane."""
    free, begun, over, told = Event(), Event(), Event(), Event()
    runs: list[str] = []

    def run(id: str) -> None:
        runs.append(id)
        if id == "long":
            begun.set()
            free.wait(60)
        if id == "another":
            told.wait(60)
        if runs.count("last") and runs.count("both") and runs.count("short"):
            over.set()

    queue = Threads(run, wide=2)
    queue.put("long", "b")
    assert begun.wait(60)
    queue.put("another", "b")
    for _ in range(3):
        queue.put("both", lane_of("b", "a"))
    queue.put("short", "a")
    queue.put("last", lane_of("a", "c"))
    told.set()
    assert over.wait(60)
    free.set()
    queue.close()
    assert ["another", "both", "last", "long", "short"] == sorted(runs)
