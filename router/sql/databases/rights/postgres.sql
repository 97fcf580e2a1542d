-- The excess rights of a PostgreSQL role, which it would have if the guard failed, and the statements that revoke them.
-- A right is looked for where it is written (in access lists and memberships), so that the statement names who has it:
-- the role, one that it is a member of, or PUBLIC (0). The statements are for a superuser.
-- The hosted servers' roles that stand for a superuser are among the memberships. The extensions that are named open
-- links, run SQL text or reach files and other servers. The ts_rewrite of three arguments takes no SQL text.

-- about: superusers
-- says: {names} is a superuser: it can do everything, whatever else is granted
-- grave
-- alone
SELECT current_user::text, CASE WHEN oid <> 10 THEN format('ALTER ROLE %I NOSUPERUSER;', rolname) ELSE
    'CREATE ROLE icc_bot_reader LOGIN; GRANT USAGE ON SCHEMA public TO icc_bot_reader; '
    'GRANT SELECT ON ALL TABLES IN SCHEMA public TO icc_bot_reader;' END
FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolsuper;

-- about: attributes of the role
-- says: has {names}
-- grave
SELECT r.attribute, format('ALTER ROLE %I NO%s;', r.rolname, r.attribute) FROM (
    SELECT rolname, unnest(ARRAY['CREATEDB', 'CREATEROLE', 'REPLICATION', 'BYPASSRLS']) AS attribute,
           unnest(ARRAY[rolcreatedb, rolcreaterole, rolreplication, rolbypassrls]) AS given
    FROM pg_catalog.pg_roles WHERE rolname = current_user
) AS r WHERE r.given;

-- about: memberships
-- says: is a member of {names}
-- grave
SELECT r.rolname, format('REVOKE %I FROM %I%s;', r.rolname, m.rolname,
                         CASE WHEN am.grantor = 10 THEN '' ELSE format(' GRANTED BY %I', g.rolname) END)
FROM pg_catalog.pg_auth_members AS am JOIN pg_catalog.pg_roles AS r ON r.oid = am.roleid
JOIN pg_catalog.pg_roles AS m ON m.oid = am.member LEFT JOIN pg_catalog.pg_roles AS g ON g.oid = am.grantor
WHERE (r.rolname ~ '^pg_' OR r.rolsuper OR r.rolcreatedb OR r.rolcreaterole OR r.rolreplication OR r.rolbypassrls OR
    r.rolname IN ('rds_superuser', 'rds_replication', 'rds_password', 'cloudsqlsuperuser', 'azure_pg_admin',
    'azuresu', 'alloydbsuperuser', 'neon_superuser', 'doadmin', 'supabase_admin')) AND m.rolname !~ '^pg_' AND
    pg_catalog.pg_has_role(current_user, m.oid, 'MEMBER')
ORDER BY 1, 2;

-- about: owners
-- says: owns {names}, and can do anything with it
-- grave
SELECT o.what,
       CASE WHEN o.owner = current_user THEN o.remedy ELSE format('REVOKE %I FROM %I;', o.owner, current_user) END
FROM (
    SELECT format('%s.%s', n.nspname, c.relname) AS what, pg_catalog.pg_get_userbyid(c.relowner) AS owner,
           format('ALTER %s %I.%I OWNER TO %I; GRANT SELECT ON %s %2$I.%3$I TO %6$I;',
               CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'f' THEN 'FOREIGN TABLE'
                              WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
               n.nspname, c.relname, s.rolname, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
               pg_catalog.pg_get_userbyid(c.relowner)) AS remedy, 1 AS place
    FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace, pg_catalog.pg_roles AS
        s
    WHERE s.oid = 10 AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname !~ '^pg_t'
      AND pg_catalog.pg_has_role(current_user, c.relowner, 'MEMBER')
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d WHERE d.classid = 'pg_catalog.pg_class'::regclass
                      AND d.objid = c.oid AND d.deptype IN ('a', 'i') AND c.relkind = 'S')
    UNION ALL
    SELECT format('the schema %s', n.nspname), pg_catalog.pg_get_userbyid(n.nspowner),
           format('ALTER SCHEMA %I OWNER TO %I; GRANT USAGE ON SCHEMA %1$I TO %3$I;', n.nspname, s.rolname,
                  pg_catalog.pg_get_userbyid(n.nspowner)), 2
    FROM pg_catalog.pg_namespace AS n, pg_catalog.pg_roles AS s
    WHERE s.oid = 10 AND n.nspname !~ '^pg_t' AND pg_catalog.pg_get_userbyid(n.nspowner) <> 'pg_database_owner'
      AND pg_catalog.pg_has_role(current_user, n.nspowner, 'MEMBER')
    UNION ALL
    SELECT format('the database %s', d.datname), pg_catalog.pg_get_userbyid(d.datdba),
           format('ALTER DATABASE %I OWNER TO %I;', d.datname, s.rolname), 3
    FROM pg_catalog.pg_database AS d, pg_catalog.pg_roles AS s
    WHERE s.oid = 10 AND pg_catalog.pg_has_role(current_user, d.datdba, 'MEMBER')
) AS o ORDER BY o.place, 1;

