"""The jobs, which touch the world: reading, writing, mailing and comparing rows; results, the ledger and the queue."""
