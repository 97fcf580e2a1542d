-- The excess rights of an Oracle user, by views that every user may read; these follow the manuals.

-- about: system privileges
-- says: has the system privileges {names}
-- grave
SELECT privilege, 'REVOKE ' || privilege || ' FROM ' || CASE grantee WHEN 'PUBLIC' THEN 'PUBLIC' ELSE '"' || grantee
    || '"' END || ';'
FROM (SELECT privilege, username AS grantee FROM user_sys_privs UNION SELECT privilege, role FROM role_sys_privs)
WHERE privilege <> 'CREATE SESSION'
ORDER BY 1, 2;

-- about: roles
-- says: has the roles {names}
-- grave
SELECT granted_role, 'REVOKE "' || granted_role || '" FROM "' || grantee || '";'
FROM (SELECT granted_role, username AS grantee FROM user_role_privs UNION SELECT granted_role, role FROM
    role_role_privs)
WHERE granted_role IN ('DBA', 'PDB_DBA', 'RESOURCE', 'IMP_FULL_DATABASE', 'EXP_FULL_DATABASE',
    'DATAPUMP_IMP_FULL_DATABASE', 'DATAPUMP_EXP_FULL_DATABASE', 'SELECT_CATALOG_ROLE', 'EXECUTE_CATALOG_ROLE',
    'AQ_ADMINISTRATOR_ROLE', 'SCHEDULER_ADMIN', 'JAVASYSPRIV', 'JAVAUSERPRIV', 'JAVA_ADMIN', 'XDBADMIN', 'CDB_DBA',
    'OEM_MONITOR', 'RECOVERY_CATALOG_OWNER', 'LOGSTDBY_ADMINISTRATOR')
ORDER BY 1, 2;

-- about: Oracle's packages
-- says: may run packages that reach files, the network, jobs or SQL texts: {names}
SELECT table_schema || '.' || table_name, 'REVOKE ' || privilege || ' ON "' || table_schema || '"."' || table_name ||
    '" FROM ' || CASE grantee WHEN 'PUBLIC' THEN 'PUBLIC' ELSE '"' || grantee || '"' END || ';'
FROM all_tab_privs
WHERE privilege = 'EXECUTE' AND table_name IN ('UTL_FILE', 'UTL_HTTP', 'UTL_TCP', 'UTL_SMTP', 'UTL_MAIL',
    'UTL_INADDR', 'UTL_DBWS', 'HTTPURITYPE', 'DBMS_LDAP', 'DBMS_LDAP_UTL', 'DBMS_SCHEDULER', 'DBMS_JOB', 'DBMS_SQL',
    'DBMS_SYS_SQL', 'DBMS_XMLGEN', 'DBMS_XMLQUERY', 'DBMS_XMLSAVE', 'DBMS_XMLSTORE', 'DBMS_XSLPROCESSOR',
    'DBMS_XMLDOM', 'DBMS_XDB', 'DBMS_ADVISOR', 'DBMS_LOB', 'DBMS_FILE_TRANSFER', 'DBMS_PIPE', 'DBMS_ALERT',
    'DBMS_LOCK', 'DBMS_JAVA', 'DBMS_JAVA_TEST', 'DBMS_CLOUD', 'DBMS_AQ', 'DBMS_AQADM', 'DBMS_METADATA',
    'DBMS_REDEFINITION', 'DBMS_STREAMS_ADM', 'DBMS_REPCAT', 'DBMS_EXPORT_EXTENSION', 'DBMS_DDL', 'DBMS_UTILITY',
    'DBMS_OBFUSCATION_TOOLKIT', 'DBMS_BACKUP_RESTORE', 'DBMS_DATAPUMP', 'DBMS_NETWORK_ACL_ADMIN', 'OWA_UTIL',
    'ORD_DICOM', 'INITJVMAUX') AND grantee <> table_schema
ORDER BY 1, 2;

