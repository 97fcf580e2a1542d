BEGIN TRANSACTION;
CREATE TABLE slack_bots (
	id INTEGER NOT NULL, 
	client_id VARCHAR(32) NOT NULL, 
	app_id VARCHAR(32) NOT NULL, 
	enterprise_id VARCHAR(32), 
	enterprise_name VARCHAR(200), 
	team_id VARCHAR(32), 
	team_name VARCHAR(200), 
	bot_token TEXT, 
	bot_id VARCHAR(32), 
	bot_user_id VARCHAR(32), 
	bot_scopes VARCHAR(1000), 
	bot_refresh_token TEXT, 
	bot_token_expires_at DATETIME, 
	is_enterprise_install BOOLEAN NOT NULL, 
	installed_at DATETIME NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "slack_bots" VALUES(1,'111.222','A1',NULL,NULL,'T1',NULL,'gAAAAABrA8qKN3-E2fbVCoHYHcwp3BAdscr_-XP2TUnJvoCtGrOYUEPnyzSHdmXtX4nTuEfkDiboYoXOIkNzyyRaM1ve36-Z_g==','B1','UBOT',NULL,NULL,NULL,0,'2023-11-14 22:13:20.000000');
CREATE TABLE slack_installations (
	id INTEGER NOT NULL, 
	client_id VARCHAR(32) NOT NULL, 
	app_id VARCHAR(32) NOT NULL, 
	enterprise_id VARCHAR(32), 
	enterprise_name VARCHAR(200), 
	enterprise_url VARCHAR(200), 
	team_id VARCHAR(32), 
	team_name VARCHAR(200), 
	bot_token TEXT, 
	bot_id VARCHAR(32), 
	bot_user_id VARCHAR(32), 
	bot_scopes VARCHAR(1000), 
	bot_refresh_token TEXT, 
	bot_token_expires_at DATETIME, 
	user_id VARCHAR(32) NOT NULL, 
	user_token TEXT, 
	user_scopes VARCHAR(1000), 
	user_refresh_token TEXT, 
	user_token_expires_at DATETIME, 
	incoming_webhook_url TEXT, 
	incoming_webhook_channel VARCHAR(200), 
	incoming_webhook_channel_id VARCHAR(200), 
	incoming_webhook_configuration_url TEXT, 
	is_enterprise_install BOOLEAN NOT NULL, 
	token_type VARCHAR(32), 
	installed_at DATETIME NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "slack_installations" VALUES(1,'111.222','A1',NULL,NULL,NULL,'T1',NULL,'gAAAAABrA8qKB00o9qoYs30M30cqDWlw0frJ53oUAFReDT051O-yoaIQHZ3sr8Yw8XySpZUgvnbERkt0FPn-lRPArND6u0bsdg==','B1','UBOT',NULL,NULL,NULL,'U1',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,'2023-11-14 22:13:20.000000');
CREATE TABLE slack_oauth_states (
	id INTEGER NOT NULL, 
	state VARCHAR(200) NOT NULL, 
	expire_at DATETIME NOT NULL, 
	PRIMARY KEY (id)
);
CREATE INDEX slack_bots_idx ON slack_bots (client_id, enterprise_id, team_id, installed_at);
CREATE INDEX slack_installations_idx ON slack_installations (client_id, enterprise_id, team_id, user_id, installed_at);
COMMIT;
