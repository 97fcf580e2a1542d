"""A stand-in for an OpenTelemetry collector: takes traces by OTLP over HTTP, and refuses what is no such thing."""

import gzip
from dataclasses import dataclass, field

from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.platforms.loopback import Loopback

PROTOBUF = "application/x-protobuf"


@dataclass(frozen=True)
class Taken:
    """A span as it came, with its numbers in hexadecimal digits; `parent` is empty for the first one of a trace."""

    name: str
    trace: str
    id: str
    parent: str
    begun: int
    ended: int
    failed: bool
    attributes: dict[str, str | int | float | bool]


@dataclass(repr=False)
class Collector(Loopback):
    """The server; it keeps every span, and all bytes as they came, unzipped."""

    port: int = 0
    faults: list[str] = field(default_factory=list)
    spans: list[Taken] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    resource: dict[str, str | int | float | bool] = field(default_factory=dict)
    headers: list[dict[str, str]] = field(default_factory=list)

    def _application(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/v1/traces", self._take)
        return app

    def _seen(self) -> str:
        return f"{len(self.spans)} spans came"

    async def _take(self, request: web.Request) -> web.Response:
        if request.content_type != PROTOBUF:
            return web.Response(status=415)
        body = await request.read()
        body = gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
        told = ExportTraceServiceRequest.FromString(body)
        with self.lock:
            self.bodies.append(body)
            self.headers.append(dict(request.headers))
            for resource in told.resource_spans:
                self.resource = {each.key: each.value.string_value for each in resource.resource.attributes}
                self.spans += [_taken(span) for scope in resource.scope_spans for span in scope.spans]
        self.changed()
        return web.Response(body=ExportTraceServiceResponse().SerializeToString(), content_type=PROTOBUF)

    def named(self, name: str) -> list[Taken]:
        """Return the spans whose names begin so, in the order in which they began."""
        with self.lock:
            return sorted((span for span in self.spans if span.name.startswith(name)), key=lambda span: span.begun)


def _taken(span: Span) -> Taken:
    return Taken(
        span.name,
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        span.start_time_unix_nano,
        span.end_time_unix_nano,
        span.status.code == span.status.STATUS_CODE_ERROR,
        {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in span.attributes},
    )
