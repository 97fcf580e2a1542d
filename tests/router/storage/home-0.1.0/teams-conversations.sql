BEGIN TRANSACTION;
CREATE TABLE conversations (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, reference TEXT NOT NULL
);
INSERT INTO "conversations" VALUES('19:general@thread.tacv2','t1','{"service_url": "https://smba.example.com/", "conversation": "19:general@thread.tacv2", "tenant": "t1", "channel": "msteams", "bot_id": "", "bot_name": "", "locale": "", "team": "19:team"}');
INSERT INTO "conversations" VALUES('a:ana','t1','{"service_url": "https://smba.example.com/", "conversation": "a:ana", "tenant": "t1", "channel": "msteams", "bot_id": "", "bot_name": "", "locale": "", "team": ""}');
CREATE TABLE dead (id TEXT PRIMARY KEY);
INSERT INTO "dead" VALUES('19:general@thread.tacv2;messageid=9');
CREATE TABLE people (
    tenant TEXT NOT NULL, id TEXT NOT NULL, conversation TEXT NOT NULL, personal INTEGER NOT NULL,
    PRIMARY KEY (tenant, id, personal)
);
INSERT INTO "people" VALUES('t1','teams:U1','19:general@thread.tacv2',0);
INSERT INTO "people" VALUES('t1','teams:U1','a:ana',1);
COMMIT;
