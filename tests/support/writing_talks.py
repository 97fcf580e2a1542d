"""Talks that write and e-mail, on whatever chat platform: each is played in a scene in which a bot is at work."""

from collections.abc import Callable
from threading import Thread

from router.stages.typed_names import NO_TABLE_NAME
from tests.support.writing_scene import MANY, SOME, Scene, until

REGIONS = "SELECT id, name FROM regions ORDER BY id"
NOT_APPROVED = "You can't approve what is written to Guarded"
NOT_YOURS = "Ana started this conversation"


def begun(scene: Scene, database: str, table: str, sql: str = REGIONS, mode: str = "append") -> None:
    """Run a query, and say in the form of Write where its rows go, up to the question whether to write them."""
    scene.ran(sql)
    assert {} == scene.fill_in("Write", database=database, table=table, mode=mode)


def emptied(scene: Scene, database: str = "Backup") -> None:
    """Go on up to the question whether the table `places` should be emptied."""
    begun(scene, database, "places", "SELECT name FROM regions ORDER BY id", "truncate")
    scene.shown("will be deleted")


def a_wrong_name_is_said_at_its_field(scene: Scene) -> None:
    """What cannot be a table's name is said at the table, and the form stays; the database is not at fault."""
    scene.ran(REGIONS)
    assert {"table": NO_TABLE_NAME} == scene.fill_in("Write", database="Backup", table="ok", mode="append")
    assert {} == scene.fill_in(database="Backup", table="hamlets", mode="append")
    scene.shown("The table is new.")
    assert "hamlets" not in scene.place.tables("backup")


def from_question_to_the_end(scene: Scene) -> None:
    """A question is asked, its rows are written into a new table, and the table is e-mailed."""
    scene.say("which regions are there?")
    scene.shown("Run on")
    scene.press("Run")
    scene.shown("CSV")
    assert {} == scene.fill_in("Write", database="Backup", table="areas", mode="append")
    scene.shown("The table is new.")
    scene.press("Write")
    scene.shown("✓ Created `main.areas` in Backup with 2 rows.")
    assert [("North",), ("South",)] == scene.place.rows("backup", "SELECT name FROM areas ORDER BY name")
    assert {} == scene.fill_in("Email", to="bob@example.com")  # the form below the rows is about the rows
    scene.shown("Send this e-mail?")
    scene.press("Cancel")
    scene.shown("Nothing was sent.")
    scene.say("email")
    scene.shown("E-mail this result")
    assert "" == scene.fill("bob@example.com, me", rows="the_table")
    scene.shown("Run on Backup")
    scene.press("Run")
    scene.shown("Send this e-mail?")
    scene.press("Send")
    scene.shown("✓ Sent to bob@example.com, ana@example.com.")
    ((to, content),) = scene.place.post.letters
    assert ["bob@example.com", "ana@example.com"] == to
    assert b"North" in content


def another_person_approves(scene: Scene) -> None:
    """Where the connection names an approver, its owner cannot write alone, others are told, and the approver can."""
    begun(scene, "Guarded", "districts")
    scene.shown("Waiting for")
    # The button is shown to the approver alone; words can be typed by anybody.
    scene.say("write")
    until(lambda: scene.count(NOT_APPROVED) or scene.count(NOT_APPROVED, "ana"))
    scene.say("write", "bob")
    scene.shown(NOT_YOURS, "bob")
    assert "districts" not in scene.place.tables("guarded")
    scene.press("Write", "carla")
    scene.shown("✓ Created")
    (job,) = scene.place.jobs("write_data")[-1:]
    assert job.request.approver != job.request.asker
    assert [(2,)] == scene.place.rows("guarded", "SELECT count(*) FROM districts")


def two_press_at_once(scene: Scene) -> None:
    """Of two presses at once, one writes and one is told; there is one job."""
    begun(scene, "Backup", "counties")
    scene.shown("The table is new.")
    before = len(scene.place.jobs("write_data"))
    presses = [Thread(target=scene.press, args=("Write",), kwargs={"wait": False}) for _ in range(2)]
    for press in presses:
        press.start()
    for press in presses:
        press.join()
    scene.shown("✓ Created")
    scene.settle()
    assert 1 == len(scene.place.jobs("write_data")) - before
    assert 1 == scene.count("✓ Created")
    assert [(2,)] == scene.place.rows("backup", "SELECT count(*) FROM counties")


def the_name_is_typed_to_delete(scene: Scene) -> None:
    """Rows are deleted once the table's name was typed into the form; a wrong one is said to be wrong there."""
    before = scene.place.rows("backup", "SELECT name FROM places")
    emptied(scene)
    wrong = scene.fill("towns")
    assert "To delete rows of it, type the table's name: places" in wrong
    assert before == scene.place.rows("backup", "SELECT name FROM places")
    assert "" == scene.fill("places")
    scene.shown("✓ Emptied")
    assert [("North",), ("South",)] == scene.place.rows("backup", "SELECT name FROM places ORDER BY name")


