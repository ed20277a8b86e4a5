import type pg from 'pg';

/** The logins of the platform. */
export const DATABASE_ROLES = [
  'sathorn_app',
  'sathorn_index',
  'sathorn_signer',
  'sathorn_log',
  'sathorn_checker',
] as const;

const TABLES = `SELECT n.nspname || '.' || c.relname AS object,
    (SELECT string_agg(a.attname, ' ' ORDER BY a.attnum) FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege($1, c.oid, a.attnum, 'INSERT')) AS inserts,
    (SELECT string_agg(a.attname, ' ' ORDER BY a.attnum) FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege($1, c.oid, a.attnum, 'UPDATE')) AS updates,
    has_table_privilege($1, c.oid, 'INSERT') AS inserts_all, has_table_privilege($1, c.oid, 'DELETE') AS deletes
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname !~ '^(pg_|information_schema)' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND (has_any_column_privilege($1, c.oid, 'INSERT, UPDATE') OR has_table_privilege($1, c.oid, 'DELETE'))
  ORDER BY 1`;
const FUNCTIONS = `SELECT p.oid::regprocedure::text AS object FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname !~ '^(pg_|information_schema)' AND p.prosecdef AND p.prorettype <> 'trigger'::regtype
    AND has_function_privilege($1, p.oid, 'EXECUTE') ORDER BY 1`;

interface TableRow {
  object: string;
  inserts: string | null;
  updates: string | null;
  inserts_all: boolean;
  deletes: boolean;
}

/**
 * Lists what `pg_catalog` lets a role write. A table's row is `role object: insert all, update a b, delete`; the row of
 * a function that works with its owner's rights is `role function: call`.
 */
export async function listGrants(owner: pg.Client, role: string): Promise<string[]> {
  const { rows: tables } = await owner.query<TableRow>(TABLES, [role]);
  const { rows: functions } = await owner.query<{ object: string }>(FUNCTIONS, [role]);
  return [
    ...tables.map(({ object, inserts, updates, inserts_all: insertsAll, deletes }) => {
      const may = [
        inserts && `insert ${insertsAll ? 'all' : inserts}`,
        updates && `update ${updates}`,
        deletes && 'delete',
      ];
      return `${role} ${object}: ${may.filter(Boolean).join(', ')}`;
    }),
    ...functions.map(({ object }) => `${role} ${object}: call`),
  ];
}
