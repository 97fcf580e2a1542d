"""What the jobs API and a bot that uses it tell one another: the two are of one version, or say that they are not."""

from typing import Final

WIRE: Final = 1
"""The version of all this; it goes up when one side would misunderstand the other."""
