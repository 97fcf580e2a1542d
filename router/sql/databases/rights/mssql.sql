-- The excess rights of a user of SQL Server, by views that every user may read; these follow the manuals.

-- about: server roles
-- says: is a member of the server roles {names}
-- grave
SELECT name, 'ALTER SERVER ROLE ' + QUOTENAME(name) + ' DROP MEMBER ' + QUOTENAME(SUSER_SNAME()) + ';'
FROM sys.server_principals
WHERE type = 'R' AND name <> 'public' AND IS_SRVROLEMEMBER(name) = 1
ORDER BY name;

-- about: server permissions
-- says: has rights on the whole server: {names}
-- grave
SELECT p.permission_name, 'USE master; REVOKE ' + p.permission_name + ' FROM ' + QUOTENAME(g.name) + ';'
FROM sys.server_permissions AS p
JOIN sys.server_principals AS g ON g.principal_id = p.grantee_principal_id
WHERE p.class = 100 AND p.state IN ('G', 'W') AND (g.sid = SUSER_SID() OR (g.type = 'R' AND IS_SRVROLEMEMBER(g.name) =
    1)) AND p.permission_name NOT IN ('CONNECT SQL', 'VIEW ANY DATABASE')
ORDER BY p.permission_name;

-- about: database roles
-- says: is a member of the roles {names}
-- grave
SELECT name, 'ALTER ROLE ' + QUOTENAME(name) + ' DROP MEMBER ' + QUOTENAME(USER_NAME()) + ';'
FROM sys.database_principals
WHERE type = 'R' AND is_fixed_role = 1 AND IS_ROLEMEMBER(name) = 1 AND name NOT IN ('db_datareader',
    'db_denydatawriter', 'db_denydatareader')
ORDER BY name;

-- about: database permissions
-- says: has rights on the database: {names}
-- grave
SELECT p.permission_name, 'REVOKE ' + p.permission_name + ' FROM ' + QUOTENAME(g.name) + ';'
FROM sys.database_permissions AS p
JOIN sys.database_principals AS g ON g.principal_id = p.grantee_principal_id
WHERE p.class = 0 AND p.state IN ('G', 'W') AND (g.principal_id = DATABASE_PRINCIPAL_ID() OR (g.type = 'R' AND
    IS_ROLEMEMBER(g.name) = 1)) AND p.permission_name NOT IN ('CONNECT', 'SELECT',
    'VIEW ANY COLUMN ENCRYPTION KEY DEFINITION', 'VIEW ANY COLUMN MASTER KEY DEFINITION')
ORDER BY p.permission_name;

-- about: permissions on schemas
-- says: has rights on schemas: {names}
-- grave
SELECT p.permission_name + ' on ' + s.name, 'REVOKE ' + p.permission_name + ' ON SCHEMA::' + QUOTENAME(s.name) +
    ' FROM ' + QUOTENAME(g.name) + ';'
FROM sys.database_permissions AS p
JOIN sys.database_principals AS g ON g.principal_id = p.grantee_principal_id
JOIN sys.schemas AS s ON s.schema_id = p.major_id
WHERE p.class = 3 AND p.state IN ('G', 'W') AND (g.principal_id = DATABASE_PRINCIPAL_ID() OR (g.type = 'R' AND
    IS_ROLEMEMBER(g.name) = 1)) AND p.permission_name NOT IN ('SELECT', 'VIEW DEFINITION')
ORDER BY 1;

-- about: permissions on objects
-- says: may change or run {names}
-- grave
SELECT p.permission_name + ' on ' + o.name, 'REVOKE ' + p.permission_name + ' ON OBJECT::' +
    QUOTENAME(SCHEMA_NAME(o.schema_id)) + '.' + QUOTENAME(o.name) + ' FROM ' + QUOTENAME(g.name) + ';'
FROM sys.database_permissions AS p
JOIN sys.database_principals AS g ON g.principal_id = p.grantee_principal_id
JOIN sys.objects AS o ON o.object_id = p.major_id
WHERE p.class = 1 AND p.state IN ('G', 'W') AND (g.principal_id = DATABASE_PRINCIPAL_ID() OR (g.type = 'R' AND
    IS_ROLEMEMBER(g.name) = 1)) AND o.is_ms_shipped = 0 AND p.permission_name NOT IN ('SELECT', 'VIEW DEFINITION')
