import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { CheckerMemory } from './checker-memory.ts';
import type { KeptMemory } from './memory-file.ts';
import { REMEMBERED_TABLES, type RememberedTable } from './remembered-tables.ts';
import { type AcknowledgedSubjects, Findings } from './run-invariants.ts';

const LATER_MS = 3_600_000;
/** More rows than a block plus the rows of a late table that stay open. */
const ROWS = 1_600;
/** A number that no row has. */
const GAP = 5;

let test: TestDatabase;
let owner: pg.Client;
let checker: pg.Client;
let kept: KeptMemory;

type Columns = ReadonlyMap<string, { readonly type: string; readonly udt: string }>;
const columns = new Map<string, Columns>();

/** Another value of a column's type. */
function changed(name: string, udt: string): string {
  if (udt.startsWith('_')) return `${name} || ${name}`;
  if (['int2', 'int4', 'int8', 'numeric'].includes(udt)) return `coalesce(${name}, 0) + 5000`;
  if (udt === 'timestamptz') return `coalesce(${name}, now()) + interval '1 microsecond'`;
  if (udt === 'uuid') return 'gen_random_uuid()';
  if (udt === 'bool') return `NOT ${name}`;
  if (udt === 'bytea') return `coalesce(${name}, '') || '\\x00'`;
  if (udt === 'jsonb') return `jsonb_build_object('changed', true)`;
  if (udt === 'char') return `CASE ${name} WHEN 'x' THEN 'y' ELSE 'x' END::"char"`;
  return `coalesce(${name}, '') || '.'`;
}

/** A value of a column for row `n`. */
function sampleOf(udt: string): string {
  if (udt === '_bit') return `ARRAY[n::int::bit(256)]`;
  if (udt === '_text') return `ARRAY['a', n::text]`;
  if (udt === '_uuid') return `ARRAY[md5(n::text)::uuid]`;
  if (udt.startsWith('_')) return `ARRAY[n]::${udt.slice(1)}[]`;
  if (['int2', 'int4', 'int8', 'numeric'].includes(udt)) return 'n';
  if (udt === 'timestamptz') return `timestamptz '2026-11-01' + n * interval '1 second'`;
  if (udt === 'date') return `date '2026-11-01' + n::integer`;
  if (udt === 'uuid') return `md5(n::text)::uuid`;
  if (udt === 'bool') return 'n % 2 = 0';
  if (udt === 'bytea') return `sha256(n::text::bytea)`;
  if (udt === 'jsonb') return `jsonb_build_object('n', n)`;
  if (udt === 'char') return `'s'::"char"`;
  return `'text ' || n`;
}

/** A remembered view, and the table of its rows. */
const [VIEW, VIEWED] = ['operators.proposal', 'operators.approval'];
/** The tables of all remembered views. */
const VIEWS: ReadonlyMap<string, string> = new Map([
  [VIEW, VIEWED],
  ['withdrawals.promised_time', 'withdrawals.withdrawal'],
]);
/** A generated column, and the column that it is generated from. */
const GENERATED: ReadonlyMap<string, string> = new Map([['support.message digest', 'body']]);
const TABLES = REMEMBERED_TABLES.filter(({ table }) => !VIEWS.has(table));

async function fill(of: RememberedTable, from: number, to: number): Promise<void> {
  const { partition, key } = of;
  const table = VIEWS.get(of.table) ?? of.table;
  const [schema = '', name = ''] = table.split('.');
  const { rows } = await owner.query<{ name: string; type: string; udt: string }>(
    `SELECT column_name AS name, data_type AS type, udt_name AS udt FROM information_schema.columns
     WHERE table_schema = $1 AND table_name = $2 AND is_generated = 'NEVER'`,
    [schema, name],
  );
  for (const { table: name } of REMEMBERED_TABLES)
    if ((VIEWS.get(name) ?? name) === table) columns.set(name, new Map(rows.map((row) => [row.name, row])));
  const values = rows.map((row) => (row.name === partition ? `'BTC'` : row.name === key ? 'n' : sampleOf(row.udt)));
  await owner.query(
    `INSERT INTO ${table} (${rows.map((row) => `"${row.name}"`).join()}) OVERRIDING SYSTEM VALUE
     SELECT ${values.join()} FROM generate_series(${from}, ${to}) n`,
  );
}