-- about: rights on tables
-- says: may change {names}
-- grave
SELECT format('%s.%s', nspname, relname), format('REVOKE %s ON %s %I.%I FROM %s;',
              string_agg(privilege_type, ', ' ORDER BY privilege_type), kind, nspname, relname, who)
FROM (
SELECT n.nspname, c.relname, a.privilege_type, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, CASE
    a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (
    SELECT l.grantee, l.privilege_type FROM pg_catalog.aclexplode(c.relacl) AS l
    UNION SELECT l.grantee, l.privilege_type FROM pg_catalog.pg_attribute AS t
        CROSS JOIN LATERAL pg_catalog.aclexplode(t.attacl) AS l WHERE t.attrelid = c.oid AND t.attacl IS NOT NULL
) AS a
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND a.privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE',
    'REFERENCES', 'TRIGGER', 'MAINTAIN') AND a.grantee <> c.relowner
  AND (a.grantee = 0 OR pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER')) AND n.nspname !~ '^pg_' AND
      n.nspname <> 'information_schema'
) AS r (nspname, relname, privilege_type, kind, who)
GROUP BY nspname, relname, kind, who ORDER BY nspname, relname;

-- about: rights on schemas
-- says: may make tables and functions: {names}
-- grave
SELECT format('%s on %s', a.privilege_type, o.nspname),
       format('REVOKE %s ON SCHEMA %I FROM %s;', a.privilege_type, o.nspname, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE
           a.grantee::regrole::text END)
