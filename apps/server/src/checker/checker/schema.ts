import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { type Violation, withSnapshot } from './run-invariants.ts';

/** The schema that the migrations create: every database object with a digest of its definition and grants. */
export interface SchemaDescription {
  /** Digests of the migration files, by number. */
  readonly migrations: Readonly<Record<string, string>>;
  readonly objects: Readonly<Record<string, string>>;
}

export const SCHEMA_FINGERPRINT_FILE = new URL('./schema-fingerprint.json', import.meta.url);

/** Tables whose rows are part of the rules. */
const RULES = [
  'deposits.move',
  'earning.product',
  'ledger.asset',
  'ledger.chart',
  'ledger.demo_capital',
  'ledger.purpose',
  'market.guard',
  'offer.kind',
  'options.move',
  'withdrawals.move',
];

/** All grants except those to the owner, because that role has other names on other machines. */
const grants = (acl: string, owner: string): string =>
  `(SELECT string_agg(format('%s %s%s', CASE grantee WHEN 0 THEN 'public' ELSE grantee::regrole::text END, privilege_type, CASE WHEN is_grantable THEN '*' END), ',' ORDER BY grantee::regrole::text COLLATE "C", privilege_type COLLATE "C")
    FROM aclexplode(${acl}) WHERE grantee <> ${owner})`;

/**
 * Returns `name` and `definition` per object; $1 is our schemas. It avoids text whose form differs between Postgres
 * versions: it reads catalogue columns, and removes table qualifiers in view definitions (only some versions print
 * them) but keeps our schemas' names. A partition counts as its parent. Indexes that are neither unique nor computed
 * nor partial are left out, because no rule depends on them.
 */