async function look(
  memory: CheckerMemory,
  acknowledged?: AcknowledgedSubjects,
  budgetMs = 600_000,
  now = Date.now(),
): Promise<string[]> {
  const findings = new Findings(acknowledged);
  await memory.look(checker, findings, { now, budgetMs });
  return findings.violations().flatMap(({ subjects }) => subjects);
}
/** Returns the findings of a restarted checker. */
const found = (): Promise<string[]> => look(new CheckerMemory(JSON.parse(JSON.stringify(kept)) as KeptMemory));
const keep = (memory: CheckerMemory): void => {
  kept = { v: 1, tables: memory.tables(), findings: [], halts: [] };
};

beforeAll(async () => {
  test = await openTestDatabase();
  owner = new pg.Client(test.owner);
  checker = new pg.Client(test.checker);
  await Promise.all([owner.connect(), checker.connect()]);
  await owner.query(`SET session_replication_role = replica`);
  const tables = REMEMBERED_TABLES.map(({ table }) => table);
  // The database's owner drops the constraints and triggers that would stop the change.
  const { rows } = await owner.query<{ drop: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname) AS drop FROM pg_constraint
     WHERE contype IN ('c', 'f', 'u') AND conrelid = ANY ($1::regclass[])`,
    [tables],
  );
  for (const { drop } of rows) await owner.query(drop);
  await owner.query(`DELETE FROM market.head; DELETE FROM contracts.book`);
  for (const table of tables) await owner.query(`DELETE FROM ${table}`);
  await owner.query(
    `INSERT INTO market.head (coin, sequence, at, price, hash, environment) VALUES ('BTC', 1, now(), 1, '', 'demo')`,
  );
  await owner.query(`INSERT INTO contracts.book (coin) VALUES ('BTC')`);
  for (const of of TABLES) {
    await fill(of, 1, GAP - 1);
    await fill(of, GAP + 1, ROWS);
  }
  const memory = new CheckerMemory(null);
  expect(memory.begun).toHaveLength(REMEMBERED_TABLES.length);
  expect(await look(memory)).toEqual([]);
  keep(memory);
});
afterAll(async () => {
  await Promise.all([owner.end(), checker.end()]);
  await test.close();
});

describe('what the checker once read', () => {
  it('is known after a restart, in blocks and row by row', async () => {
    for (const { table } of REMEMBERED_TABLES) {
      const partitions = Object.values(kept.tables[table]?.ways ?? {});
      const rows = partitions.reduce(
        (sum, { blocks, open }) => sum + open.length + blocks.reduce((n, block) => n + block[1], 0),
        0,
      );
      expect(rows, table).toBe(ROWS - 1);
      expect(
        partitions.some(({ blocks }) => blocks.length > 0),
        table,
      ).toBe(true);
      expect(
        partitions.some(({ open }) => open.length > 0),
        table,
      ).toBe(true);
    }
    const memory = new CheckerMemory(kept);
    expect(memory.begun).toEqual([]);
    expect(await look(memory)).toEqual([]);
    expect(memory.passMs).not.toBeNull();
    expect(memory.rows).toBe((ROWS - 1) * REMEMBERED_TABLES.length);
  });

  it('is compared column by column', async () => {
    const edits = REMEMBERED_TABLES.flatMap((of) =>
      of.columns.filter((name) => name !== of.partition && name !== of.key).map((name) => ({ of, name })),
    );
    // Changes one column of a table at a time, in no more rows than a finding names. The oldest row is in a block, the
    // newest is open.
    for (let n = 0; n < Math.max(...REMEMBERED_TABLES.map(({ columns: { length } }) => length)); n++)
      for (let from = 0; from < REMEMBERED_TABLES.length; from += 8) {
        const some = REMEMBERED_TABLES.slice(from, from + 8);
        const now = some.flatMap((of) => edits.filter((edit) => edit.of === of)[n] ?? []);
        if (now.length === 0) continue;
        for (const { of, name: remembered } of now) {
          const name = GENERATED.get(`${of.table} ${remembered}`) ?? remembered;
          const { udt = '' } = columns.get(of.table)?.get(name) ?? {};
          const { rowCount } = await owner.query(
            `UPDATE ${of.table} SET ${name} = ${changed(name, udt)} WHERE ${of.key} IN (1, ${ROWS})`,
          );
          expect(rowCount).toBe(2);
        }
        const subjects = await found();
        for (const { of, name } of now) {
          const its = subjects.filter((subject) => subject.startsWith(of.table));
          expect(its, `${of.table}.${name}`).toHaveLength(2);
          await owner.query(`DELETE FROM ${of.table} WHERE ${of.key} IN (1, ${ROWS})`);
          await fill(of, 1, 1);
          await fill(of, ROWS, ROWS);
        }
        expect(subjects).toHaveLength(2 * now.length);
      }
    expect(await found()).toEqual([]);
  });

  it('cannot be deleted unnoticed, nor can rows be inserted among them', async () => {
    for (const of of REMEMBERED_TABLES) {
      await owner.query(`DELETE FROM ${of.table} WHERE ${of.key} IN (2, ${ROWS})`);
      const subjects = (await found()).join();
      expect(subjects, of.table).toMatch(/now 511 of 512|now 15 of 16/);
      expect(subjects, of.table).toContain(`${ROWS}, gone`);
      await fill(of, 2, 2);
      await fill(of, ROWS, ROWS);
      await fill(of, GAP, GAP);
      expect((await found()).join(), of.table).toMatch(/now 513 of 512|now 17 of 16/);
      await owner.query(`DELETE FROM ${of.table} WHERE ${of.key} = ${GAP}`);
    }
    expect(await found()).toEqual([]);
  });

  it('stays known when an update remembers more of the same rows', async () => {
    const { [VIEW]: _, ...tables } = kept.tables;
    const older = (): CheckerMemory => new CheckerMemory({ ...kept, tables });
    const memory = older();
    expect(memory.begun).toEqual([VIEW]);
    expect(await look(memory)).toEqual([]);
    await owner.query(`UPDATE ${VIEWED} SET reason = 'other', step_up = gen_random_uuid() WHERE arrival = 7`);
    expect(await look(older())).toEqual([expect.stringContaining(`${VIEWED} 1 to 513, now 512 of 512`)]);
    expect(await look(memory)).toEqual([
      expect.stringContaining(`${VIEWED} 1 to 513, now 512 of 512`),
      expect.stringContaining(`${VIEW} 1 to 513, now 512 of 512`),
    ]);
    await owner.query(`DELETE FROM ${VIEWED} WHERE arrival = 7`);
    await fill(REMEMBERED_TABLES.find(({ table }) => table === VIEWED) as RememberedTable, 7, 7);
    expect(await found()).toEqual([]);
  });

  it('is reported until it is repaired or acknowledged, and the next change is another finding', async () => {
    const memory = new CheckerMemory(kept);
    await owner.query(`UPDATE customers.freeze SET until = until + interval '1 day' WHERE arrival = 1600`);
    const first = await look(memory);
    expect(first).toEqual([expect.stringMatching(/^customers\.freeze 1600, now [0-9a-f]{16}$/)]);
    expect(await look(memory)).toEqual(first);
    const acknowledged = new Map([['M1', new Set(first)]]);
    expect(await look(memory, acknowledged)).toEqual([]);
    await owner.query(`UPDATE customers.freeze SET until = until + interval '1 day' WHERE arrival = 1600`);
    const second = await look(memory, acknowledged);
    expect(second).toHaveLength(1);
    expect(second).not.toEqual(first);
    await owner.query(`DELETE FROM customers.freeze WHERE arrival = 1600`);
    await fill(REMEMBERED_TABLES.find(({ table }) => table === 'customers.freeze') as RememberedTable, 1600, 1600);
    expect(await found()).toEqual([]);
  });

  it('may be followed by new rows, also by one whose number was assigned before those of others', async () => {
    const memory = new CheckerMemory(kept);
    const some = ['ledger.transfer', 'contracts.trade', 'customers.freeze', 'ledger.halt'];
    for (const of of REMEMBERED_TABLES.filter(({ table }) => some.includes(table))) {
      await fill(of, ROWS + 2, ROWS + 2);
      expect(await look(memory), of.table).toEqual([]);
      await fill(of, ROWS + 1, ROWS + 1);
      expect((await look(memory)).length, of.table).toBe(of.isLate ? 0 : 1);
      await owner.query(`DELETE FROM ${of.table} WHERE ${of.key} > ${ROWS}`);
      const acknowledged = new Map([['M1', new Set(await look(memory))]]);
      expect(await look(memory, acknowledged)).toEqual([]);
    }
  });

  it('closes a late table’s rows only when none can appear among them any more', async () => {
    const of = REMEMBERED_TABLES.find(({ table }) => table === 'deposits.bank_line') as RememberedTable;
    const memory = new CheckerMemory(kept);
    const blocks = () => memory.tables()[of.table]?.ways['']?.blocks.length;
    const before = blocks();
    await fill(of, ROWS + 1, 3 * ROWS);
    const now = Date.now();
    expect(await look(memory, undefined, 0, now)).toEqual([]);
    expect(blocks()).toBe((before ?? 0) + 2);
    expect(await look(memory, undefined, 0, now + LATER_MS)).toEqual([]);
    expect(blocks()).toBeGreaterThan((before ?? 0) + 3);
    await owner.query(`DELETE FROM ${of.table} WHERE arrival > ${ROWS}`);
  });

  it('I9 goes back to the moment of a restore, and no further', async () => {
    const memory = new CheckerMemory(kept);
    for (const of of REMEMBERED_TABLES) await owner.query(`DELETE FROM ${of.table} WHERE ${of.key} > 1300`);
    await owner.query(`UPDATE ledger.transfer SET at = at + interval '1 second' WHERE sequence = 7`);
    memory.cutAtNextLook();
    expect(await look(memory)).toEqual([expect.stringMatching(/^ledger\.transfer 1 to 513, now 512 of 512 rows/)]);
    await owner.query(`DELETE FROM ledger.transfer WHERE sequence = 7`);
    const transfers = REMEMBERED_TABLES[0] as RememberedTable;
    await fill(transfers, 7, 7);
    expect(await look(memory)).toEqual([]);
    await owner.query(`DELETE FROM ledger.halt WHERE id = 1300`);
    expect(await look(memory)).toEqual(['ledger.halt 1300, gone']);
    for (const of of TABLES) await fill(of, of.table === 'ledger.halt' ? 1300 : 1301, ROWS);
    expect(await found()).toEqual([]);
  });

  it('contains only columns that neither the application nor the signer may change', async () => {
    for (const { table, columns: names } of REMEMBERED_TABLES)
      for (const name of names)
        for (const role of ['sathorn_app', 'sathorn_signer', 'sathorn_index', 'sathorn_log', 'sathorn_checker']) {
          const { rows } = await owner.query<{ may: boolean }>(
            `SELECT has_column_privilege($1, $2, $3, 'UPDATE') OR has_table_privilege($1, $2, 'DELETE') AS may`,
            [role, table, name],
          );
          expect(rows[0]?.may, `${role} on ${table}.${name}`).toBe(false);
        }
  });
});
