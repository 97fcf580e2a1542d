"""The merge of two ordered streams: by a key, or by whole rows where there is none."""

from collections.abc import Callable

from router.sql.comparing.difference import Row
from router.sql.comparing.duplicates import Duplicates
from router.sql.comparing.keys import Key
from router.sql.comparing.leftovers import Leftovers
from router.sql.comparing.stream import Stream
from router.sql.comparing.tally import Tally

_AT_ONCE = 100


def merge_by_key(left: Stream, right: Stream, tally: Tally) -> None:
    """Pair rows whose key is there once on both sides, and equal ones of the others; count the rest for what it is."""
    duplicates = Duplicates(tally)
    while left.fill() and right.fill():
        if not _run(left, right, tally, tally.pair):
            _odd(left, right, tally, duplicates)
    for stream in (left, right):
        while stream.fill():
            _odd(left, right, tally, duplicates)


def merge_whole(left: Stream, right: Stream, tally: Tally, leftovers: Leftovers) -> None:
    """Pair equal rows one to one, and hand on what is left of either side."""
    while left.fill() or right.fill():
        if left.fill() and right.fill() and _run(left, right, tally, tally.identical):
            continue
        key = _lowest(left, right)
        mine, others = left.same(key), right.same(key)
        first, second = next(mine, None), next(others, None)
        while first is not None and second is not None:
            tally.identical(first, second)
            first, second = next(mine, None), next(others, None)
        while first is not None:
            leftovers.add("left", first, key)
            first = next(mine, None)
        while second is not None:
            leftovers.add("right", second, key)
            second = next(others, None)
    leftovers.finish()


def _run(left: Stream, right: Stream, tally: Tally, met: Callable[[Row, Row], None]) -> int:
    """Pair rows as long as both sides have the same key, once; return how many. Most rows never leave this loop."""
    start, most = left.at, min(len(left.rows) - left.at, len(right.rows) - right.at)
    quiet = tally.quiet
    done = 0
    while done < most:
        if quiet and (step := _equal(left, right, most - done)):
            tally.counts["identical"] += step
        elif (step := _paired(left, right, min(_AT_ONCE, most - done), tally, met)) == 0:
            break
        done += step
    return left.at - start


def _equal(left: Stream, right: Stream, most: int) -> int:
    """Pass over the next rows if they are equal, all at once, which costs next to nothing; return how many."""
    size = min(_AT_ONCE, most)
    here, there = slice(left.at, left.at + size), slice(right.at, right.at + size)
    if left.rows[here] != right.rows[there] or any(left.twice[here]) or any(right.twice[there]):
        return 0
    left.at += size
    right.at += size
    return size


def _paired(left: Stream, right: Stream, most: int, tally: Tally, met: Callable[[Row, Row], None]) -> int:
    """Pair the next rows one by one; return how many there were before the sides part."""
    end, offset = left.at + most, right.at - left.at
    lefts, rights, quiet, identical = left.rows, right.rows, tally.quiet, 0
    left_keys, right_keys, left_twice, right_twice = left.keys, right.keys, left.twice, right.twice
    begun = place = left.at
    while place < end:
        other = place + offset
        if left_keys[place] != right_keys[other] or left_twice[place] or right_twice[other]:
            break
        if quiet and lefts[place] == rights[other]:
            identical += 1
        else:
            met(lefts[place], rights[other])
        place += 1
    tally.counts["identical"] += identical
    left.at, right.at = place, place + offset
    return place - begun


def _odd(left: Stream, right: Stream, tally: Tally, duplicates: Duplicates) -> None:
    """Count the rows of the lowest key, which one side does not have, or one has more than once."""
    key = _lowest(left, right)
    mine = left.fill() and left.keys[left.at] == key
    others = right.fill() and right.keys[right.at] == key
    if (mine and left.twice[left.at]) or (others and right.twice[right.at]):
        tally.duplicates += 1
        duplicates.pair(left.same(key), right.same(key))
        return
    for row in left.same(key):
        tally.left(row)
    for row in right.same(key):
        tally.right(row)


def _lowest(left: Stream, right: Stream) -> Key:
    """Return the lower key of the two that are next; at least one side has a row."""
    if not left.fill():
        right.fill()
        return right.keys[right.at]
    if not right.fill():
        return left.keys[left.at]
    return min(left.keys[left.at], right.keys[right.at])
