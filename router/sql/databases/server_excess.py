"""What a user of Oracle or SQL Server could do if the guard failed: every look at the dictionary, as documented.

Each query reads views that every user may read. None was run on a real server by the tests, which have none.
"""

from router.sql.databases.excess import Look

_ORACLE_PACKAGE_NAMES = (
    "UTL_FILE UTL_HTTP UTL_TCP UTL_SMTP UTL_MAIL UTL_INADDR UTL_DBWS HTTPURITYPE DBMS_LDAP "
    "DBMS_LDAP_UTL DBMS_SCHEDULER DBMS_JOB DBMS_SQL DBMS_SYS_SQL DBMS_XMLGEN DBMS_XMLQUERY "
    "DBMS_XMLSAVE DBMS_XMLSTORE DBMS_XSLPROCESSOR DBMS_XMLDOM DBMS_XDB DBMS_ADVISOR DBMS_LOB "
    "DBMS_FILE_TRANSFER DBMS_PIPE DBMS_ALERT DBMS_LOCK DBMS_JAVA DBMS_JAVA_TEST DBMS_CLOUD DBMS_AQ "
    "DBMS_AQADM DBMS_METADATA DBMS_REDEFINITION DBMS_STREAMS_ADM DBMS_REPCAT DBMS_EXPORT_EXTENSION "
    "DBMS_DDL DBMS_UTILITY DBMS_OBFUSCATION_TOOLKIT DBMS_BACKUP_RESTORE DBMS_DATAPUMP "
    "DBMS_NETWORK_ACL_ADMIN OWA_UTIL ORD_DICOM INITJVMAUX"
)
_ORACLE_PACKAGES = ", ".join(f"'{name}'" for name in _ORACLE_PACKAGE_NAMES.split())
_ORACLE_ROLE_NAMES = (
    "DBA PDB_DBA RESOURCE IMP_FULL_DATABASE EXP_FULL_DATABASE DATAPUMP_IMP_FULL_DATABASE "
    "DATAPUMP_EXP_FULL_DATABASE SELECT_CATALOG_ROLE EXECUTE_CATALOG_ROLE AQ_ADMINISTRATOR_ROLE "
    "SCHEDULER_ADMIN JAVASYSPRIV JAVAUSERPRIV JAVA_ADMIN XDBADMIN CDB_DBA OEM_MONITOR "
    "RECOVERY_CATALOG_OWNER LOGSTDBY_ADMINISTRATOR"
)
_ORACLE_ROLES = ", ".join(f"'{name}'" for name in _ORACLE_ROLE_NAMES.split())
_GRANTEE = "CASE grantee WHEN 'PUBLIC' THEN 'PUBLIC' ELSE '\"' || grantee || '\"' END"
_SITES_OWN = "table_schema NOT IN (SELECT username FROM all_users WHERE oracle_maintained = 'Y')"
_REVOKE = (
    f"'REVOKE ' || privilege || ' ON \"' || table_schema || '\".\"' || table_name || '\" FROM ' || {_GRANTEE} || ';'"
)

