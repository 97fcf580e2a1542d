"""The shortest way between tables."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from router.text_to_sql.repair.join_paths import Hop, Ways, cost, hops, route, routes
from tests.router.text_to_sql.company import company

NAMES = "abcdef"
HOPS = st.builds(
    Hop,
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
    st.just((("x", "y"),)),
    st.booleans(),
    st.booleans(),
)


def slowly(ways: Sequence[Hop], starts: str, goal: str) -> tuple[Hop, ...] | None:
    """Go every way."""
    chains = [(hop,) for start in dict.fromkeys(starts) for hop in ways if hop.near == start]
    seen = set(starts)
    while chains:
        arrived = [chain for chain in chains if chain[-1].far == goal]
        if arrived:
            best = [chain for chain in arrived if cost(chain) == min(map(cost, arrived))]
            return best[0] if len(best) == 1 else None
        seen |= {chain[-1].far for chain in chains}
        chains = [(*way, hop) for way in chains for hop in ways if hop.near == way[-1].far and hop.far not in seen]
    return None


@settings(max_examples=300, deadline=None)
@given(st.lists(HOPS, max_size=9, unique=True), st.text(NAMES, max_size=3), st.sampled_from(NAMES))
def test_it_is_the_one_that_going_every_way_finds(ways: list[Hop], starts: str, goal: str) -> None:
    """The shortest, then the one that multiplies and loses least; none if two are as good."""
    assert slowly(ways, starts, goal) == route(Ways(ways), starts, goal)


def test_a_table_that_all_lead_to_links_nothing() -> None:
    """That the same person created rows of two tables makes them belong together no more than the same day does."""
    ways = hops(company())
    found = routes(ways, ("footfall",), {hop.far for hop in ways})
    assert frozenset({"app_users"}) == ways.hubs
    assert ["shops", "shop_staffing"] == [hop.far for hop in found["shop_staffing"]]
    assert ["app_users"] == [hop.far for hop in found["app_users"]]
    assert not [name for name, chain in found.items() if "app_users" in {hop.far for hop in chain[:-1]}]