-- about: routines
-- says: may run routines with the rights of their owners: {names}
SELECT table_schema || '.' || table_name, 'REVOKE ' || privilege || ' ON "' || table_schema || '"."' || table_name ||
    '" FROM ' || CASE grantee WHEN 'PUBLIC' THEN 'PUBLIC' ELSE '"' || grantee || '"' END || ';'
FROM all_tab_privs
WHERE privilege = 'EXECUTE' AND grantee <> table_schema AND table_schema NOT IN (SELECT username FROM all_users WHERE
    oracle_maintained = 'Y')
ORDER BY 1, 2;

-- about: rights on tables
-- says: may change {names}
-- grave
SELECT table_schema || '.' || table_name, 'REVOKE ' || privilege || ' ON "' || table_schema || '"."' || table_name ||
    '" FROM ' || CASE grantee WHEN 'PUBLIC' THEN 'PUBLIC' ELSE '"' || grantee || '"' END || ';'
FROM all_tab_privs
WHERE privilege IN ('INSERT', 'UPDATE', 'DELETE', 'ALTER', 'INDEX', 'REFERENCES', 'DEBUG', 'ON COMMIT REFRESH',
    'QUERY REWRITE') AND grantee <> table_schema AND grantee IN (SELECT USER FROM dual UNION SELECT 'PUBLIC' FROM dual
    UNION SELECT role FROM session_roles) AND table_schema NOT IN (SELECT username FROM all_users WHERE
    oracle_maintained = 'Y')
ORDER BY 1, 2;

-- about: directories
-- says: reaches folders of the server: {names}
-- grave
SELECT table_name, 'REVOKE ' || privilege || ' ON DIRECTORY "' || table_name || '" FROM ' || CASE grantee WHEN
    'PUBLIC' THEN 'PUBLIC' ELSE '"' || grantee || '"' END || ';'
FROM all_tab_privs
WHERE type = 'DIRECTORY' AND grantee <> table_schema
ORDER BY 1, 2;

-- about: the network
-- says: may open connections: {names}
-- grave
SELECT privilege || ' to ' || host, 'BEGIN DBMS_NETWORK_ACL_ADMIN.REMOVE_HOST_ACE(host => ''' || host ||
    ''', lower_port => ' || NVL(TO_CHAR(lower_port), 'NULL') || ', upper_port => ' || NVL(TO_CHAR(upper_port), 'NULL')
    || ', ace => XS$ACE_TYPE(privilege_list => XS$NAME_LIST(''' || privilege || '''), principal_name => ''' || USER ||
    ''', principal_type => XS_ACL.PTYPE_DB)); END;'
FROM user_host_aces
ORDER BY 1;

-- about: database links
-- says: may use links to other databases: {names}
-- grave
SELECT db_link, CASE owner WHEN 'PUBLIC' THEN 'DROP PUBLIC DATABASE LINK ' ELSE 'DROP DATABASE LINK ' END || db_link
    || ';'
FROM all_db_links
ORDER BY 1;

-- about: own objects
-- says: owns {names}; an owner can do anything with them
-- grave
SELECT object_type || ' ' || object_name, ''
FROM user_objects
WHERE object_type IN ('TABLE', 'VIEW', 'PROCEDURE', 'FUNCTION', 'PACKAGE', 'TRIGGER', 'TYPE', 'SEQUENCE',
    'MATERIALIZED VIEW')
ORDER BY 1;

-- about: tables outside
-- says: may read what this connection does not name: {names}
-- outside
SELECT table_schema, table_name, 'REVOKE ' || privilege || ' ON "' || table_schema || '"."' || table_name || '" FROM '
    || CASE grantee WHEN 'PUBLIC' THEN 'PUBLIC' ELSE '"' || grantee || '"' END || ';'
FROM all_tab_privs
WHERE privilege IN ('SELECT', 'READ') AND grantee <> table_schema AND table_schema NOT IN (SELECT username FROM
    all_users WHERE oracle_maintained = 'Y')
ORDER BY 1, 2;