const OBJECTS = `
  WITH ours AS (SELECT oid, nspname, nspacl, nspowner FROM pg_namespace WHERE nspname = ANY ($1)),
  relation AS (
    SELECT c.*, n.nspname || '.' || c.relname AS name FROM pg_class c JOIN ours n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c') AND NOT c.relispartition
  )
  SELECT 'schema ' || nspname AS name, concat_ws('|', ${grants('nspacl', 'nspowner')}) AS definition FROM ours
  UNION ALL
  SELECT 'table ' || name, concat_ws('|', relkind, relpersistence, relrowsecurity, relforcerowsecurity,
    (SELECT relowner = nspowner FROM ours WHERE ours.oid = relnamespace), ${grants('relacl', 'relowner')},
    CASE WHEN relkind IN ('v', 'm') THEN regexp_replace(pg_get_viewdef(relation.oid), '\\m(?!(' || array_to_string($1, '|') || ')\\.)[a-z_][a-z_0-9]*\\.(?=[a-z_"])', '', 'g') END,
    (SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid), ${grants('attacl', 'relowner')}), ',' ORDER BY attname)
     FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE attrelid = relation.oid AND attnum > 0 AND NOT attisdropped))
  FROM relation
  UNION ALL
  SELECT format('constraint %s on %s', conname, name), concat_ws('|', pg_get_constraintdef(con.oid), convalidated)
  FROM pg_constraint con JOIN relation ON relation.oid = conrelid WHERE contype <> 'n'
  UNION ALL
  SELECT format('index %s on %s', indexrelid::regclass, name), concat_ws('|', pg_get_indexdef(indexrelid), indisvalid, indisready)
  FROM pg_index JOIN relation ON relation.oid = indrelid
  WHERE indisunique OR indexprs IS NOT NULL OR indpred IS NOT NULL
  UNION ALL
  SELECT format('trigger %s on %s', tgname, name), concat_ws('|', pg_get_triggerdef(t.oid), tgenabled)
  FROM pg_trigger t JOIN relation ON relation.oid = tgrelid WHERE NOT tgisinternal
  UNION ALL
  SELECT format('trigger %s on a partition of %s', tgname, inhparent::regclass), concat_ws('|', tgfoid::regproc, tgtype, tgenabled)
  FROM pg_trigger t JOIN pg_inherits ON inhrelid = tgrelid JOIN pg_class p ON p.oid = inhparent JOIN ours ON ours.oid = p.relnamespace
  WHERE NOT tgisinternal AND tgparentid = 0
  UNION ALL
  SELECT format('policy %s on %s', polname, name), concat_ws('|', polcmd, polpermissive, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
  FROM pg_policy JOIN relation ON relation.oid = polrelid
  UNION ALL
  SELECT format('rule %s on %s', rulename, name), pg_get_ruledef(r.oid) FROM pg_rewrite r JOIN relation ON relation.oid = ev_class WHERE rulename <> '_RETURN'
  UNION ALL
  SELECT format('function %s.%s(%s)', ours.nspname, proname, pg_get_function_identity_arguments(p.oid)), concat_ws('|', prokind, lanname, prosecdef, proleakproof, proisstrict,
    provolatile, proparallel, proretset, prorettype::regtype, proargnames, pg_get_expr(proargdefaults, 0), array_to_string(proconfig, ','), proowner = nspowner,
    ${grants("coalesce(proacl, acldefault('f', proowner))", 'proowner')}, probin, prosrc, pg_get_function_sqlbody(p.oid))
  FROM pg_proc p JOIN ours ON ours.oid = pronamespace JOIN pg_language l ON l.oid = prolang
  UNION ALL
  SELECT format('operator %s.%s', nspname, oprname), concat_ws('|', oprleft::regtype, oprright::regtype, oprcode) FROM pg_operator JOIN ours ON ours.oid = oprnamespace
  UNION ALL
  SELECT format('type %s.%s', nspname, typname), concat_ws('|', typtype, typbasetype::regtype) FROM pg_type JOIN ours ON ours.oid = typnamespace
  WHERE typtype NOT IN ('c', 'b')
  UNION ALL
  -- Our roles with their memberships. The logins that act as them have no other rights.
  SELECT 'role ' || rolname, concat_ws('|', rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
    (SELECT string_agg(array_to_string(setconfig, ','), ';' ORDER BY setdatabase) FROM pg_db_role_setting
     WHERE setrole = r.oid AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))),
    (SELECT string_agg(roleid::regrole::text, ',' ORDER BY roleid::regrole::text COLLATE "C") FROM pg_auth_members WHERE member = r.oid))
  FROM pg_roles r WHERE rolname ~ '^sathorn_(app|checker|index|edge|matcher|settler)$'
  UNION ALL
  SELECT 'login ' || rolname, 'more than a role' FROM pg_roles r
  WHERE rolname ~ '^sathorn_(app|checker|index|edge|matcher|settler)_[0-9]+$' AND (rolsuper OR rolinherit OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
    OR EXISTS (SELECT FROM pg_auth_members WHERE member = r.oid AND roleid::regrole::text <> substring(rolname FROM '^sathorn_[a-z]+')))
  ${RULES.map((table) => `UNION ALL SELECT 'rows of ${table}', (SELECT string_agg(rule::text, ';' ORDER BY rule::text COLLATE "C") FROM ${table} AS rule)`).join('\n  ')}`;

export async function describeSchema(client: pg.ClientBase, schemas?: readonly string[]): Promise<SchemaDescription> {
  return withSnapshot(client, async () => {
    // An empty path prints full names, and no foreign object can shadow the catalogue's.
    await client.query('SET LOCAL search_path = pg_catalog');
    const { rows } = await client.query<{ name: string; digest: string }>(
      `SELECT name, left(encode(sha256(convert_to(string_agg(coalesce(definition, ''), chr(10) ORDER BY definition COLLATE "C"), 'UTF8')), 'hex'), 16) AS digest
       FROM (${OBJECTS}) AS object GROUP BY name ORDER BY name COLLATE "C"`,
      [schemas ?? (await schemasOf(client))],
    );
    const { rows: migrations } = await client.query<{ number: string; digest: string }>(
      `SELECT lpad(number::text, 4, '0') AS number, left(hash, 16) AS digest FROM public.migration ORDER BY public.migration.number`,
    );
    return {
      migrations: Object.fromEntries(migrations.map(({ number, digest }) => [number, digest])),
      objects: Object.fromEntries(rows.map(({ name, digest }) => [name, digest])),
    };
  });
}