def words_to_others_write_nothing(scene: Scene) -> None:
    """A word that would approve, without the bot's name, writes nothing: neither the owner's nor anybody else's."""
    emptied(scene, "Guarded")
    jobs = len(scene.place.jobs("write_data"))
    for user in ("bob", "carla", "ana"):
        for word in ("yes", "write", "places"):
            scene.say(word, user, meant=False)
    if scene.hears:
        until(lambda: scene.count("a word alone runs nothing", "ana") == 3)
    told = scene.count(NOT_YOURS, "bob")
    for said, word in enumerate(("yes", "places"), 1):
        scene.say(word, "bob")
        until(lambda number=told + said: scene.count(NOT_YOURS, "bob") == number)
    scene.settle()
    assert jobs == len(scene.place.jobs("write_data"))
    assert [("Hall",)] == scene.place.rows("guarded", "SELECT name FROM places")
    scene.say("help", meant=not scene.hears)
    scene.shown("Nothing is written before that.")
    assert NOT_YOURS in (scene.fill("places", "bob") or scene.shown(NOT_YOURS, "bob"))
    assert "" == scene.fill("places", "carla")
    scene.shown("✓ Emptied")


def what_is_private_stays_so(scene: Scene) -> None:
    """Menus, the columns and the previews of a private result are seen by its owner alone."""
    scene.ran("SELECT name AS mystery FROM regions", alone="ana")
    scene.say("write")  # a typed word has no form
    scene.shown("Write to a table", "ana")
    scene.say("Backup")
    scene.shown("Tables: ", "ana")
    scene.say("places")
    scene.shown("Which column goes", "ana")
    scene.press("Cancel")
    scene.shown("Nothing was written.", "ana")
    assert {} == scene.fill_in("Email", to="bob@example.com")
    scene.shown("Send this e-mail?", "ana")
    scene.press("Send")
    scene.shown("✓ Sent to bob@example.com", "ana")
    seen = scene.ever()
    for words in ("Write to a table", "places", "Which column", "bob@example.com", "e-mail went", "North"):
        assert words not in seen, words


def stop_leaves_nothing(scene: Scene) -> None:
    """Stop, while very many rows are written, leaves none of them, and the person is told so."""
    begun(scene, "Backup", "slow", "SELECT n FROM many")
    scene.shown(f"Write {MANY:,} rows to")
    scene.press("Write")
    scene.shown("rows written…")
    scene.press("Stop")
    scene.shown("Nothing was written.")
    (job,) = scene.place.jobs("write_data")[-1:]
    assert "CANCELLED" == job.state
    assert [(0,)] == scene.place.rows("backup", "SELECT count(*) FROM slow")


TALKS: tuple[Callable[[Scene], None], ...] = (
    a_wrong_name_is_said_at_its_field,
    from_question_to_the_end,
    another_person_approves,
    two_press_at_once,
    the_name_is_typed_to_delete,
    words_to_others_write_nothing,
    stop_leaves_nothing,
)
"""Those that are held in a channel which all may read."""


def a_restart_while_rows_are_written(scene: Scene) -> None:
    """The job goes on with the next process, and the person gets one answer, in the thread."""
    with scene.at_work():
        begun(scene, "Backup", "slow", f"SELECT n FROM many WHERE n <= {SOME}")
        scene.shown(f"Write {SOME:,} rows to")
        scene.press("Write")
        scene.place.job("write_data", "RUNNING")
    assert "QUEUED" == scene.place.jobs("write_data")[-1].state
    assert [(0,)] == scene.place.rows("backup", "SELECT count(*) FROM slow")
    scene.place.hurry()
    with scene.at_work():
        scene.shown(f"✓ Added {SOME:,} rows to")
        scene.settle()
    done = scene.place.job("write_data", "DONE")
    assert (SOME, 2) == (done.rows, done.attempt)
    assert 1 == scene.count(f"✓ Added {SOME:,} rows to")
    assert [(SOME,)] == scene.place.rows("backup", "SELECT count(*) FROM slow")


def mailing(scene: Scene) -> None:
    """Go on up to an e-mail that is about to be sent."""
    scene.ran(REGIONS)
    assert {} == scene.fill_in("Email", to="bob@example.com")
    scene.shown("Send this e-mail?")


def a_restart_before_the_mail_server_has_it(scene: Scene) -> None:
    """An e-mail that the mail server was not handed yet is sent by the next process, once, and the person is told."""
    post = scene.place.post
    with scene.at_work():
        mailing(scene)
        post.waits = "RCPT"
        scene.press("Send")
        until(lambda: "RCPT" in post.steps)
    assert [] == post.letters
    post.waits = ""
    with scene.at_work():
        scene.shown("✓ Sent to bob@example.com")
        scene.settle()
    assert 1 == len(post.letters)
    assert 1 == scene.count("✓ Sent to")


def a_mail_server_that_dies_with_the_e_mail(scene: Scene) -> None:
    """Nobody knows whether it went out: the person is asked, and it is sent again when they say so, not before."""
    post = scene.place.post
    with scene.at_work():
        mailing(scene)
        post.be("END", "")
        scene.press("Send")
        scene.shown("may have gone out")
        assert 1 == len(post.letters)
    post.be("", "")
    with scene.at_work():
        assert "UNSURE" == scene.place.job("send_email", "UNSURE").state
        scene.press("Send again")
        scene.shown("✓ Sent to bob@example.com")
    ids = {
        line for _, content in post.letters for line in content.splitlines() if line.lower().startswith(b"message-id")
    }
    assert (2, 1) == (len(post.letters), len(ids))


RESTARTS = (
    a_restart_while_rows_are_written,
    a_restart_before_the_mail_server_has_it,
    a_mail_server_that_dies_with_the_e_mail,
)
"""Those in which bots come and go."""
