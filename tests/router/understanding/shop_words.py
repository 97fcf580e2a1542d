"""The words of a database that the messages of these tests are about."""

_TEXT = (
    "orders customers countries stores employees categories suppliers products campaigns payments"
    " shipments returns order items inventory support tickets gift cards name region city segment email"
    " phone joined newsletter price cost weight status channel date total amount quantity discount method"
    " carrier reason refund priority subject opened closed satisfaction job title salary hired left budget"
    " floor area lead time days department category revenue"
)

WORDS = frozenset(_TEXT.split())
"""Of tables and columns."""
