"""The order of service where a model answers one question at a time."""

from router.llm.fair_queue import FairQueue, Ticket


def served(fair_queue: FairQueue, tickets: dict[str, Ticket]) -> list[str]:
    """Let every ticket through, one after the other, and return the order."""
    order = []
    while tickets:
        name = next(name for name, ticket in tickets.items() if fair_queue.wait(ticket, 0) == 0)
        order.append(name)
        fair_queue.leave(tickets.pop(name))
    return order


def test_first_come_first_served() -> None:
    """People with one question each are served in the order in which they came."""
    fair_queue = FairQueue(1)
    tickets = {name: fair_queue.join(name) for name in ("ann", "bob", "cat")}

    assert served(fair_queue, tickets) == ["ann", "bob", "cat"]


def test_ten_questions_do_not_starve_one() -> None:
    """Somebody new goes before the second question of a person who asked ten."""
    fair_queue = FairQueue(1)
    tickets = {f"ann{number}": fair_queue.join("ann") for number in range(4)}
    tickets |= {"bob": fair_queue.join("bob"), "cat": fair_queue.join("cat")}

    assert served(fair_queue, tickets) == ["ann0", "bob", "cat", "ann1", "ann2", "ann3"]


def test_a_late_newcomer_joins_the_present_round() -> None:
    """After ann's third question has begun, bob still waits for that one only."""
    fair_queue = FairQueue(1)
    tickets = {f"ann{number}": fair_queue.join("ann") for number in range(5)}
    for name in ("ann0", "ann1"):
        fair_queue.leave(tickets.pop(name))
    tickets["bob"] = fair_queue.join("bob")

    assert served(fair_queue, tickets) == ["ann2", "bob", "ann3", "ann4"]


def test_places() -> None:
    """The place counts those who wait, and shrinks when somebody in front leaves."""
    fair_queue = FairQueue(1)
    inside, first, second = (fair_queue.join(name) for name in ("ann", "bob", "cat"))
    before = [fair_queue.wait(ticket, 0) for ticket in (inside, first, second)]
    fair_queue.leave(first)

    assert before == [0, 1, 2]
    assert fair_queue.wait(second, 0) == 1


def test_two_lanes() -> None:
    """Two lanes let two in."""
    fair_queue = FairQueue(2)

    assert [fair_queue.wait(fair_queue.join(name), 0) for name in ("ann", "bob", "cat")] == [0, 0, 1]


def test_no_limit() -> None:
    """Without lanes nobody waits."""
    fair_queue = FairQueue(None)

    assert [fair_queue.wait(fair_queue.join("ann"), 0) for _ in range(5)] == [0] * 5


def test_leaving_twice_frees_one_lane() -> None:
    """A ticket that leaves twice does not let two others in."""
    fair_queue = FairQueue(1)
    first, second, third = (fair_queue.join(name) for name in ("ann", "bob", "cat"))
    fair_queue.leave(first)
    fair_queue.leave(first)

    assert (fair_queue.wait(second, 0), fair_queue.wait(third, 0)) == (0, 1)


def test_background_work_waits_for_every_question() -> None:
    """Even where any number may pass, work in the background begins when no question runs."""
    fair_queue = FairQueue(None)
    question = fair_queue.join("ann")
    background = fair_queue.join("", background=True)
    place = fair_queue.wait(background, 0)
    fair_queue.leave(question)

    assert place == 1
    assert fair_queue.wait(background, 0) == 0


def test_busy_means_questions() -> None:
    """Work in the background does not count as busy."""
    fair_queue = FairQueue(1)
    background = fair_queue.join("", background=True)
    idle = fair_queue.busy
    fair_queue.join("ann")

    assert (fair_queue.wait(background, 0), idle, fair_queue.busy) == (0, False, True)
