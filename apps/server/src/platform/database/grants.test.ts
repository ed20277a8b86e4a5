import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATABASE_ROLES, listGrants } from './list-grants.ts';
import { openTestDatabase, type TestDatabase } from './testing.ts';

const OURS = `n.nspname !~ '^(pg_|information_schema)'`;
const TABLES = `FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN unnest(ARRAY['sathorn_app', 'sathorn_checker']) AS role
  WHERE ${OURS} AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`;

/** Schemas with the evidence by which money is judged: prices, keys, addresses and attested balances. */
const EVIDENCE = `'{market,proofs,chain,books}'`;
/** Schemas that hold money: a column names a journal, a hold or units. */
const WITH_MONEY = `(SELECT m.relnamespace FROM pg_class m JOIN pg_attribute a ON a.attrelid = m.oid
  WHERE m.relkind IN ('r', 'p') AND a.attname ~ '(^|_)(journal|hold|units)$')`;

/** Each query lists forbidden objects, so every future migration is checked as well. */
const NEVER: readonly [what: string, text: string][] = [
  [
    'a function that everybody may call',
    `SELECT n.nspname || '.' || p.proname AS found FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE ${OURS} AND has_function_privilege('public', p.oid, 'EXECUTE') AND p.prorettype <> 'trigger'::regtype AND p.prosecdef`,
  ],
  [
    'a function that works as its owner and looks names up where its caller may have put some',
    `SELECT n.nspname || '.' || p.proname AS found FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE ${OURS} AND p.prosecdef AND NOT EXISTS (SELECT FROM unnest(p.proconfig) AS setting WHERE setting = format('search_path=%s, pg_temp', n.nspname))`,
  ],
  [
    'a table that a role of ours may empty, or hang a trigger or a key on',
    `SELECT role || ' ' || c.oid::regclass AS found ${TABLES} AND has_table_privilege(role, c.oid, 'TRUNCATE, TRIGGER, REFERENCES' || CASE WHEN current_setting('server_version_num')::integer < 170000 THEN '' ELSE ', MAINTAIN' END)`,
  ],
  [
    'a table of the ledger that the application may write',
    `SELECT role || ' ' || c.oid::regclass AS found ${TABLES} AND n.nspname = 'ledger'
       AND (has_table_privilege(role, c.oid, 'INSERT, UPDATE, DELETE') OR has_any_column_privilege(role, c.oid, 'INSERT, UPDATE'))`,
  ],
  [
    'a table that the checker may write',
    `SELECT c.oid::regclass::text AS found ${TABLES} AND role = 'sathorn_checker'
       AND (has_table_privilege(role, c.oid, 'INSERT, UPDATE, DELETE') OR has_any_column_privilege(role, c.oid, 'INSERT, UPDATE'))`,
  ],
  [
    'a table of the books that the checker may not read',
    `SELECT c.oid::regclass::text AS found ${TABLES} AND role = 'sathorn_checker' AND (n.nspname = ANY (${EVIDENCE}) OR n.oid IN ${WITH_MONEY})
       AND NOT has_table_privilege(role, c.oid, 'SELECT')`,
  ],
  [
    'a schema that they may make things in',
    `SELECT role || ' ' || n.nspname AS found FROM pg_namespace n CROSS JOIN unnest(ARRAY['sathorn_app', 'sathorn_checker', 'public']) AS role
     WHERE ${OURS} AND has_schema_privilege(role, n.oid, 'CREATE')`,
  ],
  [
    'a sequence that they may set',
    `SELECT role || ' ' || c.oid::regclass AS found FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       CROSS JOIN unnest(ARRAY['sathorn_app', 'sathorn_checker']) AS role
     WHERE ${OURS} AND c.relkind = 'S' AND has_sequence_privilege(role, c.oid, 'UPDATE, USAGE')
       -- Notices to many take their number from it. The app may take the next number, but not set the sequence.
       AND NOT (c.oid = 'messages.message_sequence_seq'::regclass AND NOT has_sequence_privilege(role, c.oid, 'UPDATE'))`,
  ],
  [
    'a role that is more than its grants, or another’s',
    `SELECT rolname AS found FROM pg_roles WHERE rolname ~ '^sathorn_(app|checker)$' AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls OR rolinherit)
     UNION ALL SELECT member::regrole || ' in ' || roleid::regrole FROM pg_auth_members WHERE member::regrole::text ~ '^sathorn_(app|checker)$'
     UNION ALL SELECT 'owns ' || objid FROM pg_shdepend WHERE deptype = 'o' AND refobjid::regrole::text ~ '^sathorn_(app|checker)$'
       AND dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))`,
  ],
  [
    'a function with one plan for all times that reads whole tables by it, as is cheapest while they are small',
    `SELECT p.oid::regprocedure::text AS found FROM pg_proc p
     WHERE 'plan_cache_mode=force_generic_plan' = ANY (p.proconfig) AND NOT p.proconfig @> ARRAY['enable_seqscan=off', 'enable_mergejoin=off']`,
  ],
];

describe('what the migrations create and grant', () => {
  let test: TestDatabase;
  let owner: pg.Client;
  beforeAll(async () => {
    test = await openTestDatabase();
    owner = new pg.Client(test.owner);
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await test.close();
  });

  it.each(NEVER)('is never %s', async (_what, text) => {
    const { rows } = await owner.query<{ found: string }>(text);
    expect(rows.map(({ found }) => found)).toEqual([]);
  });

  it('is found by these queries when it is wrong', async () => {
    await owner.query(`BEGIN;
      CREATE FUNCTION ledger.door() RETURNS void LANGUAGE sql SECURITY DEFINER SET plan_cache_mode = force_generic_plan AS '';
      CREATE TABLE ledger.leak (units bigint); GRANT TRUNCATE, UPDATE (units) ON ledger.leak TO sathorn_app, sathorn_checker;
      GRANT CREATE ON SCHEMA options TO sathorn_app;
      CREATE SEQUENCE ledger.numbers; GRANT USAGE ON ledger.numbers TO sathorn_app;
      ALTER TABLE options.move OWNER TO sathorn_app`);
    for (const [what, text] of NEVER) expect((await owner.query(text)).rowCount, what).toBeGreaterThan(0);
    await owner.query('ROLLBACK');
  });

  it('is listed in grants.md: each writable column, what it gains an attacker, and what stops that', async () => {
    const page = readFileSync(path.join(import.meta.dirname, 'grants.md'), 'utf8');
    const rows = page
      .split('\n')
      .filter((line) => line.startsWith('| sathorn_'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const listed = async () => (await Promise.all(DATABASE_ROLES.map((role) => listGrants(owner, role)))).flat();
    const answered = rows.map(([, role, object, may]) => `${role} ${object}: ${may}`);
    expect(answered.toSorted()).toEqual((await listed()).toSorted());
    expect(rows.filter(([, , , , gain = '', holds = '']) => gain.length < 4 || holds.length < 2)).toEqual([]);
    await owner.query(`BEGIN; CREATE TABLE options.leak (units bigint, at timestamptz); GRANT INSERT (units) ON options.leak TO sathorn_app;
      GRANT UPDATE (id) ON options.orders TO sathorn_app`);
    expect((await listed()).filter((row) => !answered.includes(row))).toEqual([
      'sathorn_app options.leak: insert units',
      expect.stringMatching(/^sathorn_app options\.orders: .*update id /),
    ]);
    await owner.query('ROLLBACK');
  });
});
