"""The messages between the jobs API and a bot that uses it: the two are of one version, or say that they are not."""

from collections.abc import Mapping
from typing import Final, Literal

from router.jobs.job_entry import Kind

WIRE_VERSION: Final = 1
"""The version of all this; it goes up when one side would misunderstand the other."""

RESULT_PAGE_ROWS_MAX: Final = 1000
"""Rows of a result that one request gets at most."""

JobKindName = Literal["read", "write", "email", "match", "compare"]

JOB_KIND_NAMES: Final[Mapping[Kind, JobKindName]] = {
    "read_sql": "read",
    "write_data": "write",
    "send_email": "email",
    "match_sql": "match",
    "compare_sql": "compare",
}
"""Kinds of jobs as the API calls them."""
