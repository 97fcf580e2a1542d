"""Everything that does jobs in this process: the databases, the ledger, the rows that are kept."""

from dataclasses import dataclass

from router.catalog.catalog import Catalog
from router.catalog.connection import Connections
from router.jobs.access import Access, KeptResults
from router.jobs.audit import Audit
from router.jobs.mail.office import Office
from router.jobs.results import Results
from router.jobs.runner import Runner


@dataclass(frozen=True, slots=True)
class Workshop:
    """What the jobs API answers from, and what the bot uses where it does its jobs itself."""

    connections: Connections
    catalog: Catalog
    results: Results
    jobs: Runner
    audit: Audit
    access: Access
    office: Office | None = None
    """By which server e-mails are sent, and to whom; None where none are."""

    @property
    def kept(self) -> KeptResults:
        """The results, for those who may see them."""
        return KeptResults(self.results, self.access)
