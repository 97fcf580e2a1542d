BEGIN TRANSACTION;
CREATE TABLE entries (
    number INTEGER PRIMARY KEY AUTOINCREMENT, thread TEXT NOT NULL,
    said TEXT, reply TEXT, turn INTEGER NOT NULL, answer TEXT
);
INSERT INTO "entries" VALUES(1,'abc','How many customers?',NULL,0,NULL);
INSERT INTO "entries" VALUES(2,'abc',NULL,'{"turn":1,"cards":[["Text",{"body":"Run this?","tone":"plain","connection":""}]],"sensitivity":""}',1,'Run');
INSERT INTO "entries" VALUES(3,'abc',NULL,'{"turn":2,"cards":[["Text",{"body":"Run that?","tone":"plain","connection":""}]],"sensitivity":""}',2,NULL);
CREATE TABLE threads (id TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL, used REAL NOT NULL);
INSERT INTO "threads" VALUES('abc','web:me','How many customers?',1773565200.0);
CREATE INDEX threads_by_owner ON threads (owner, used);
CREATE INDEX entries_by_thread ON entries (thread, number);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('entries',3);
COMMIT;