ORACLE = (
    Look(
        "system privileges",
        "has the system privileges {names}",
        "SELECT privilege, 'REVOKE ' || privilege || ' FROM ' || CASE grantee WHEN 'PUBLIC' THEN 'PUBLIC' "
        "ELSE '\"' || grantee || '\"' END || ';' FROM (SELECT privilege, username AS grantee FROM user_sys_privs "
        "UNION SELECT privilege, role FROM role_sys_privs) WHERE privilege <> 'CREATE SESSION' ORDER BY 1, 2",
        grave=True,
    ),
    Look(
        "roles",
        "has the roles {names}",
        "SELECT granted_role, 'REVOKE \"' || granted_role || '\" FROM \"' || grantee || '\";' FROM ("
        "SELECT granted_role, username AS grantee FROM user_role_privs UNION "
        f"SELECT granted_role, role FROM role_role_privs) WHERE granted_role IN ({_ORACLE_ROLES}) ORDER BY 1, 2",
        grave=True,
    ),
    Look(
        "Oracle's packages",
        "may run packages that reach files, the network, jobs or SQL texts: {names}",
        f"SELECT table_schema || '.' || table_name, {_REVOKE} FROM all_tab_privs WHERE privilege = 'EXECUTE' "
        f"AND table_name IN ({_ORACLE_PACKAGES}) AND grantee <> table_schema ORDER BY 1, 2",
    ),
    Look(
        "routines",
        "may run routines with the rights of their owners: {names}",
        f"SELECT table_schema || '.' || table_name, {_REVOKE} FROM all_tab_privs WHERE privilege = 'EXECUTE' "
        f"AND grantee <> table_schema AND {_SITES_OWN} ORDER BY 1, 2",
    ),
    Look(
        "rights on tables",
        "may change {names}",
        f"SELECT table_schema || '.' || table_name, {_REVOKE} FROM all_tab_privs WHERE privilege IN ('INSERT', "
        "'UPDATE', 'DELETE', 'ALTER', 'INDEX', 'REFERENCES', 'DEBUG', 'ON COMMIT REFRESH', 'QUERY REWRITE') "
        f"AND grantee <> table_schema AND grantee IN (SELECT USER FROM dual UNION SELECT 'PUBLIC' FROM dual UNION "
        f"SELECT role FROM session_roles) AND {_SITES_OWN} ORDER BY 1, 2",
        grave=True,
    ),
    Look(
        "directories",
        "reaches folders of the server: {names}",
        "SELECT table_name, 'REVOKE ' || privilege || ' ON DIRECTORY \"' || table_name || '\" FROM ' || "
        f"{_GRANTEE} || ';' FROM all_tab_privs WHERE type = 'DIRECTORY' AND grantee <> table_schema ORDER BY 1, 2",
        grave=True,
    ),
    Look(
        "the network",
        "may open connections: {names}",
        "SELECT privilege || ' to ' || host, 'BEGIN DBMS_NETWORK_ACL_ADMIN.REMOVE_HOST_ACE(host => ''' || host || "
        "''', lower_port => ' || NVL(TO_CHAR(lower_port), 'NULL') || ', upper_port => ' || "
        "NVL(TO_CHAR(upper_port), 'NULL') || ', ace => XS$ACE_TYPE(privilege_list => XS$NAME_LIST(''' || privilege || "
        "'''), principal_name => ''' || USER || ''', principal_type => XS_ACL.PTYPE_DB)); END;' FROM user_host_aces "
        "ORDER BY 1",
        grave=True,
    ),
    Look(
        "database links",
        "may use links to other databases: {names}",
        "SELECT db_link, CASE owner WHEN 'PUBLIC' THEN 'DROP PUBLIC DATABASE LINK ' ELSE 'DROP DATABASE LINK ' END "
        "|| db_link || ';' FROM all_db_links ORDER BY 1",
        grave=True,
    ),
    Look(
        "own objects",
        "owns {names}; an owner can do anything with them",
        "SELECT object_type || ' ' || object_name, '' FROM user_objects WHERE object_type IN ('TABLE', 'VIEW', "
        "'PROCEDURE', 'FUNCTION', 'PACKAGE', 'TRIGGER', 'TYPE', 'SEQUENCE', 'MATERIALIZED VIEW') ORDER BY 1",
        grave=True,
    ),
    Look(
        "tables outside",
        "may read what this connection does not name: {names}",
        f"SELECT table_schema, table_name, {_REVOKE} FROM all_tab_privs WHERE privilege IN ('SELECT', 'READ') "
        f"AND grantee <> table_schema AND {_SITES_OWN} ORDER BY 1, 2",
        outside=True,
    ),
)

