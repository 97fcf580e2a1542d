BEGIN TRANSACTION;
CREATE TABLE answers (
    result TEXT PRIMARY KEY, thread TEXT NOT NULL, asker TEXT NOT NULL, at TEXT NOT NULL,
    connection TEXT NOT NULL, question TEXT NOT NULL, sql TEXT NOT NULL, outcome TEXT NOT NULL,
    schema TEXT NOT NULL DEFAULT ''
);
INSERT INTO "answers" VALUES('bmiShehomnamP_rQsZmtyw5cOywiKjZe','test///1','test:ana','2026-03-15T09:00:00.000000+00:00','shop','','SELECT name FROM customers ORDER BY name','6 rows','main');
INSERT INTO "answers" VALUES('olderxxxxxxxxxxxxxxxxxxxx','test///2','test:ana','2026-03-15T09:00:00.000000+00:00','shop','How many orders are there?','SELECT count(*) FROM orders','1 row','main');
INSERT INTO "answers" VALUES('mf-mND_aI3MzFP4S0lY6XSi1MuhH00JI','test///1','test:ana','2026-03-15T09:00:00.000000+00:00','shop','','SELECT name FROM customers ORDER BY name','6 rows','main');
CREATE TABLE ratings (
    result TEXT NOT NULL, who TEXT NOT NULL, good INTEGER NOT NULL, at TEXT NOT NULL, PRIMARY KEY (result, who)
);
INSERT INTO "ratings" VALUES('bmiShehomnamP_rQsZmtyw5cOywiKjZe','test:ana',1,'2026-03-15T09:00:00.000000+00:00');
CREATE INDEX answers_by_thread ON answers (thread);
CREATE INDEX answers_by_asker ON answers (asker, at);
COMMIT;
