"""The box at the bottom that one types into."""

from collections.abc import Callable

from nicegui.element import Element
from nicegui.events import GenericEventArguments


class Composer(Element, component="composer.js"):
    """Calls `on_send` with the text; it is cleared only when that returns True, so that nothing typed is lost."""

    def __init__(self, placeholder: str, draft: str, on_send: Callable[[str], bool]) -> None:
        """`draft` is the name under which the browser keeps what is not sent yet."""
        super().__init__()
        self.props["placeholder"] = placeholder
        self.keep_as(draft)

        def send(event: GenericEventArguments) -> None:
            text = str(event.args)
            if on_send(text):
                self.run_method("taken", text)

        self.on("send", send)

    def keep_as(self, draft: str) -> None:
        """Have the browser keep under this name what it kept under another."""
        self.props["draft"] = f"icc-draft:{draft}"
