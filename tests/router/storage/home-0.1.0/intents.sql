BEGIN TRANSACTION;
CREATE TABLE choices (
    id TEXT PRIMARY KEY, text TEXT NOT NULL, offered TEXT NOT NULL, chosen TEXT NOT NULL, at TEXT NOT NULL,
    state TEXT NOT NULL
);
INSERT INTO "choices" VALUES('I-MCE92F97','put it over there','["ask_data", "refine_question"]','ask_data','2026-03-15T09:00:00+00:00','WAITING');
CREATE TABLE vectors (
    model TEXT NOT NULL, question TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, question)
);
INSERT INTO "vectors" VALUES('nomic','put it there',X'0000803F00000000');
COMMIT;
