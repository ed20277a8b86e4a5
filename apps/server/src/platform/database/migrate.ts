import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Connection } from './postgres-connection.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
const LOCK = 7_000_001;
/** Earlier texts of a migration that make the same schema: only PostgreSQL 18 could read a statement in 4. */
const FORMER: Readonly<Record<number, string>> = {
  4: 'd13174dccdb23a14f0c7457231505a2dab27a0883e4c140449ffcd61429f708d',
};

async function readMigrations(): Promise<{ number: number; name: string; text: string; hash: string }[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}-[a-z-]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, MIGRATIONS), 'utf8');
      return { number: Number(name.slice(0, 4)), name, text, hash: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

export interface RolePasswords {
  readonly app: string;
  readonly index: string;
  readonly checker: string;
  readonly signer: string;
}

async function ensureRole(client: pg.Client, role: string, password: string | undefined): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  if (!rowCount) await client.query(`CREATE ROLE ${role} LOGIN NOINHERIT`);
  if (password) await client.query(`ALTER ROLE ${role} PASSWORD ${client.escapeLiteral(password)}`);
}

/**
 * Applies missing migrations: forward only, each file in one transaction, one process at a time. Throws if an applied
 * file has been changed.
 */
export async function migrate(owner: Connection, passwords?: RolePasswords): Promise<string[]> {
  const client = new pg.Client(owner);
  // Without a listener, a lost connection would end the process before the query's own error is reported.
  client.on('error', () => undefined);
  await client.connect();
  const applied: string[] = [];
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    // Dozens of commits need not wait for the disk one by one: after a crash those that are missing are applied again.
    await client.query('SET synchronous_commit = off');
    await ensureRole(client, 'sathorn_app', passwords?.app);
    await ensureRole(client, 'sathorn_index', passwords?.index);
    await ensureRole(client, 'sathorn_checker', passwords?.checker);
    await ensureRole(client, 'sathorn_signer', passwords?.signer);
    await client.query(`CREATE TABLE IF NOT EXISTS public.migration (
      number int PRIMARY KEY, name text NOT NULL, hash text NOT NULL, at timestamptz NOT NULL DEFAULT now())`);
    const { rows } = await client.query<{ number: number; hash: string }>('SELECT number, hash FROM public.migration');
    const known = new Map(rows.map((row) => [row.number, row.hash]));
    const migrations = await readMigrations();
    // A newer version has changed the schema in unknown ways; older code must not move money on it.
    const newest = Math.max(0, ...known.keys());
    if (newest > (migrations.at(-1)?.number ?? 0))
      throw new Error(`this database has migration ${newest} of a newer version: start that version`);
    for (const { number, name, text, hash } of migrations) {
      const before = known.get(number);
      if (before === hash || (before !== undefined && before === FORMER[number])) continue;
      if (before !== undefined)
        throw new Error(`migration ${name} was changed after it was applied: restore it, and write a new one`);
      await client.query('BEGIN');
      try {
        await client.query(text);
        await client.query('INSERT INTO public.migration (number, name, hash) VALUES ($1, $2, $3)', [
          number,
          name,
          hash,
        ]);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw new Error(`migration ${name} failed`, { cause: error });
      }
      applied.push(name);
    }
    return applied;
  } finally {
    await client.end();
  }
}
