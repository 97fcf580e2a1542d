"""Traces for OpenTelemetry: sent by OTLP over HTTP, if the environment names a collector."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from threading import Timer
from typing import TYPE_CHECKING, Final

from bot.settings.environment import Settings
from router.errors import PutOff, SettingsError, Stopped
from router.observing.spans import Attribute, Span, Tracer, traced_by
from router.observing.talk import go_on, present_work

if TYPE_CHECKING:
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
TRACES_ENDPOINT: Final = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
FLUSH_SECONDS: Final = 3.0
PREFIX: Final = "icc_bot."
MISSING: Final = f"{ENDPOINT} is set, and traces need further packages: pip install 'icc-bot[otel]'."


@contextmanager
def send_traces(settings: Settings) -> Iterator[None]:
    """Send traces until the end of the block, if the environment says whereto; raises SettingsError."""
    if not _is_wanted(settings):
        yield
        return
    provider, exporter = _provider(settings)
    # The last spans are sent before the process ends, which a collector that is away does not hold up for long.
    giving_up = Timer(FLUSH_SECONDS, exporter.shutdown)
    giving_up.daemon = True
    try:
        with traced_by(_tracer(provider)):
            yield
    finally:
        giving_up.start()
        provider.shutdown()
        giving_up.cancel()


def _is_wanted(settings: Settings) -> bool:
    """Return whether a collector is named, and nothing switches the traces off."""
    named = settings.collector or os.environ.get(TRACES_ENDPOINT)
    off = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or os.environ.get("OTEL_TRACES_EXPORTER") == "none"
    return bool(named) and not off


def _provider(settings: Settings) -> "tuple[TracerProvider, OTLPSpanExporter]":
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
    except ImportError:
        raise SettingsError([MISSING]) from None

    class LoggedTraces(RandomIdGenerator):
        """Gives a trace the id that the log has for it."""

        def generate_trace_id(self) -> int:
            logged = present_work().trace
            return int(logged, 16) if logged else super().generate_trace_id()

    named = {"service.version": version("icc-bot")}
    if "OTEL_SERVICE_NAME" not in os.environ and "service.name" not in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", ""):
        named["service.name"] = "icc-bot"
    provider = TracerProvider(resource=Resource.create(named), id_generator=LoggedTraces())
    # OpenTelemetry reads the environment, and no .env.
    url = "" if os.environ.get(TRACES_ENDPOINT) else f"{settings.collector.rstrip('/')}/v1/traces"
    exporter = OTLPSpanExporter(endpoint=url or None)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider, exporter


class _Seen:
    """A span that is recorded."""

    def __init__(self, made: "trace.Span") -> None:
        self._made = made

    def note(self, **attributes: Attribute) -> None:
        self._made.set_attributes(_named(attributes))


def _tracer(provider: "TracerProvider") -> Tracer:
    from opentelemetry import trace
    from opentelemetry.context import Context

    tracer = provider.get_tracer("icc-bot")

    @contextmanager
    def span(name: str, detail: str, attributes: Mapping[str, Attribute]) -> Iterator[Span]:
        here = present_work()
        within = here.span if isinstance(here.span, trace.Span) else None
        around = trace.set_span_in_context(within) if within else Context()
        made = tracer.start_span(f"{name} {detail}".rstrip(), around, attributes=_named(attributes))
        if within is None and here.thread:
            made.set_attribute(f"{PREFIX}talk", hashlib.sha256(here.thread.encode()).hexdigest()[:16])
        try:
            with go_on(replace(here, span=made)):
                yield _Seen(made)
        except Exception as error:
            # Only its name: the words of an error may quote SQL or rows.
            made.set_attribute("error.type", type(error).__name__)
            if not isinstance(error, Stopped | PutOff):
                made.set_status(trace.StatusCode.ERROR)
            raise
        finally:
            made.end()

    return span


def _named(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    return {PREFIX + name.rstrip("_"): value for name, value in attributes.items()}
