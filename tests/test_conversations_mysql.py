"""A whole talk on a real MariaDB, as golden text. `--update` writes it again: read it."""

from pathlib import Path

import pytest

from tests.support.golden_talk import FOLDER, Play, servers
from tests.support.mysql import MysqlDatabase
from tests.support.shop import SHOP
from tests.support.transcript import play, read, write

FILE = FOLDER / "servers/mariadb.txt"

BLOCKS = """[connections.shop]
id = 1
label = "Shop"
url = "{shop}"

[connections.depot]
id = 2
label = "Depot"
url = "{depot}"
write_url = "{write}"
writers = ["ana@example.com"]
"""


def test_a_whole_talk(tmp_path: Path, mysql: MysqlDatabase, request: pytest.FixtureRequest) -> None:
    """A question is asked, approved and run; its rows are written, compared and read again every day."""
    depot = f"{mysql.name}_depot"
    shop, _, _ = SHOP.partition("CREATE TABLE numbers")
    mysql.run(shop.replace("TEXT", "VARCHAR(40)").replace("NUMERIC", "DECIMAL(10, 2)"))
    mysql.run(f"CREATE SCHEMA {depot}")
    (tmp_path / "connections.toml").write_text(
        BLOCKS.format(
            shop=mysql.reader_url,
            depot=mysql.url(mysql.reader, "mariadb", depot),
            write=mysql.url(mysql.owner, "mariadb", depot),
        )
    )
    (tmp_path / "connections.toml").chmod(0o600)
    title, steps = read(FILE.read_text(encoding="utf-8"))
    with servers() as (server, post):
        player = Play(tmp_path, server, post)
        played = write(title, play(steps, player)).replace(depot, "depot").replace(mysql.name, "shop")
        player.talk.close()
    if request.config.getoption("--update"):
        FILE.write_text(played, encoding="utf-8")

    assert FILE.read_text(encoding="utf-8") == played
    assert server.left == ()
