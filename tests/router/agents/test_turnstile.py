"""Who is served when a model answers one question at a time."""

from router.agents.turnstile import Ticket, Turnstile


def served(turnstile: Turnstile, tickets: dict[str, Ticket]) -> list[str]:
    """Let every ticket through, one after the other, and return the order."""
    order = []
    while tickets:
        name = next(name for name, ticket in tickets.items() if ticket.wait(0) == 0)
        order.append(name)
        tickets.pop(name).leave()
    return order


def test_first_come_first_served() -> None:
    """People with one question each are served in the order in which they came."""
    turnstile = Turnstile(1)
    tickets = {name: turnstile.join(name) for name in ("ann", "bob", "cat")}

    assert served(turnstile, tickets) == ["ann", "bob", "cat"]


def test_ten_questions_do_not_starve_one() -> None:
    """Somebody new goes before the second question of a person who asked ten."""
    turnstile = Turnstile(1)
    tickets = {f"ann{number}": turnstile.join("ann") for number in range(4)}
    tickets |= {"bob": turnstile.join("bob"), "cat": turnstile.join("cat")}

    assert served(turnstile, tickets) == ["ann0", "bob", "cat", "ann1", "ann2", "ann3"]


def test_a_late_newcomer_joins_the_present_round() -> None:
    """After ann's third question has begun, bob still waits for that one only."""
    turnstile = Turnstile(1)
    tickets = {f"ann{number}": turnstile.join("ann") for number in range(5)}
    for name in ("ann0", "ann1"):
        tickets.pop(name).leave()
    tickets["bob"] = turnstile.join("bob")

    assert served(turnstile, tickets) == ["ann2", "bob", "ann3", "ann4"]


def test_places() -> None:
    """The place counts those who wait, and shrinks when somebody in front leaves."""
    turnstile = Turnstile(1)
    inside, first, second = (turnstile.join(name) for name in ("ann", "bob", "cat"))
    before = [ticket.wait(0) for ticket in (inside, first, second)]
    first.leave()

    assert before == [0, 1, 2]
    assert second.wait(0) == 1


def test_two_lanes() -> None:
    """Two lanes let two in."""
    turnstile = Turnstile(2)

    assert [turnstile.join(name).wait(0) for name in ("ann", "bob", "cat")] == [0, 0, 1]


def test_no_limit() -> None:
    """Without lanes nobody waits."""
    turnstile = Turnstile(None)

    assert [turnstile.join("ann").wait(0) for _ in range(5)] == [0] * 5


def test_leaving_twice_frees_one_lane() -> None:
    """A ticket that leaves twice does not let two others in."""
    turnstile = Turnstile(1)
    first, second, third = (turnstile.join(name) for name in ("ann", "bob", "cat"))
    first.leave()
    first.leave()

    assert (second.wait(0), third.wait(0)) == (0, 1)


def test_background_work_waits_for_every_question() -> None:
    """Even where any number may pass, work in the background begins when no question runs."""
    turnstile = Turnstile(None)
    question = turnstile.join("ann")
    background = turnstile.join("", background=True)
    place = background.wait(0)
    question.leave()

    assert place == 1
    assert background.wait(0) == 0


def test_busy_means_questions() -> None:
    """Work in the background does not count as busy."""
    turnstile = Turnstile(1)
    background = turnstile.join("", background=True)
    idle = turnstile.busy
    turnstile.join("ann")

    assert (background.wait(0), idle, turnstile.busy) == (0, False, True)
