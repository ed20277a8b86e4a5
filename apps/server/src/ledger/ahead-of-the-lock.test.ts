import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findViolations } from '../checker/checker/index.ts';
import { Bus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/database/index.ts';
import { openTestDatabase, recordStatements, type TestDatabase } from '../platform/database/testing.ts';
import { type Ledger, openLedger } from './index.ts';
import { brokenKind, giveKind, newIntent, payKind } from './testing-payments.ts';

describe('a speculative batch', () => {
  let test: TestDatabase;
  let owner: pg.Client;
  let ledger: Ledger;
  /** Names of the statements sent since the test began. */
  let statements: string[] = [];
  let customer = 500n;

  beforeAll(async () => {
    test = await openTestDatabase({ anyPurpose: true });
    owner = new pg.Client(test.owner);
    await owner.connect();
    ledger = openLedger({
      eligibility: null,
      database: recordStatements(test.database, (name) => statements.push(name)),
      clock: systemClock,
      bus: new Bus(),
    }).api;
  });
  beforeEach(async () => {
    // After this many batches under the lock, memory is trusted again, whatever happened before.
    customer += 1n;
    for (let n = 0; n < 70; n += 1) await ledger.post(giveKind, { from: customer, units: 10n }, newIntent());
    statements = [];
    await ledger.post(giveKind, { from: customer, units: 10n }, newIntent());
    expect(statements).toEqual(['ledger.post']);
    await ledger.post(payKind, { from: customer, units: 1n }, newIntent());
    statements = [];
  });
  afterAll(async () => {
    expect(await findViolations(test.checker)).toEqual([]);
    await owner.end();
    await test.close();
  });

  const available = async (): Promise<bigint | undefined> =>
    (await ledger.balances(customer)).find(({ account }) => account.name === 'spot')?.available;
  const elsewhere = (): Ledger =>
    openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus() }).api;

  it('is sent in one pipeline', async () => {
    const pays = await Promise.all(
      [5n, 700n, 4n].map((units) => ledger.post(payKind, { from: customer, units }, newIntent())),
    );
    expect(pays).toMatchObject([
      { ok: true, effect: { left: '704' } },
      { ok: true },
      { ok: true, effect: { left: '0' } },
    ]);
    expect(statements).toEqual(['ledger.post']);
    expect(await available()).toBe(0n);
  });

  it('is decided again under the lock if another process posted first', async () => {
    await elsewhere().post(payKind, { from: customer, units: 700n }, newIntent());
    const decision = await ledger.post(payKind, { from: customer, units: 10n }, newIntent());
    expect(decision).toMatchObject({ ok: false, refusal: 'exceeds_balance' });
    expect(statements.filter((name) => name === 'ledger.post')).toHaveLength(2);
    expect(statements).toContain('ledger.lock_head');
    expect(await available()).toBe(9n);
  });

  it('repeats the first answer of an intent, and does not fail the rest of the batch', async () => {
    const [first, other] = [newIntent(), newIntent()];
    const before = await ledger.post(payKind, { from: customer, units: 9n }, first);
    await ledger.post(payKind, { from: customer, units: 100n }, newIntent());
    const [again, beside, differs] = await Promise.all([
      ledger.post(payKind, { from: customer, units: 9n }, first),
      ledger.post(payKind, { from: customer, units: 1n }, other),
      ledger.post(payKind, { from: customer, units: 9n }, { ...first, digest: 'another' }),
    ]);
    expect(again).toEqual(before);
    expect(beside).toMatchObject({ ok: true, effect: { left: '599' } });
    expect(differs).toMatchObject({ ok: false, refusal: 'idempotency_key_reused' });
    expect(await available()).toBe(599n);
  });

  it.each([1, 4])('is tried less often the more often memory is stale: one batch in %i', async (every) => {
    const repeated = newIntent();
    await ledger.post(payKind, { from: customer, units: 1n }, repeated);
    statements = [];
    const rounds = 300;
    for (let n = 0; n < rounds; n += 1) {
      if (n % every !== 0) await ledger.post(giveKind, { from: customer, units: 1n }, newIntent());
      else await ledger.post(payKind, { from: customer, units: 1n }, repeated);
    }
    // Failed speculations are rare: each new customer is posted once, and a repeated command not at all.
    const inVain = statements.filter((name) => name === 'ledger.post').length - (rounds - Math.ceil(rounds / every));
    expect(inVain).toBeLessThan(12);
    expect(await available()).toBe(708n + BigInt(rounds - Math.ceil(rounds / every)));
  });

  it('keeps a failing entry from failing the others', async () => {
    const [fault, paid] = await Promise.allSettled([
      ledger.post(brokenKind, null, newIntent()),
      ledger.post(payKind, { from: customer, units: 1n }, newIntent()),
    ]);
    expect(fault).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } });
    expect(paid).toMatchObject({ status: 'fulfilled', value: { ok: true, effect: { left: '708' } } });
    expect(await available()).toBe(708n);
  });

  it('is refused while money is halted', async () => {
    await owner.query("UPDATE ledger.head SET halted = 'a test'");
    expect(await ledger.post(payKind, { from: customer, units: 1n }, newIntent())).toMatchObject({
      refusal: 'money_halted',
    });
    await owner.query(`SELECT ledger.resume_money('Ann', 'the test is over')`);
    expect(await available()).toBe(709n);
  });

  it('B3 is recognised as committed when its connection is lost after the commit', async () => {
    let isCut = false;
    const cutting: Database = {
      ...test.database,
      async transaction(work) {
        const result = await test.database.transaction(work);
        if (!isCut) return result;
        isCut = false;
        throw new Error('Connection terminated unexpectedly');
      },
    };
    const here = openLedger({ eligibility: null, database: cutting, clock: systemClock, bus: new Bus() }).api;
    for (let n = 0; n < 3; n += 1) await here.post(payKind, { from: customer, units: 1n }, newIntent());
    isCut = true;
    expect(await here.post(payKind, { from: customer, units: 1n }, newIntent())).toMatchObject({
      effect: { left: '705' },
    });
    expect(await available()).toBe(705n);
  });
});
