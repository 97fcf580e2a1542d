"""When jobs run that need a place in several lanes."""

import threading
from threading import Event

from router.jobs.queue import FILE_PLACES, Threads, file_lane, lane_of


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


def test_long_jobs_on_a_file_leave_room() -> None:
    """However long what eight people ask of a file takes, the short job of a ninth is done meanwhile."""
    free, short, before = Event(), Event(), threading.active_count()
    begun: list[str] = []

    def run(id: str) -> None:
        begun.append(id)
        if id == "short":
            short.set()
        else:
            assert free.wait(60)

    queue = Threads(run)
    for person in range(8):
        for number in range(3):
            queue.put(f"{person} {number}", file_lane("shop", f"person {person}"))
    queue.put("short", file_lane("shop", "somebody else"))
    assert short.wait(10)
    assert len(begun) == 8 * 2 + 1
    free.set()
    queue.close()
    assert threading.active_count() == before


def test_the_places_of_a_file_are_bounded() -> None:
    """Where all are taken, the next ones wait until one is free."""
    free, ended = Event(), Event()
    begun: list[str] = []

    def run(id: str) -> None:
        begun.append(id)
        if len(begun) == 40:
            ended.set()
        assert free.wait(60)

    queue = Threads(run, wide=2)
    for person in range(40):
        queue.put(str(person), file_lane("shop", str(person)))
    assert not ended.wait(0.5)
    assert len(begun) == FILE_PLACES
    free.set()
    assert ended.wait(60)
    queue.close()
    assert sorted(map(str, range(40))) == sorted(begun)


def test_jobs_on_a_server_stay_few() -> None:
    """However long they take: its connections are few."""
    free, third = Event(), Event()
    begun: list[str] = []

    def run(id: str) -> None:
        begun.append(id)
        if len(begun) == 3:
            third.set()
        assert free.wait(60)

    queue = Threads(run, wide=2)
    for number in range(3):
        queue.put(str(number), "shop")
    assert not third.wait(0.2)
    free.set()
    assert third.wait(60)
    queue.close()
