"""The colours of a chart's series: told apart by colour-blind eyes, and seen on white as on the page's dark ground."""

SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#c48200", "#3aa0da")
"""More series than these take the colours again, with another stroke."""
