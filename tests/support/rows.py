"""Many rows of one fact in one test: a test of its own for each would cost more than what it shows."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any


def check_rows(rows: Iterable[Any], fact: Callable[..., None], name: Callable[[Any], object] = ascii) -> None:
    """Call `fact` with each row, a tuple as several arguments; all that failed are told at once, each by its row."""
    failed = list[Exception]()
    count = 0
    for row in rows:
        count += 1
        try:
            fact(*row) if isinstance(row, tuple) else fact(row)
        except Exception as error:
            error.add_note(f"in the row: {name(row)!s:.500}")
            failed.append(error)
    assert count, "there is no row"
    if failed:
        raise ExceptionGroup(f"{len(failed)} of {count} rows", failed)


def every_row(
    names: str | tuple[str, ...], rows: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Parametrize like `pytest.mark.parametrize`, but as one test; the rows share its fixtures."""
    own = (names,) if isinstance(names, str) else names

    def decorated(fact: Callable[..., None]) -> Callable[..., None]:
        def test(**fixtures: Any) -> None:
            def holds(*row: Any) -> None:
                fact(**fixtures, **dict(zip(own, row, strict=True)))

            check_rows([row if len(own) > 1 else (row,) for row in rows], holds)

        signature = inspect.signature(fact)
        left = [parameter for name, parameter in signature.parameters.items() if name not in own]
        test.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        test.__name__, test.__qualname__, test.__doc__ = fact.__name__, fact.__qualname__, fact.__doc__
        test.__module__, test.__dict__["pytestmark"] = fact.__module__, list(getattr(fact, "pytestmark", ()))
        return test

    return decorated
