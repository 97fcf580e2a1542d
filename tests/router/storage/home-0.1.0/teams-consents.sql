BEGIN TRANSACTION;
CREATE TABLE consents (
    token TEXT PRIMARY KEY, path TEXT NOT NULL, name TEXT NOT NULL, person TEXT NOT NULL, conversation TEXT NOT NULL,
    connection TEXT NOT NULL, message TEXT NOT NULL DEFAULT '', about TEXT NOT NULL, at REAL NOT NULL,
    state TEXT NOT NULL, upload TEXT NOT NULL DEFAULT '', UNIQUE (about, path)
);
INSERT INTO "consents" VALUES('DnOCTtMyZdNCwyZMT4SZuiIzurO1MUcqVPXFjPE3qN0','HOME/teams-offered/e3b0c44298fc1c149afbf4c8996fb924-e004ebd5b5532a4b85984a62f8ad48a81aa3460c1ca07701f386135d72cdecf5','query.sql','teams:U1','a:ana','shop','18','a:ana 17',1773565200.0,'offered','');
COMMIT;
