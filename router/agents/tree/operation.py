"""What is done with the results of the parts of a question."""

from typing import Literal

Operation = Literal["beside", "ratio", "difference"]
"""Shown beside one another, the first divided by the second, or the second taken away from the first."""
