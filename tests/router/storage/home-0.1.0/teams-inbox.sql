BEGIN TRANSACTION;
CREATE TABLE events (event TEXT PRIMARY KEY, team TEXT NOT NULL, heard TEXT, at REAL NOT NULL);
INSERT INTO "events" VALUES('e1','t1',NULL,1773565200.0);
INSERT INTO "events" VALUES('e2','t1','{"kind":"Said","heard":{"key":{"platform":"teams","team":"t1","channel":"C1","thread":"1.0"},"user":{"id":"teams:U1","name":"Ana","email":"ana@example.com","zone":""},"input":{"text":"how many?"},"event":"e2","addressed":true,"shared":true,"place":{"team":"t1","channel":"C1","thread":"1.0"}}}',1773565200.0);
CREATE INDEX events_left ON events (at) WHERE heard IS NOT NULL;
CREATE INDEX events_by_age ON events (at);
COMMIT;
