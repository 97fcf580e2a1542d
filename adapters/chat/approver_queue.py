"""Has approvers told by any worker of the bot: a task for a talk, begun again where whoever did it died."""

from typing import TYPE_CHECKING

from adapters.chat.approvers import Approvers
from adapters.chat.statuses import Spawn
from router.memory.thread import ThreadKey, key_from
from router.storage.database import Database

if TYPE_CHECKING:  # it brings Procrastinate, which those need who share the work
    from adapters.task_queue import Task, TaskQueue


class ApproverQueue:
    """The talks of a platform in which approvers have to be told of something."""

    def __init__(self, database: Database, tasks: "TaskQueue", approvers: Approvers, spawn: Spawn) -> None:
        """Have `spawn` do what is begun here, so that the end of the process waits for it."""
        self._database, self._tasks, self._approvers, self._spawn = database, tasks, approvers, spawn
        self._name = f"tell approvers on {approvers.platform}"
        approvers.others = self
        tasks.handle(self._name, self._tell)

    def put(self, key: ThreadKey) -> None:
        """Have the approvers of a talk told; one task that is not begun yet is enough."""
        given = {"approvers of": str(key)}
        with self._database.writing() as connection:
            if not self._tasks.waits(connection, given, begun=False):
                queue, lock = self._approvers.platform, f"approvers {key}"
                self._tasks.defer(connection, self._name, given, queue=queue, lock=lock)

    async def _tell(self, task: "Task") -> bool:
        key = key_from(task.given["approvers of"])
        await self._spawn(self._approvers.tell_now(key, again=task.again))
        return True
