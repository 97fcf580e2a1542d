BEGIN TRANSACTION;
CREATE TABLE proposals (
    id TEXT PRIMARY KEY, connection TEXT NOT NULL, name TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL,
    by_id TEXT NOT NULL, by_name TEXT NOT NULL, by_email TEXT NOT NULL, at TEXT NOT NULL,
    state TEXT NOT NULL, decider TEXT NOT NULL DEFAULT ''
);
INSERT INTO "proposals" VALUES('G-1','shop','regular','','{"name": "regular", "meaning": "a customer with five orders", "synonyms": ["loyal"], "filter": ""}','test:bob','Bob','bob@example.com','2026-03-15T09:00:00+00:00','WAITING','Bob');
INSERT INTO "proposals" VALUES('G-2','shop','late','{"name": "late", "meaning": "after the day", "synonyms": [], "filter": ""}','','test:bob','Bob','bob@example.com','2026-03-15T09:00:00+00:00','SHOWN','');
CREATE INDEX proposals_by_state ON proposals (state, connection, at);
COMMIT;