FROM pg_catalog.pg_namespace AS o
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(o.nspacl, pg_catalog.acldefault('n', o.nspowner))) AS a
WHERE a.privilege_type = 'CREATE' AND a.grantee <> o.nspowner AND (a.grantee = 0 OR
    pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER'))
ORDER BY 1;

-- about: rights on the database
-- says: may make schemas: {names}
-- grave
SELECT format('%s on %s', a.privilege_type, o.datname),
       format('REVOKE %s ON DATABASE %I FROM %s;', a.privilege_type, o.datname, CASE a.grantee WHEN 0 THEN 'PUBLIC'
           ELSE a.grantee::regrole::text END)
FROM pg_catalog.pg_database AS o
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(o.datacl, pg_catalog.acldefault('d', o.datdba))) AS a
WHERE a.privilege_type = 'CREATE' AND a.grantee <> o.datdba AND (a.grantee = 0 OR
    pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER')) AND o.datname = current_database()
ORDER BY 1;

-- about: temporary tables
-- says: may make temporary tables: {names}
SELECT format('%s on %s', a.privilege_type, o.datname),
       format('REVOKE %s ON DATABASE %I FROM %s;', a.privilege_type, o.datname, CASE a.grantee WHEN 0 THEN 'PUBLIC'
           ELSE a.grantee::regrole::text END)
FROM pg_catalog.pg_database AS o
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(o.datacl, pg_catalog.acldefault('d', o.datdba))) AS a
WHERE a.privilege_type = 'TEMPORARY' AND a.grantee <> o.datdba AND (a.grantee = 0 OR
    pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER')) AND o.datname = current_database()
ORDER BY 1;

-- about: functions on files
-- says: may run functions that reach the server's files: {names}
-- grave
SELECT format('%s.%s', n.nspname, p.proname), CASE WHEN a.grantee = p.proowner
  THEN format('DROP ROUTINE %1$I.%2$I(%3$s);', n.nspname, p.proname, i.arguments)
  ELSE format('REVOKE EXECUTE ON %1$s %2$I.%3$I(%4$s) FROM %5$s;', CASE p.prokind WHEN 'p' THEN 'PROCEDURE'
              ELSE 'FUNCTION' END, n.nspname, p.proname, i.arguments, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE
                  a.grantee::regrole::text END) END
FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
CROSS JOIN LATERAL pg_catalog.oidvectortypes(p.proargtypes) AS i (arguments)
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) AS a
WHERE n.nspname = 'pg_catalog' AND p.proname IN ('pg_read_file', 'pg_read_binary_file', 'pg_read_file_old',
    'pg_stat_file', 'pg_ls_dir', 'pg_ls_logdir', 'pg_ls_waldir', 'pg_ls_archive_statusdir', 'pg_ls_tmpdir',
    'pg_ls_logicalsnapdir', 'pg_ls_logicalmapdir', 'pg_ls_replslotdir', 'pg_ls_summariesdir', 'pg_hba_file_rules',
    'pg_ident_file_mappings', 'pg_show_all_file_settings', 'pg_file_read', 'pg_file_write', 'pg_file_rename',
    'pg_file_unlink', 'pg_file_sync', 'pg_file_length', 'pg_logdir_ls', 'lo_import', 'lo_export') AND NOT (p.proname =
    'ts_rewrite' AND p.pronargs = 3) AND a.privilege_type = 'EXECUTE' AND (a.grantee = 0 OR
    pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER'))
ORDER BY 1, 2;

-- about: functions on the server
-- says: may run functions that act on the server: {names}
-- grave
SELECT format('%s.%s', n.nspname, p.proname), CASE WHEN a.grantee = p.proowner
  THEN format('DROP ROUTINE %1$I.%2$I(%3$s);', n.nspname, p.proname, i.arguments)
  ELSE format('REVOKE EXECUTE ON %1$s %2$I.%3$I(%4$s) FROM %5$s;', CASE p.prokind WHEN 'p' THEN 'PROCEDURE'
              ELSE 'FUNCTION' END, n.nspname, p.proname, i.arguments, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE
                  a.grantee::regrole::text END) END
FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
CROSS JOIN LATERAL pg_catalog.oidvectortypes(p.proargtypes) AS i (arguments)
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) AS a
WHERE n.nspname = 'pg_catalog' AND p.proname IN ('pg_reload_conf', 'pg_rotate_logfile', 'pg_logfile_rotate',
    'pg_promote', 'pg_switch_wal', 'pg_create_restore_point', 'pg_backup_start', 'pg_backup_stop', 'pg_start_backup',
    'pg_stop_backup', 'pg_wal_replay_pause', 'pg_wal_replay_resume', 'pg_log_backend_memory_contexts',
    'pg_stat_reset', 'pg_stat_reset_shared', 'pg_stat_reset_slru', 'pg_stat_reset_single_table_counters',
    'pg_stat_reset_single_function_counters', 'pg_replication_origin_create', 'pg_replication_origin_drop',
    'pg_replication_origin_advance', 'pg_stat_reset_replication_slot') AND NOT (p.proname = 'ts_rewrite' AND
    p.pronargs = 3) AND a.privilege_type = 'EXECUTE' AND (a.grantee = 0 OR pg_catalog.pg_has_role(current_user,
    a.grantee, 'MEMBER'))
ORDER BY 1, 2;

-- about: functions of extensions
-- says: may run functions that open links or run SQL elsewhere: {names}
-- grave
SELECT format('%s.%s', n.nspname, p.proname), CASE WHEN a.grantee = p.proowner
  THEN format('DROP ROUTINE %1$I.%2$I(%3$s);', n.nspname, p.proname, i.arguments)
  ELSE format('REVOKE EXECUTE ON %1$s %2$I.%3$I(%4$s) FROM %5$s;', CASE p.prokind WHEN 'p' THEN 'PROCEDURE'
              ELSE 'FUNCTION' END, n.nspname, p.proname, i.arguments, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE
                  a.grantee::regrole::text END) END
FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
CROSS JOIN LATERAL pg_catalog.oidvectortypes(p.proargtypes) AS i (arguments)
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) AS a
WHERE EXISTS (SELECT FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_extension AS e ON e.oid = d.refobjid WHERE
    d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' AND d.refclassid =
    'pg_catalog.pg_extension'::regclass AND e.extname IN ('adminpack', 'aws_commons', 'aws_lambda', 'aws_s3',
    'azure_storage', 'dblink', 'file_fdw', 'http', 'mysql_fdw', 'oracle_fdw', 'pg_background', 'pg_cron', 'pg_net',
    'pg_repack', 'pgagent', 'plproxy', 'plsh', 'postgres_fdw', 'tablefunc', 'tds_fdw', 'xml2')) AND a.privilege_type =
    'EXECUTE' AND (a.grantee = 0 OR pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER'))
ORDER BY 1, 2;

-- about: functions in untrusted languages
-- says: may run functions in a language without bounds: {names}
-- grave
SELECT format('%s.%s', n.nspname, p.proname), CASE WHEN a.grantee = p.proowner
  THEN format('DROP ROUTINE %1$I.%2$I(%3$s);', n.nspname, p.proname, i.arguments)
  ELSE format('REVOKE EXECUTE ON %1$s %2$I.%3$I(%4$s) FROM %5$s;', CASE p.prokind WHEN 'p' THEN 'PROCEDURE'
              ELSE 'FUNCTION' END, n.nspname, p.proname, i.arguments, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE
                  a.grantee::regrole::text END) END
FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
CROSS JOIN LATERAL pg_catalog.oidvectortypes(p.proargtypes) AS i (arguments)
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) AS a
WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND p.prolang IN (SELECT oid FROM
    pg_catalog.pg_language WHERE NOT lanpltrusted AND lanname NOT IN ('internal', 'c')) AND a.privilege_type =
    'EXECUTE' AND (a.grantee = 0 OR pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER'))
ORDER BY 1, 2;

-- about: functions with the rights of others
-- says: may run functions with the rights of their owners (SECURITY DEFINER): {names}
SELECT format('%s.%s', n.nspname, p.proname), CASE WHEN a.grantee = p.proowner
  THEN format('DROP ROUTINE %1$I.%2$I(%3$s);', n.nspname, p.proname, i.arguments)
  ELSE format('REVOKE EXECUTE ON %1$s %2$I.%3$I(%4$s) FROM %5$s;', CASE p.prokind WHEN 'p' THEN 'PROCEDURE'
              ELSE 'FUNCTION' END, n.nspname, p.proname, i.arguments, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE
                  a.grantee::regrole::text END) END
FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
CROSS JOIN LATERAL pg_catalog.oidvectortypes(p.proargtypes) AS i (arguments)
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) AS a
WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND NOT pg_catalog.pg_has_role(current_user,
    p.proowner, 'MEMBER') AND p.prosecdef AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d JOIN
    pg_catalog.pg_extension AS e ON e.oid = d.refobjid WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid =
    p.oid AND d.deptype = 'e' AND d.refclassid = 'pg_catalog.pg_extension'::regclass AND e.extname IN ('adminpack',
    'aws_commons', 'aws_lambda', 'aws_s3', 'azure_storage', 'dblink', 'file_fdw', 'http', 'mysql_fdw', 'oracle_fdw',
    'pg_background', 'pg_cron', 'pg_net', 'pg_repack', 'pgagent', 'plproxy', 'plsh', 'postgres_fdw', 'tablefunc',
    'tds_fdw', 'xml2')) AND a.privilege_type = 'EXECUTE' AND (a.grantee = 0 OR pg_catalog.pg_has_role(current_user,
    a.grantee, 'MEMBER'))
ORDER BY 1, 2;

