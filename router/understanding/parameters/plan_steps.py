"""The steps of a plan by their kinds, and the wishes that are remembered of them."""

from collections.abc import Iterable
from typing import Final

from router.language.phrases import has_phrase
from router.memory.draft import Wish
from router.understanding.interpretation import STEP_TO_AGENT
from router.understanding.steps import Step, WishedStep, chart_kind_in, step_of
from router.understanding.values.choices import find_form
from router.understanding.values.sentence import Sentence

_EXPORT_AGENT: Final = STEP_TO_AGENT["csv"]
_AGENT_TO_STEP: Final = {agent: step for step, agent in STEP_TO_AGENT.items() if agent != _EXPORT_AGENT}


def kind_of(wish: Wish) -> Step:
    """Return the kind of a step; of an export, its words tell the format. What is no step is asked like a question."""
    if wish.agent_id != _EXPORT_AGENT:
        return _AGENT_TO_STEP.get(wish.agent_id, "ask")
    sentence = Sentence(wish.text)
    form = find_form(sentence)
    if form == "csv" or form == "xlsx":
        return form
    if any(not sentence.is_denied(*span) for span in sentence.spans("steps.picture")) or chart_kind_in(wish.text):
        return "chart"
    step = None if has_phrase("denial.before", wish.text) else step_of(wish.text)
    return step.step if step and step.step in ("csv", "xlsx", "chart", "share") else "ask"


def wish_of(step: WishedStep) -> Wish:
    """Return a step as it is remembered."""
    return Wish(STEP_TO_AGENT[step.step], step.text)


def plan_steps(wishes: Iterable[Wish]) -> tuple[WishedStep, ...]:
    """Return the steps of a plan; a repetition that is mailed is two of them."""
    found = list[WishedStep]()
    for wish in wishes:
        when, _, mail = wish.text.partition(", ")
        kind = kind_of(wish)
        if kind == "repeat" and mail and (mailed := step_of(mail)) and mailed.step == "email":
            found += [WishedStep("repeat", when), WishedStep("email", mail)]
        else:
            found.append(WishedStep(kind, wish.text))
    return tuple(found)


def joined(steps: Iterable[WishedStep]) -> tuple[Wish, ...]:
    """Return the steps as wishes, an e-mail within the repetition: each time that runs, it is mailed."""
    plan = list(steps)
    repeat = next((step for step in plan if step.step == "repeat"), None)
    mail = next((step for step in plan if step.step == "email"), None)
    if repeat and mail:
        plan[plan.index(repeat)] = WishedStep("repeat", f"{repeat.text}, {mail.text}")
        plan.remove(mail)
    return tuple(map(wish_of, plan))