async function schemasOf(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema|public$)'`,
  );
  return rows.map(({ name }) => name);
}

let expected: SchemaDescription | null = null;
function expectedSchema(): SchemaDescription {
  expected ??= JSON.parse(readFileSync(SCHEMA_FINGERPRINT_FILE, 'utf8')) as SchemaDescription;
  return expected;
}

/** The catalogues that `OBJECTS` reads, with the object id of their rows. Rows of the server itself have lower ids. */
const CATALOGUES = [
  ['pg_namespace', 'oid'],
  ['pg_class', 'oid'],
  ['pg_attribute', 'attrelid'],
  ['pg_attrdef', 'oid'],
  ['pg_constraint', 'oid'],
  ['pg_index', 'indexrelid'],
  ['pg_inherits', 'inhrelid'],
  ['pg_trigger', 'oid'],
  ['pg_policy', 'oid'],
  ['pg_rewrite', 'oid'],
  ['pg_proc', 'oid'],
  ['pg_operator', 'oid'],
  ['pg_type', 'oid'],
  ['pg_language', 'oid'],
] as const;
const FIRST_OF_OURS = 16_384;

/**
 * A stamp of the schema: each change of a row gives it the number of a later transaction, so equal stamps mean equal
 * schemas. The catalogue of roles cannot be read, so their rows are compared directly.
 */
const STAMP = `SELECT concat_ws(' ', ${[
  ...CATALOGUES.map(
    ([table, id]) =>
      `(SELECT count(*) || '/' || sum(xmin::text::bigint) FROM ${table} WHERE ${id} >= ${FIRST_OF_OURS})`,
  ),
  ...['pg_db_role_setting', 'pg_auth_members', 'public.migration', ...RULES].map(
    (table) => `(SELECT count(*) || '/' || sum(xmin::text::bigint) FROM ${table})`,
  ),
  "(SELECT md5(string_agg(r::text, ',' ORDER BY oid)) FROM pg_roles r)",
].join(', ')}) AS stamp`;

/** Reads the whole schema again only when its stamp has changed, or in a thorough round. */
export class SchemaInspector {
  #stamp = '';
  #found: readonly Violation[] = [];

  async inspect(client: pg.ClientBase, isThorough: boolean): Promise<readonly Violation[]> {
    const { rows } = await client.query<{ stamp: string }>(STAMP);
    const stamp = rows[0]?.stamp ?? '';
    if (!isThorough && stamp === this.#stamp) return this.#found;
    this.#found = await compareSchema(client);
    this.#stamp = stamp;
    return this.#found;
  }
}

const AS_MIGRATED = 'functions, triggers, constraints, grants and rules are those that the migrations make';

/** Compares the database with the schema that the migrations create in an empty one. */
export async function compareSchema(client: pg.ClientBase): Promise<Violation[]> {
  const { migrations, objects } = expectedSchema();
  const schemas = Object.keys(objects).flatMap((name) => (name.startsWith('schema ') ? name.slice(7) : []));
  const found = await describeSchema(client, schemas);
  const newer = Object.keys(found.migrations).filter((number) => migrations[number] === undefined);
  if (newer.length > 0)
    return [
      {
        invariant: 'G4',
        says: 'a newer version has migrated the database, and this one can’t check its functions: start the newer one here too',
        subjects: newer.map((number) => `migration ${number}`),
        // In a rolling deployment the old processes must not halt the money of the new ones.
        isHalting: false,
      },
    ];
  const subjects = [
    ...differences(migrations, found.migrations).map((subject) => `migration ${subject}`),
    ...differences(objects, found.objects),
  ];
  return subjects.length > 0 ? [{ invariant: 'G3', says: AS_MIGRATED, subjects }] : [];
}

/** The subject includes the current definition, so acknowledging one change does not acknowledge the next. */
function differences(wanted: Readonly<Record<string, string>>, found: Readonly<Record<string, string>>): string[] {
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(found)])].sort();
  return names.flatMap((name) => {
    if (found[name] === wanted[name]) return [];
    if (found[name] === undefined) return `${name} is gone`;
    return `${name} is ${wanted[name] === undefined ? 'new' : 'changed'}: ${found[name]}`;
  });
}