-- about: functions that run SQL
-- says: may run functions that take SQL as a text: {names}
SELECT format('%s.%s', n.nspname, p.proname), CASE WHEN a.grantee = p.proowner
  THEN format('DROP ROUTINE %1$I.%2$I(%3$s);', n.nspname, p.proname, i.arguments)
  ELSE format('REVOKE EXECUTE ON %1$s %2$I.%3$I(%4$s) FROM %5$s;', CASE p.prokind WHEN 'p' THEN 'PROCEDURE'
              ELSE 'FUNCTION' END, n.nspname, p.proname, i.arguments, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE
                  a.grantee::regrole::text END) END
FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
CROSS JOIN LATERAL pg_catalog.oidvectortypes(p.proargtypes) AS i (arguments)
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) AS a
WHERE n.nspname = 'pg_catalog' AND p.proname IN ('query_to_xml', 'query_to_xmlschema', 'query_to_xml_and_xmlschema',
    'cursor_to_xml', 'cursor_to_xmlschema', 'table_to_xml', 'table_to_xmlschema', 'table_to_xml_and_xmlschema',
    'schema_to_xml', 'schema_to_xmlschema', 'schema_to_xml_and_xmlschema', 'database_to_xml', 'database_to_xmlschema',
    'database_to_xml_and_xmlschema', 'ts_stat', 'ts_rewrite') AND NOT (p.proname = 'ts_rewrite' AND p.pronargs = 3)
    AND a.privilege_type = 'EXECUTE' AND (a.grantee = 0 OR pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER'))
ORDER BY 1, 2;

-- about: functions on sessions
-- says: may end other sessions of its own: {names}
SELECT format('%s.%s', n.nspname, p.proname), CASE WHEN a.grantee = p.proowner
  THEN format('DROP ROUTINE %1$I.%2$I(%3$s);', n.nspname, p.proname, i.arguments)
  ELSE format('REVOKE EXECUTE ON %1$s %2$I.%3$I(%4$s) FROM %5$s;', CASE p.prokind WHEN 'p' THEN 'PROCEDURE'
              ELSE 'FUNCTION' END, n.nspname, p.proname, i.arguments, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE
                  a.grantee::regrole::text END) END
FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
CROSS JOIN LATERAL pg_catalog.oidvectortypes(p.proargtypes) AS i (arguments)
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) AS a
WHERE n.nspname = 'pg_catalog' AND p.proname IN ('pg_terminate_backend', 'pg_cancel_backend') AND NOT (p.proname =
    'ts_rewrite' AND p.pronargs = 3) AND a.privilege_type = 'EXECUTE' AND (a.grantee = 0 OR
    pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER'))
ORDER BY 1, 2;

-- about: functions on large objects
-- says: may make or change large objects: {names}
SELECT format('%s.%s', n.nspname, p.proname), CASE WHEN a.grantee = p.proowner
  THEN format('DROP ROUTINE %1$I.%2$I(%3$s);', n.nspname, p.proname, i.arguments)
  ELSE format('REVOKE EXECUTE ON %1$s %2$I.%3$I(%4$s) FROM %5$s;', CASE p.prokind WHEN 'p' THEN 'PROCEDURE'
              ELSE 'FUNCTION' END, n.nspname, p.proname, i.arguments, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE
                  a.grantee::regrole::text END) END
FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
CROSS JOIN LATERAL pg_catalog.oidvectortypes(p.proargtypes) AS i (arguments)
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) AS a
WHERE n.nspname = 'pg_catalog' AND p.proname IN ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_put', 'lo_truncate',
    'lo_truncate64', 'lo_unlink', 'lowrite') AND NOT (p.proname = 'ts_rewrite' AND p.pronargs = 3) AND
    a.privilege_type = 'EXECUTE' AND (a.grantee = 0 OR pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER'))
ORDER BY 1, 2;

-- about: foreign servers
-- says: may use servers: {names}
-- grave
SELECT format('%s on %s', a.privilege_type, o.srvname),
       format('REVOKE %s ON FOREIGN SERVER %I FROM %s;', a.privilege_type, o.srvname, CASE a.grantee WHEN 0 THEN
           'PUBLIC' ELSE a.grantee::regrole::text END)
FROM pg_catalog.pg_foreign_server AS o
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(o.srvacl, pg_catalog.acldefault('S', o.srvowner))) AS a
WHERE a.privilege_type = 'USAGE' AND a.grantee <> o.srvowner AND (a.grantee = 0 OR
    pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER'))
ORDER BY 1;

-- about: foreign-data wrappers
-- says: may define servers: {names}
-- grave
SELECT format('%s on %s', a.privilege_type, o.fdwname),
       format('REVOKE %s ON FOREIGN DATA WRAPPER %I FROM %s;', a.privilege_type, o.fdwname, CASE a.grantee WHEN 0 THEN
           'PUBLIC' ELSE a.grantee::regrole::text END)
FROM pg_catalog.pg_foreign_data_wrapper AS o
CROSS JOIN LATERAL pg_catalog.aclexplode(coalesce(o.fdwacl, pg_catalog.acldefault('F', o.fdwowner))) AS a
WHERE a.privilege_type = 'USAGE' AND a.grantee <> o.fdwowner AND (a.grantee = 0 OR
    pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER'))
ORDER BY 1;

-- about: user mappings
-- says: is known to other servers, of which it reads no table: {names}
SELECT m.srvname, format('DROP USER MAPPING FOR %s SERVER %I;',
                         CASE m.umuser WHEN 0 THEN 'PUBLIC' ELSE quote_ident(m.usename) END, m.srvname)
FROM pg_catalog.pg_user_mappings AS m
WHERE (m.umuser = 0 OR m.usename = current_user) AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_foreign_table AS f WHERE f.ftserver = m.srvid
    AND pg_catalog.has_table_privilege(f.ftrelid, 'SELECT'))
ORDER BY 1;

-- about: parameters
-- says: may change settings that are not its own: {names}
-- grave
-- since: 150000
SELECT format('%s %s', a.privilege_type, p.parname),
       format('REVOKE %s ON PARAMETER %s FROM %s;', a.privilege_type, p.parname, CASE a.grantee WHEN 0 THEN 'PUBLIC'
           ELSE a.grantee::regrole::text END)
FROM pg_catalog.pg_parameter_acl AS p CROSS JOIN LATERAL pg_catalog.aclexplode(p.paracl) AS a
WHERE a.grantee = 0 OR pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER') ORDER BY 1;

-- about: tables outside
-- says: may read what this connection does not name: {names}
-- outside
SELECT nspname, relname, format('REVOKE SELECT ON TABLE %I.%I FROM %s;', nspname, relname, who)
FROM (
SELECT n.nspname, c.relname, a.privilege_type, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, CASE
    a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (
    SELECT l.grantee, l.privilege_type FROM pg_catalog.aclexplode(c.relacl) AS l
    UNION SELECT l.grantee, l.privilege_type FROM pg_catalog.pg_attribute AS t
        CROSS JOIN LATERAL pg_catalog.aclexplode(t.attacl) AS l WHERE t.attrelid = c.oid AND t.attacl IS NOT NULL
) AS a
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND a.privilege_type = 'SELECT' AND a.grantee <> c.relowner
  AND (a.grantee = 0 OR pg_catalog.pg_has_role(current_user, a.grantee, 'MEMBER')) AND n.nspname !~ '^pg_' AND
      n.nspname <> 'information_schema' AND c.relkind <> 'S' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
)
     AS r (nspname, relname, privilege_type, kind, who) ORDER BY nspname, relname;

-- about: views
-- says: reads views without security_barrier, so that a query's errors and timings may tell of rows that they keep back: {names}
-- outside
SELECT n.nspname::text, c.relname::text, bn.nspname::text, b.relname::text,
       format('ALTER VIEW %I.%I SET (security_barrier = true);', n.nspname, c.relname)
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_rewrite AS r ON r.ev_class = c.oid
JOIN pg_catalog.pg_depend AS d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = r.oid
    AND d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid <> c.oid
JOIN pg_catalog.pg_class AS b ON b.oid = d.refobjid JOIN pg_catalog.pg_namespace AS bn ON bn.oid = b.relnamespace
WHERE c.relkind = 'v' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND pg_catalog.has_table_privilege(c.oid, 'SELECT') AND NOT coalesce((
      SELECT o.option_value::boolean FROM pg_catalog.pg_options_to_table(c.reloptions) AS o
      WHERE o.option_name = 'security_barrier'), false)
ORDER BY 1, 2;
