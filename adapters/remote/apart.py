"""Waiting for an answer that may take long, without being bound to it."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Event, Thread
from typing import TypeVar

T = TypeVar("T")


def apart(act: Callable[[], T], woken: Event) -> Future[T]:
    """Do something in a thread of its own, and return once it is done or `woken` is set, whatever comes first.

    What is left behind goes on and is not heard of any more; it does not keep the process from ending.
    """
    found: Future[T] = Future()

    def run() -> None:
        try:
            found.set_result(act())
        except BaseException as error:
            found.set_exception(error)
        finally:
            woken.set()

    Thread(target=run, name="jobs api", daemon=True).start()
    woken.wait()
    return found
