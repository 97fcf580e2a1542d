"""Sentences that change a comparison before it runs: its pairs, its key, its report, or what does not count."""

from dataclasses import replace

from router.memory.comparing import ComparedColumns, MatchedColumns
from router.stages.compare.sentences import plan_steps_of, steps_in
from router.stages.compare.tolerances import tolerances_of
from router.stages.tasks import comparing_of, set_comparing
from router.turn import Said, Turn
from router.understanding.parameters.comparing import ComparisonCorrection, comparison_correction


def changed(turn: Turn) -> bool:
    """Change the comparison as a typed sentence says, and tell whether it says something of it, or of its rows."""
    comparing, given = comparing_of(turn), turn.incoming.input
    found = comparing.columns
    if found is None or not isinstance(given, Said):
        return False
    text, wishes = steps_in(given.text)
    correction = comparison_correction(text, found.left, found.right)
    columns = with_corrections(found, correction)
    if columns is None or (text and not correction):
        return False
    tolerances = tolerances_of(correction.tolerances, comparing.tolerances)
    reporting = correction.report or comparing.reporting
    set_comparing(turn, replace(comparing, columns=columns, reporting=reporting, tolerances=tolerances))
    if why := plan_steps_of(turn, wishes):
        turn.note(why, "quiet")
    return bool(correction or wishes)


def with_corrections(found: ComparedColumns, correction: ComparisonCorrection) -> ComparedColumns | None:
    """Return the columns with other pairs and another key; None where a key is no pair, or no key would be left."""
    out = {found.left.index(name) for name in correction.pairs}
    if correction.only:
        keyed_now = {found.matched[place].left for place in found.keys}
        named_only = {found.left.index(name) for name in correction.only}
        out |= set(range(len(found.left))) - named_only - keyed_now
    into = {found.right.index(name) for name in correction.pairs.values() if name}
    kept = [each for each in found.matched if each.left not in out and each.right not in into]
    added = [
        MatchedColumns(found.left.index(source), found.right.index(target))
        for source, target in correction.pairs.items()
        if target
    ]
    matched = (*kept, *added)
    keyed_by = {found.matched[place].left for place in found.keys}
    keys = [each for each in matched if each.left in keyed_by]
    if correction.keys:
        named = [
            next((each for each in matched if name in (found.left[each.left], found.right[each.right])), None)
            for name in correction.keys
        ]
        keys = [each for each in named if each is not None]
        if len(keys) < len(named):
            return None
    places = tuple(matched.index(each) for each in keys)
    if correction.no_key:
        return replace(found, matched=matched, keys=(), why="chosen by you")
    if found.keys and not places:
        return None
    return replace(found, matched=matched, keys=places, why="chosen by you" if correction.keys else found.why)
