"""How the names of what can be pressed begin; which question it belongs to, `adapters.asked` tells."""

PRESS, CHOOSE, TAKE, FORM, STOP, FEEDBACK = "press", "choose", "take", "form", "stop", "feedback"
REPEAT = "repeat"
"""How an action_id begins: a button, a menu, the button beside a menu of several, a button that opens a modal, Stop,
the thumbs, and a button of the Home tab that stops or resumes what is repeated. A number follows where there may be
several in one message."""
