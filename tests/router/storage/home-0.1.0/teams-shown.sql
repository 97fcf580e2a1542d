BEGIN TRANSACTION;
CREATE TABLE decided (
    channel TEXT NOT NULL, message TEXT NOT NULL, team TEXT NOT NULL, decision TEXT NOT NULL,
    PRIMARY KEY (channel, message)
);
INSERT INTO "decided" VALUES('C1','m1','t1','{"label":"Run","by":{"id":"teams:U1","name":"Ana","email":"ana@example.com","zone":""},"at":"2026-03-15T09:00:00Z"}');
CREATE TABLE progress (
    channel TEXT NOT NULL, message TEXT NOT NULL, team TEXT NOT NULL, thread TEXT NOT NULL,
    PRIMARY KEY (channel, message)
);
INSERT INTO "progress" VALUES('C1','m3','t1','teams/t1/C1/1.0');
CREATE TABLE shown (
    channel TEXT NOT NULL, message TEXT NOT NULL, team TEXT NOT NULL, thread TEXT NOT NULL, turn INTEGER NOT NULL,
    reply TEXT NOT NULL, answered INTEGER NOT NULL DEFAULT 0, at REAL NOT NULL, PRIMARY KEY (channel, message)
);
INSERT INTO "shown" VALUES('C1','m1','t1','teams/t1/C1/1.0',3,'{"turn":3,"cards":[["Text",{"body":"Run this?","tone":"plain","connection":""}],["Buttons",{"prompt":"Run it?","options":[{"answer":"yes","label":"Run","style":"plain","aside":false},{"answer":"no","label":"Leave","style":"plain","aside":false}],"lasting":false}]],"sensitivity":""}',1,1773565200.0);
INSERT INTO "shown" VALUES('C1','m2','t1','teams/t1/C1/1.0',4,'{"turn":4,"cards":[["Text",{"body":"Run that?","tone":"plain","connection":""}],["Buttons",{"prompt":"Run it?","options":[{"answer":"yes","label":"Run","style":"plain","aside":false}],"lasting":false}]],"sensitivity":""}',0,1773565200.0);
CREATE TABLE welcomed (team TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (team, person));
INSERT INTO "welcomed" VALUES('t1','teams:U1');
CREATE INDEX shown_by_thread ON shown (thread, turn);
COMMIT;