ORDER BY 1;

-- about: own schemas
-- says: owns the schemas {names}; an owner can do anything in them
-- grave
SELECT s.name, 'ALTER AUTHORIZATION ON SCHEMA::' + QUOTENAME(s.name) + ' TO dbo;'
FROM sys.schemas AS s JOIN sys.database_principals AS g ON g.principal_id = s.principal_id
WHERE g.is_fixed_role = 0 AND (g.principal_id = DATABASE_PRINCIPAL_ID() OR (g.type = 'R' AND IS_ROLEMEMBER(g.name) = 1))
ORDER BY s.name;

-- about: the command shell
-- says: may run programs of the server: {names}
-- grave
SELECT name, 'USE master; REVOKE EXECUTE ON sys.xp_cmdshell FROM public;'
FROM (VALUES ('xp_cmdshell')) AS v (name)
WHERE HAS_PERMS_BY_NAME('master.sys.' + name, 'OBJECT', 'EXECUTE') = 1;

-- about: system procedures
-- says: may run procedures that reach files, the registry or the network: {names}
SELECT name, 'USE master; REVOKE EXECUTE ON sys.' + QUOTENAME(name) + ' FROM public;'
FROM (VALUES ('sp_OACreate'), ('sp_OAMethod'), ('sp_addextendedproc'), ('sp_start_job'), ('xp_availablemedia'),
    ('xp_create_subdir'), ('xp_delete_file'), ('xp_dirtree'), ('xp_enumerrorlogs'), ('xp_fileexist'),
    ('xp_fixeddrives'), ('xp_getnetname'), ('xp_logevent'), ('xp_readerrorlog'), ('xp_regaddmultistring'),
    ('xp_regdeletekey'), ('xp_regdeletevalue'), ('xp_regenumkeys'), ('xp_regenumvalues'), ('xp_regread'),
    ('xp_regwrite'), ('xp_servicecontrol'), ('xp_subdirs'), ('xp_sprintf')) AS v (name)
WHERE HAS_PERMS_BY_NAME('master.sys.' + name, 'OBJECT', 'EXECUTE') = 1
ORDER BY name;

-- about: settings of the server
-- says: is on a server with {names} switched on
SELECT name, 'EXEC sp_configure ''show advanced options'', 1; RECONFIGURE; EXEC sp_configure ''' + name +
    ''', 0; RECONFIGURE;'
FROM sys.configurations
WHERE value_in_use = 1 AND name IN ('Ad Hoc Distributed Queries', 'xp_cmdshell', 'Ole Automation Procedures',
    'external scripts enabled')
ORDER BY name;

-- about: linked servers
-- says: may reach linked servers: {names}
-- grave
SELECT name, 'EXEC master.dbo.sp_droplinkedsrvlogin @rmtsrvname = N''' + REPLACE(name, '''', '''''') +
    ''', @locallogin = NULL;'
FROM sys.servers
WHERE is_linked = 1
ORDER BY name;

-- about: trust in the database
-- says: is in a database that the server trusts: {names}
SELECT name, 'ALTER DATABASE ' + QUOTENAME(name) + ' SET TRUSTWORTHY OFF;'
FROM sys.databases
WHERE name = DB_NAME() AND is_trustworthy_on = 1;

-- about: tables outside
-- says: may read what this connection does not name: {names}
-- outside
SELECT SCHEMA_NAME(schema_id), name, 'DENY SELECT ON OBJECT::' + QUOTENAME(SCHEMA_NAME(schema_id)) + '.' +
    QUOTENAME(name) + ' TO ' + QUOTENAME(USER_NAME()) + ';'
FROM sys.objects
WHERE type IN ('U', 'V') AND is_ms_shipped = 0 AND HAS_PERMS_BY_NAME(QUOTENAME(SCHEMA_NAME(schema_id)) + '.' +
    QUOTENAME(name), 'OBJECT', 'SELECT') = 1
ORDER BY 1, 2;
