BEGIN TRANSACTION;
CREATE TABLE jobs (
	id TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	payload JSON NOT NULL, 
	version INTEGER NOT NULL, 
	lane TEXT NOT NULL, 
	name TEXT NOT NULL, 
	asker TEXT NOT NULL, 
	approver TEXT NOT NULL, 
	connection TEXT NOT NULL, 
	thread TEXT NOT NULL, 
	state TEXT NOT NULL, 
	attempt INTEGER NOT NULL, 
	rows INTEGER NOT NULL, 
	created FLOAT NOT NULL, 
	started FLOAT, 
	ended FLOAT, 
	error TEXT NOT NULL, 
	outcome JSON NOT NULL, 
	ending TEXT NOT NULL, 
	holder TEXT NOT NULL, 
	seen FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE ("key")
);
INSERT INTO "jobs" VALUES('R-1','test///1 1 2026-03-15T09:00:00+00:00','read_sql','{"schema": "main", "dialect": "sqlite", "sql": "SELECT name FROM customers ORDER BY name", "approval": "64def496a1b0bbfed082899422e50fce26b13e5a4fe1f4fb92428e13f7500014"}',1,'person test:ana on shop
shop (file)','','test:ana','test:ana','shop','test///1','DONE',1,6,1773565200.0,1773565200.0,1773565200.0,'','{"result": {"id": "bmiShehomnamP_rQsZmtyw5cOywiKjZe", "columns": [{"name": "name", "kind": "text"}], "total": 6, "capped": false, "seconds": 0.0010406979999970645, "full": 0, "shortened": 0}}','','',0.0);
INSERT INTO "jobs" VALUES('S-2','k1','send_email','{"recipients": ["a@example.com"], "subject": "Hi"}',1,'mail','Hi','test:ana','test:ana','shop','test///1','RUNNING',1,0,1773565200.0,1773565200.0,NULL,'','{}','','0123456789abcdef',1773565200.0);
INSERT INTO "jobs" VALUES('R-3','test///1 4 2026-03-15T09:00:00+00:00','read_sql','{"schema": "main", "dialect": "sqlite", "sql": "SELECT name FROM customers ORDER BY name", "approval": "64def496a1b0bbfed082899422e50fce26b13e5a4fe1f4fb92428e13f7500014"}',1,'person test:ana on shop
shop (file)','','test:ana','test:ana','shop','test///1','DONE',1,6,1773565200.0,1773565200.0,1773565200.0,'','{"result": {"id": "mf-mND_aI3MzFP4S0lY6XSi1MuhH00JI", "columns": [{"name": "name", "kind": "text"}], "total": 6, "capped": false, "seconds": 0.00452700999994704, "full": 0, "shortened": 0}}','','',0.0);
CREATE TABLE schedules (
	id TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	owner TEXT NOT NULL, 
	platform TEXT NOT NULL, 
	thread TEXT NOT NULL, 
	"plan" JSON NOT NULL, 
	version INTEGER NOT NULL, 
	standing TEXT NOT NULL, 
	created FLOAT NOT NULL, 
	due FLOAT NOT NULL, 
	failures INTEGER NOT NULL, 
	digest TEXT NOT NULL, 
	shown FLOAT, 
	ran FLOAT, 
	outcome TEXT NOT NULL, 
	phase TEXT NOT NULL, 
	result TEXT NOT NULL, 
	holder TEXT NOT NULL, 
	seen FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE ("key")
);
INSERT INTO "schedules" VALUES('T-1','test///1 6','test:ana','test','test///1','{"key": "test///1 6", "owner": {"id": "test:ana", "name": "Ana", "email": "ana@example.com", "zone": ""}, "approver": {"id": "test:ana", "name": "Ana", "email": "ana@example.com", "zone": ""}, "thread": "test///1", "shared": false, "connection": "shop", "schema": "main", "sql": "SELECT name FROM customers ORDER BY name", "question": "", "cron": "0 8 * * 1", "zone": "UTC", "to": "thread", "condition": "always", "recipients": [], "form": "table", "digest": "", "title": "Shows name of customers, sorted by name."}',1,'RUNS',1773565200.0,1773648000.0,0,'',NULL,NULL,'','','','',0.0);
CREATE INDEX jobs_by_end ON jobs (ended);
CREATE INDEX jobs_by_asker ON jobs (asker, created);
CREATE INDEX jobs_by_state ON jobs (state);
CREATE INDEX jobs_by_thread ON jobs (thread);
CREATE INDEX jobs_by_result ON jobs (json_extract(outcome, '$.result.id'));
CREATE INDEX schedules_by_thread ON schedules (thread);
CREATE INDEX schedules_by_due ON schedules (platform, standing, due);
CREATE INDEX schedules_by_owner ON schedules (owner);
COMMIT;
