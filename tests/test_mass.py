"""No room grows unnoticed: the nodes of each room's syntax trees, docstrings aside, against `mass.toml`.

`python -m tests.test_mass > tests/mass.toml` writes the table with today's figures.
"""

import ast
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = Path(__file__).with_name("mass.toml")
HEAD_ROOM = 1.01
HEADER = "# Nodes of the syntax tree in each room, docstrings aside; `python -m tests.test_mass` prints this table."


def weigh_rooms() -> dict[str, int]:
    """Return the nodes of each folder below bot, adapters and router, and of the files beside these folders."""
    nodes = Counter[str]()
    for top in ("bot", "adapters", "router"):
        for path in (ROOT / top).rglob("*.py"):
            room = "/".join(path.relative_to(ROOT).parts[:-1][:2])
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                match node:
                    case ast.Load() | ast.Store() | ast.Del():
                        pass
                    case ast.Expr(ast.Constant(str())):
                        nodes[room] -= 1  # its text counts one, so that a docstring weighs nothing
                    case _:
                        nodes[room] += 1
    return dict(sorted(nodes.items()))


def test_no_room_grows() -> None:
    """Slim the room, or raise its row and say why in the commit."""
    allowed = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    grown = [
        f"{room} has {count:,} nodes, and its row in tests/mass.toml {allowed.get(room, 0):,}: "
        "slim it, or raise the row with the reason in the commit"
        for room, count in weigh_rooms().items()
        if count > allowed.get(room, 0) * HEAD_ROOM
    ]

    assert not grown, "\n".join(grown)


if __name__ == "__main__":
    print(HEADER, *(f'"{room}" = {count}' for room, count in weigh_rooms().items()), sep="\n")
