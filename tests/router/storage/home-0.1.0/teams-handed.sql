BEGIN TRANSACTION;
CREATE TABLE handed (
    channel TEXT NOT NULL, message TEXT NOT NULL, shown_channel TEXT NOT NULL, shown TEXT NOT NULL,
    PRIMARY KEY (channel, message)
);
INSERT INTO "handed" VALUES('a:ana','5','a:ana','6');
COMMIT;
