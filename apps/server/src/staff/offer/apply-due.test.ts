import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { FieldsReader } from './fields-reader.ts';
import { type Offer, type OfferDependencies, openOffer } from './index.ts';

let test: TestDatabase;
let owner: pg.Pool;
const applied: string[] = [];
const told: string[] = [];
const audited: string[] = [];
const now = new Date('2027-01-01T00:00:00Z');

beforeAll(async () => {
  test = await openTestDatabase();
  owner = new pg.Pool({ ...test.owner, max: 1 });
  await owner.query('UPDATE market.guard SET virtual_clock = true');
});
afterAll(async () => {
  await owner.end();
  await test.close();
});

/** Opens another process with a kind that records what it applies. */
async function open(isBroken = false): Promise<Offer> {
  const { api } = await openOffer({
    database: test.database,
    clock: systemClock,
    audit: { append: async (_transaction: unknown, { what }: { what: string }) => void audited.push(what) },
    everybody: async (_queries: unknown, after: bigint) => (after < 3n ? [after + 1n] : []),
    notify: async (customer: bigint, _change: unknown, _now: Date, once: string) =>
      void told.push(`${customer} ${once}`),
    onFault: (error: unknown) => {
      throw error;
    },
  } as unknown as OfferDependencies);
  api.addKind({
    name: 'fee',
    page: 'products',
    subjects: ['contracts'],
    read: (_subject, from) => ({ levels: from.list('levels', { min: 1, max: 9 }, () => ({})) }),
    async apply(transaction, { version, approval }) {
      // Long enough for the other process to attempt the same.
      await transaction.query({ name: '', text: 'SELECT pg_sleep(0.1)' });
      if (isBroken) throw new Error('broken');
      applied.push(`${version} ${approval}`);
    },
  });
  return api;
}

const schedule = async (effectiveFrom: string): Promise<string> => {
  const approval = randomUUID();
  await owner.query(
    `INSERT INTO offer.version (kind, subject, version, effective_from, fields, approval)
     SELECT 'fee', 'contracts', 1 + max(version), $1, '{"levels":[{"maker":"0.001","taker":"0.002"}]}', $2 FROM offer.version WHERE kind = 'fee'`,
    [effectiveFrom, approval],
  );
  return approval;
};

it('terms take effect once, at their time, whichever process is first and whatever fails', async () => {
  const approval = await schedule('2026-12-31T00:00:00Z');
  const first = await open();
  expect(first.scheduled('fee')).toHaveLength(1);
  expect(await first.applyDue(new Date('2026-12-30T23:59:59Z'))).toBe(0);
  await expect((await open(true)).applyDue(now)).rejects.toThrow('broken');
  expect(first.inForce('fee', 'contracts')?.levels).toHaveLength(7);

  const processes = await Promise.all([open(), open(), open()]);
  const counts = await Promise.all([first, ...processes].map((process) => process.applyDue(now)));
  expect(counts.reduce((sum, count) => sum + count)).toBe(1);
  expect([applied, audited]).toEqual([[`2 ${approval}`], ['offer.applied']]);
  await first.refresh();
  expect(first.inForce('fee', 'contracts')?.levels).toHaveLength(1);
  expect(first.scheduled()).toEqual([]);
});

it('a change is announced to everybody once, and one that was stopped never takes effect', async () => {
  await schedule('2027-02-01T00:00:00Z');
  const process = await open();
  await process.announce(now);
  await process.announce(now);
  expect(told.filter((one) => one.endsWith('fee/contracts/3/1'))).toHaveLength(1);
  expect(new Set(told.map((one) => one.split(' ')[0]))).toEqual(new Set(['1', '2', '3']));
  await owner.query(`INSERT INTO operators.operator (work_name, roles) VALUES ('som', '{admin}')`);
  await owner.query(
    `UPDATE offer.version SET stopped_at = now(), stopped_by = (SELECT min(id) FROM operators.operator), stop_reason = 'x'
     WHERE kind = 'fee' AND version = 3`,
  );
  expect(await process.applyDue(new Date('2027-03-01T00:00:00Z'))).toBe(0);
  expect(applied).toHaveLength(1);
});

it('a reader finds the field that is wrong, and normalises the others', () => {
  const reader = new FieldsReader({ min: '10', stages: [{ rate: '0.050' }, { rate: '1e9' }] });
  expect(reader.usdt('min')).toBe('10.000000');
  reader.list('stages', { min: 1, max: 3 }, (stage) => stage.rate('rate', '1'));
  expect(reader.fault).toBe('stages.1.rate');
});
