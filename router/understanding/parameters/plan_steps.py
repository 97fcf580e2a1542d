"""The steps of a plan: of what kind a wish in words is, and the repetition that takes an e-mail along."""

from collections.abc import Iterable

from router.language.phrases import has_phrase
from router.memory.draft import Step, Wish
from router.understanding.categories import STEP_TO_CATEGORY, Category
from router.understanding.steps import chart_kind_in, step_of
from router.understanding.values.choices import find_form
from router.understanding.values.sentence import Sentence


def step_for(category: str, text: str) -> Step:
    """Return the step that a sentence of a category asks for, "ask" for none; of a file, its words tell the format."""
    if category != Category.EXPORT:
        return next((step for step, of in STEP_TO_CATEGORY.items() if of == category), "ask")
    sentence = Sentence(text)
    form = find_form(sentence)
    if form == "csv" or form == "xlsx":
        return form
    if any(not sentence.is_denied(*span) for span in sentence.spans("steps.picture")) or chart_kind_in(text):
        return "chart"
    step = None if has_phrase("denial.before", text) else step_of(text)
    return step.step if step and step.step in ("csv", "xlsx", "chart", "share") else "ask"


def plan_steps(wishes: Iterable[Wish]) -> tuple[Wish, ...]:
    """Return the steps of a plan; a repetition that is mailed is two of them."""
    found = list[Wish]()
    for wish in wishes:
        when, _, mail = wish.text.partition(", ")
        if wish.step == "repeat" and mail and (mailed := step_of(mail)) and mailed.step == "email":
            found += [Wish("repeat", when), Wish("email", mail)]
        else:
            found.append(wish)
    return tuple(found)


def joined(steps: Iterable[Wish]) -> tuple[Wish, ...]:
    """Return the steps with an e-mail within the repetition: each time that runs, it is mailed."""
    plan = list(steps)
    repeat = next((step for step in plan if step.step == "repeat"), None)
    mail = next((step for step in plan if step.step == "email"), None)
    if repeat and mail:
        plan[plan.index(repeat)] = Wish("repeat", f"{repeat.text}, {mail.text}")
        plan.remove(mail)
    return tuple(plan)
