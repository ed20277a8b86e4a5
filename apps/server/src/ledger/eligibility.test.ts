import { accept } from '@sathorn/settlement';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import { openTestDatabase, recordStatements, type TestDatabase } from '../platform/database/testing.ts';
import { customerAccount, houseAccount, type JournalKind, type Ledger, type LoadedKind, openLedger } from './index.ts';
import { giveKind, newIntent, type Payment, payKind } from './testing-payments.ts';

const [ANAN, MALI] = [1n, 2n];
const ALIVE = { name: 'test.alive', text: 'SELECT 1' };

/** A plain kind that relies on the ledger to refuse frozen customers, by declaring whose money it moves. */
const withdraw: JournalKind<Payment, null, 'account_frozen'> = {
  name: 'test.withdraw',
  customer: ({ from }) => from,
  accounts: ({ from }) => [customerAccount(from, 'USDT')],
  decide: ({ from, units }) =>
    accept({
      transfers: [
        {
          kind: 'single',
          debit: customerAccount(from, 'USDT'),
          credit: houseAccount('options_pool', 'USDT'),
          units,
          code: 'option_stake',
        },
      ],
      answer: null,
    }),
};
const loaded: LoadedKind<Payment, null, null, 'account_frozen'> = {
  ...withdraw,
  name: 'test.loaded',
  load: async () => null,
};

describe('a customer who may not move money', () => {
  let test: TestDatabase;
  let ledger: Ledger;
  const frozen = new Set<bigint>();
  /** The customers of each check, with the function that was called. */
  let asked: [string, readonly bigint[]][] = [];
  let statements: string[] = [];

  beforeAll(async () => {
    test = await openTestDatabase({ anyPurpose: true });
    ledger = openLedger({
      database: recordStatements(test.database, (name) => statements.push(name)),
      clock: systemClock,
      bus: new Bus(),
      eligibility: {
        async readFrozen(queries, customers) {
          asked.push(['read', customers]);
          await queries.query(ALIVE);
          return new Set(customers.filter((customer) => frozen.has(customer)));
        },
        async refuseFrozen(queries, customers) {
          asked.push(['refuse', customers]);
          const isRefused = customers.some((customer) => frozen.has(customer));
          await queries.query(isRefused ? { name: 'test.refuse', text: 'SELECT 1 / 0' } : ALIVE);
        },
      },
    }).api;
    for (const from of [ANAN, MALI]) await ledger.post(giveKind, { from, units: 1_000n }, newIntent());
  });
  afterAll(() => test.close());

  const take = (from: bigint) => ledger.post(withdraw, { from, units: 1n }, newIntent());
  const untilSpeculative = async (): Promise<void> => {
    for (let n = 0; n < 100; n += 1) {
      statements = [];
      await take(MALI);
      if (!statements.includes('ledger.lock_head')) return;
    }
    throw new Error('no batch is ever speculative');
  };

  it('is checked once per batch, under the lock or in the database', async () => {
    const elsewhere = openLedger({
      database: test.database,
      clock: systemClock,
      bus: new Bus(),
      eligibility: null,
    }).api;
    await untilSpeculative();
    asked = [];
    await Promise.all([take(ANAN), take(MALI), take(MALI)]);
    expect(asked).toEqual([['refuse', [ANAN, MALI]]]);
    await elsewhere.post(giveKind, { from: ANAN, units: 1n }, newIntent());
    asked = [];
    await Promise.all([take(MALI), take(ANAN)]);
    expect(asked).toEqual([
      ['refuse', [MALI, ANAN]],
      ['read', [MALI, ANAN]],
    ]);
  });

  it('is refused by the ledger; the rest of the batch is not refused, and the answer is final', async () => {
    await untilSpeculative();
    frozen.add(ANAN);
    const id = newIntent();
    const [theirs, others] = await Promise.all([ledger.post(withdraw, { from: ANAN, units: 1n }, id), take(MALI)]);
    expect(theirs).toEqual({ ok: false, refusal: 'account_frozen' });
    expect(others).toMatchObject({ ok: true });
    frozen.clear();
    expect(await ledger.post(withdraw, { from: ANAN, units: 1n }, id)).toEqual(theirs);
    expect(await take(ANAN)).toMatchObject({ ok: true });
  });

  it('may still use kinds that exempt frozen customers', async () => {
    frozen.add(ANAN);
    expect(await ledger.post(payKind, { from: ANAN, units: 1n }, newIntent())).toMatchObject({ ok: true });
    frozen.clear();
  });

  it('is refused by the ledger too when the kind reads rows of its module', async () => {
    frozen.add(ANAN);
    expect(await ledger.post(loaded, { from: ANAN, units: 1n }, newIntent())).toMatchObject({
      refusal: 'account_frozen',
    });
    frozen.clear();
    expect(await ledger.post(loaded, { from: ANAN, units: 1n }, newIntent())).toMatchObject({ ok: true });
  });
});