_PROCEDURE_NAMES = (
    "sp_OACreate sp_OAMethod sp_addextendedproc sp_start_job xp_availablemedia xp_create_subdir "
    "xp_delete_file xp_dirtree xp_enumerrorlogs xp_fileexist xp_fixeddrives xp_getnetname "
    "xp_logevent xp_readerrorlog xp_regaddmultistring xp_regdeletekey xp_regdeletevalue "
    "xp_regenumkeys xp_regenumvalues xp_regread xp_regwrite xp_servicecontrol xp_subdirs xp_sprintf"
)
_PROCEDURES = ", ".join(f"('{name}')" for name in _PROCEDURE_NAMES.split())
_MINE = "(g.principal_id = DATABASE_PRINCIPAL_ID() OR (g.type = 'R' AND IS_ROLEMEMBER(g.name) = 1))"
_GIVEN = "p.state IN ('G', 'W')"

MSSQL = (
    Look(
        "server roles",
        "is a member of the server roles {names}",
        "SELECT name, 'ALTER SERVER ROLE ' + QUOTENAME(name) + ' DROP MEMBER ' + QUOTENAME(SUSER_SNAME()) + ';' "
        "FROM sys.server_principals WHERE type = 'R' AND name <> 'public' AND IS_SRVROLEMEMBER(name) = 1 ORDER BY name",
        grave=True,
    ),
    Look(
        "server permissions",
        "has rights on the whole server: {names}",
        "SELECT p.permission_name, 'USE master; REVOKE ' + p.permission_name + ' FROM ' + QUOTENAME(g.name) + ';' "
        "FROM sys.server_permissions AS p JOIN sys.server_principals AS g ON g.principal_id = p.grantee_principal_id "
        f"WHERE p.class = 100 AND {_GIVEN} "
        "AND (g.sid = SUSER_SID() OR (g.type = 'R' AND IS_SRVROLEMEMBER(g.name) = 1)) "
        "AND p.permission_name NOT IN ('CONNECT SQL', 'VIEW ANY DATABASE') ORDER BY p.permission_name",
        grave=True,
    ),
    Look(
        "database roles",
        "is a member of the roles {names}",
        "SELECT name, 'ALTER ROLE ' + QUOTENAME(name) + ' DROP MEMBER ' + QUOTENAME(USER_NAME()) + ';' "
        "FROM sys.database_principals WHERE type = 'R' AND is_fixed_role = 1 AND IS_ROLEMEMBER(name) = 1 "
        "AND name NOT IN ('db_datareader', 'db_denydatawriter', 'db_denydatareader') ORDER BY name",
        grave=True,
    ),
    Look(
        "database permissions",
        "has rights on the database: {names}",
        "SELECT p.permission_name, 'REVOKE ' + p.permission_name + ' FROM ' + QUOTENAME(g.name) + ';' "
        "FROM sys.database_permissions AS p JOIN sys.database_principals AS g "
        f"ON g.principal_id = p.grantee_principal_id WHERE p.class = 0 AND {_GIVEN} AND {_MINE} "
        "AND p.permission_name NOT IN ('CONNECT', 'SELECT', 'VIEW ANY COLUMN ENCRYPTION KEY DEFINITION', "
        "'VIEW ANY COLUMN MASTER KEY DEFINITION') ORDER BY p.permission_name",
        grave=True,
    ),
    Look(
        "permissions on schemas",
        "has rights on schemas: {names}",
        "SELECT p.permission_name + ' on ' + s.name, 'REVOKE ' + p.permission_name + ' ON SCHEMA::' + "
        "QUOTENAME(s.name) + ' FROM ' + QUOTENAME(g.name) + ';' FROM sys.database_permissions AS p "
        "JOIN sys.database_principals AS g ON g.principal_id = p.grantee_principal_id "
        f"JOIN sys.schemas AS s ON s.schema_id = p.major_id WHERE p.class = 3 AND {_GIVEN} AND {_MINE} "
        "AND p.permission_name NOT IN ('SELECT', 'VIEW DEFINITION') ORDER BY 1",
        grave=True,
    ),
    Look(
        "permissions on objects",
        "may change or run {names}",
        "SELECT p.permission_name + ' on ' + o.name, 'REVOKE ' + p.permission_name + ' ON OBJECT::' + "
        "QUOTENAME(SCHEMA_NAME(o.schema_id)) + '.' + QUOTENAME(o.name) + ' FROM ' + QUOTENAME(g.name) + ';' "
        "FROM sys.database_permissions AS p JOIN sys.database_principals AS g "
        "ON g.principal_id = p.grantee_principal_id JOIN sys.objects AS o ON o.object_id = p.major_id "
        f"WHERE p.class = 1 AND {_GIVEN} AND {_MINE} AND o.is_ms_shipped = 0 "
        "AND p.permission_name NOT IN ('SELECT', 'VIEW DEFINITION') ORDER BY 1",
        grave=True,
    ),
    Look(
        "the command shell",
        "may run programs of the server: {names}",
        "SELECT name, 'USE master; REVOKE EXECUTE ON sys.xp_cmdshell FROM public;' FROM (VALUES ('xp_cmdshell')) "
        "AS v (name) WHERE HAS_PERMS_BY_NAME('master.sys.' + name, 'OBJECT', 'EXECUTE') = 1",
        grave=True,
    ),
    Look(
        "system procedures",
        "may run procedures that reach files, the registry or the network: {names}",
        "SELECT name, 'USE master; REVOKE EXECUTE ON sys.' + QUOTENAME(name) + ' FROM public;' FROM "
        f"(VALUES {_PROCEDURES}) AS v (name) "
        "WHERE HAS_PERMS_BY_NAME('master.sys.' + name, 'OBJECT', 'EXECUTE') = 1 ORDER BY name",
    ),
    Look(
        "settings of the server",
        "is on a server with {names} switched on",
        "SELECT name, 'EXEC sp_configure ''show advanced options'', 1; RECONFIGURE; EXEC sp_configure ''' + name + "
        "''', 0; RECONFIGURE;' FROM sys.configurations WHERE value_in_use = 1 AND name IN "
        "('Ad Hoc Distributed Queries', 'xp_cmdshell', 'Ole Automation Procedures', 'external scripts enabled') "
        "ORDER BY name",
    ),
    Look(
        "linked servers",
        "may reach linked servers: {names}",
        "SELECT name, 'EXEC master.dbo.sp_droplinkedsrvlogin @rmtsrvname = N''' + REPLACE(name, '''', '''''') + "
        "''', @locallogin = NULL;' FROM sys.servers WHERE is_linked = 1 ORDER BY name",
        grave=True,
    ),
    Look(
        "trust in the database",
        "is in a database that the server trusts: {names}",
        "SELECT name, 'ALTER DATABASE ' + QUOTENAME(name) + ' SET TRUSTWORTHY OFF;' FROM sys.databases "
        "WHERE name = DB_NAME() AND is_trustworthy_on = 1",
    ),
    Look(
        "tables outside",
        "may read what this connection does not name: {names}",
        "SELECT SCHEMA_NAME(schema_id), name, 'DENY SELECT ON OBJECT::' + QUOTENAME(SCHEMA_NAME(schema_id)) + '.' + "
        "QUOTENAME(name) + ' TO ' + QUOTENAME(USER_NAME()) + ';' FROM sys.objects WHERE type IN ('U', 'V') "
        "AND is_ms_shipped = 0 AND HAS_PERMS_BY_NAME(QUOTENAME(SCHEMA_NAME(schema_id)) + '.' + QUOTENAME(name), "
        "'OBJECT', 'SELECT') = 1 ORDER BY 1, 2",
        outside=True,
    ),
)

LOOKS = {"oracle": ORACLE, "mssql": MSSQL}
"""By the backend of the URL."""
