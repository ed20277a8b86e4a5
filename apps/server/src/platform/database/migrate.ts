import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Connection } from './postgres-connection.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
const BASELINE = new URL('baseline/', MIGRATIONS);
const LOCK = 7_000_001;
/** The files of the baseline; each comes after the files whose tables it uses. */
const MODULES = (
  'ledger market proofs customers options files content messages contracts operators chain deposits withdrawals payees ' +
  'certifications earning offer pauses consents rewards boxes support invites disputes safeguards alerts status ' +
  'corrections books demo push votes'
).split(' ');
/** A version that still has the migrations that the baseline replaced. */
const BEFORE_BASELINE = '903be995';
/** Earlier texts of migrations with the same result: only PostgreSQL 18 could read a statement in 4. */
const FORMER: Readonly<Record<number, string>> = {
  4: 'd13174dccdb23a14f0c7457231505a2dab27a0883e4c140449ffcd61429f708d',
};

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly hash: string;
}

const numberOf = (name: string): number => Number(name.slice(0, 4));

/** The migrations that the baseline replaced. A new database gets their result from the baseline. */
async function readReplaced(): Promise<Migration[]> {
  const hashes = JSON.parse(await readFile(new URL('applied.json', BASELINE), 'utf8')) as Record<string, string>;
  return Object.entries(hashes).map(([name, hash]) => ({ number: numberOf(name), name, hash }));
}

async function readMigrations(): Promise<(Migration & { text: string })[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}-[a-z-]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, MIGRATIONS), 'utf8');
      return { number: numberOf(name), name, text, hash: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

async function inTransaction(client: pg.Client, name: string, work: () => Promise<unknown>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${name} failed`, { cause: error });
  }
}

async function applyBaseline(client: pg.Client, replaced: readonly Migration[]): Promise<void> {
  const texts = await Promise.all(MODULES.map((name) => readFile(new URL(`${name}.sql`, BASELINE), 'utf8')));
  // Some functions refer to tables that later files create.
  await client.query('SET LOCAL check_function_bodies = off');
  for (const text of texts) await client.query(text);
  await client.query(
    'INSERT INTO public.migration (number, name, hash) SELECT * FROM unnest($1::int[], $2::text[], $3::text[])',
    [replaced.map(({ number }) => number), replaced.map(({ name }) => name), replaced.map(({ hash }) => hash)],
  );
}

interface RolePasswords {
  readonly app: string;
  readonly index: string;
  readonly checker: string;
  readonly signer: string;
  readonly log: string;
}

async function ensureRole(client: pg.Client, role: string, password: string | undefined): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  if (!rowCount) await client.query(`CREATE ROLE ${role} LOGIN NOINHERIT`);
  if (password) await client.query(`ALTER ROLE ${role} PASSWORD ${client.escapeLiteral(password)}`);
}

/**
 * Gives an empty database the baseline, and any other the migrations that it lacks: forward only, each in one
 * transaction, one process at a time. Throws if an applied file has been changed, or if the database is older than the
 * baseline.
 */
export async function migrate(owner: Connection, passwords?: RolePasswords): Promise<string[]> {
  const client = new pg.Client(owner);
  // Without a listener, a lost connection would end the process before the query's own error is reported.
  client.on('error', () => undefined);
  await client.connect();
  const applied: string[] = [];
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    // Dozens of commits need not wait for the disk one by one: after a crash, lost migrations are applied again.
    await client.query('SET synchronous_commit = off');
    await ensureRole(client, 'sathorn_app', passwords?.app);
    await ensureRole(client, 'sathorn_index', passwords?.index);
    await ensureRole(client, 'sathorn_checker', passwords?.checker);
    await ensureRole(client, 'sathorn_signer', passwords?.signer);
    await ensureRole(client, 'sathorn_log', passwords?.log);
    await client.query(`CREATE TABLE IF NOT EXISTS public.migration (
      number int PRIMARY KEY, name text NOT NULL, hash text NOT NULL, at timestamptz NOT NULL DEFAULT now())`);
    const { rows } = await client.query<{ number: number; hash: string }>('SELECT number, hash FROM public.migration');
    const known = new Map(rows.map((row) => [row.number, row.hash]));
    const [replaced, migrations] = await Promise.all([readReplaced(), readMigrations()]);
    const all = [...replaced, ...migrations];
    // A newer version has changed the schema in unknown ways; older code must not move money on it.
    const newest = Math.max(0, ...known.keys());
    if (newest > (all.at(-1)?.number ?? 0))
      throw new Error(`this database has migration ${newest} of a newer version: start that version`);
    for (const { number, name, hash } of all) {
      const before = known.get(number);
      if (before !== undefined && before !== hash && before !== FORMER[number])
        throw new Error(`migration ${name} was changed after it was applied: restore it, and write a new one`);
    }
    const missing = replaced.find(({ number }) => !known.has(number));
    if (missing && known.size > 0)
      throw new Error(
        `this database is of an older version and lacks migration ${missing.name}: start version ${BEFORE_BASELINE} once, then this one`,
      );
    if (missing) {
      await inTransaction(client, 'baseline', () => applyBaseline(client, replaced));
      applied.push(...replaced.map(({ name }) => name));
    }
    for (const { number, name, text, hash } of migrations) {
      if (known.has(number)) continue;
      await inTransaction(client, name, async () => {
        await client.query(text);
        await client.query('INSERT INTO public.migration (number, name, hash) VALUES ($1, $2, $3)', [
          number,
          name,
          hash,
        ]);
      });
      applied.push(name);
    }
    return applied;
  } finally {
    await client.end();
  }
}
