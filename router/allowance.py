"""Whether what was approved once may still be done: asked anew for each run."""

from router.errors import NotAllowed
from router.jobs.audit import Entry
from router.jobs.schedule import Schedule
from router.memory import User
from router.policy import demand_read
from router.repeats import demand_still_approved, only_for_owner
from router.sql.guard import check
from router.turn import Tools


def demand_allowed(schedule: Schedule, tools: Tools, owner: User) -> None:
    """Do nothing if all that a run does may be done today; raises NotAllowed."""
    plan = schedule.plan
    connection = tools.connections.demand(plan.connection)
    demand_read(owner, connection)
    private = not plan.shared or only_for_owner(plan, tools.connections)
    if not private and not tools.connections.channels.allow(plan.talk):
        raise NotAllowed(
            "I do not answer in its channel any more; whoever runs this bot decides where. Nothing was run."
        )
    demand_still_approved(plan, owner, connection)
    if plan.to == "email":
        if tools.office is None:
            raise NotAllowed("I have no mail server any more. Nothing was run.")
        if problem := tools.office.problem(plan.recipients):
            raise NotAllowed(problem)
    scope = tools.catalog.schema(plan.connection, plan.schema).scope
    verdict = check(plan.sql, connection.dialect.name, scope)
    if not verdict.allowed or verdict.sql != plan.sql:
        why = verdict.reason or "The SQL would be another one today."
        who = (plan.thread, plan.owner.id, plan.approver.id, plan.connection)
        tools.audit.add(Entry("refused", *who, sql=plan.sql, error=why, target=schedule.id))
        raise NotAllowed(f"{why} Nothing was run.")
