BEGIN TRANSACTION;
CREATE TABLE drafts (
    id TEXT PRIMARY KEY, connection TEXT NOT NULL, schema TEXT NOT NULL, question TEXT NOT NULL, sql TEXT NOT NULL,
    at TEXT NOT NULL, replaces TEXT NOT NULL
);
INSERT INTO "drafts" VALUES('e6b2e47dcae4de9a','shop','main','Who buys?','SELECT 1','2026-03-15T09:00:00+00:00','SELECT 2');
CREATE TABLE examples (
    id TEXT PRIMARY KEY, connection TEXT NOT NULL, schema TEXT NOT NULL, question TEXT NOT NULL, sql TEXT NOT NULL,
    who TEXT NOT NULL, at TEXT NOT NULL, checked TEXT NOT NULL, problem TEXT NOT NULL
);
INSERT INTO "examples" VALUES('E-7IB524LT','shop','main','How many customers are there?','SELECT count(*) FROM customers','test:ana','2026-03-14T08:00:00+00:00','2026-03-14T08:00:01+00:00','');
INSERT INTO "examples" VALUES('E-XZDSKFM5','shop','main','Which customers are there?','SELECT name FROM customers','test:bob','2026-03-15T09:00:00+00:00','','');
CREATE TABLE vectors (
    model TEXT NOT NULL, question TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, question)
);
INSERT INTO "vectors" VALUES('nomic','How many customers are there?',X'9A99193FCDCC4C3F');
COMMIT;
PRAGMA user_version = 2;
