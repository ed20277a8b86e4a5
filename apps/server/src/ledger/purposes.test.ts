import { randomUUID } from 'node:crypto';
import { money, parseMoney } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../checker/checker/index.ts';
import { DEMO_HOUSE_FUNDINGS, fundDemoHouse } from '../demo/demo/index.ts';
import { Bus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import {
  ACCOUNTS,
  customerAccount,
  HOUSE_OWNER,
  houseAccount,
  type JournalKind,
  type Ledger,
  openLedger,
  PURPOSE_ROWS,
  type Transfer,
} from './index.ts';

const [ALICE, BOB] = [customerAccount(1_000_000_001n, 'USDT'), customerAccount(1_000_000_002n, 'USDT')];
const [EQUITY, POOL, FUND] = (['equity', 'options_pool', 'demo_fund'] as const).map((name) =>
  houseAccount(name, 'USDT'),
);
const single = (debit = EQUITY, credit = ALICE, code: Transfer['code'] = 'capital_paid_in'): Transfer => {
  if (debit === undefined) throw new Error('an account is missing');
  return { kind: 'single', debit, credit, units: 5n, code };
};

const posting: JournalKind<Transfer, null, never> = {
  name: 'test.post',
  customer: () => null,
  accounts: (transfer) => ('debit' in transfer ? [transfer.debit, transfer.credit] : []),
  decide: (transfer) => accept({ transfers: [transfer], answer: null }),
};

const MINTS: readonly [what: string, transfer: Transfer][] = [
  ['capital to a customer', single()],
  ['capital to the options pool', single(EQUITY, POOL)],
  ['a fund’s money to a customer, as capital', single(FUND, ALICE)],
  ['equity to a customer, as test money', single(EQUITY, ALICE, 'demo_money')],
  ['the house’s capital to its pool', single(EQUITY, POOL, 'pool_funded')],
  ['one customer’s money to another, as test money', single(ALICE, BOB, 'demo_money')],
  [
    'one customer’s money into another’s orders',
    single(ALICE, customerAccount(1_000_000_002n, 'USDT', 'in_orders'), 'contract_hold'),
  ],
  ['a stake that is paid at once', single(ALICE, POOL, 'option_stake')],
];

describe('what a transfer is for', () => {
  let test: TestDatabase;
  let owner: pg.Client;
  let ledger: Ledger;
  const post = (transfer: Transfer) => ledger.post(posting, transfer, { id: randomUUID(), digest: 'd' });
  const found = async () => (await findViolations(test.checker, 'platform')).map(({ invariant }) => invariant);
  beforeAll(async () => {
    test = await openTestDatabase();
    owner = new pg.Client(test.owner);
    await owner.connect();
    ledger = openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus() }).api;
    await fundDemoHouse(ledger);
    await owner.query(
      `INSERT INTO customers.customer (id, username, username_key, email, email_since, nickname, currency, language, invite_code, created_at)
       SELECT 1000000000 + n, 'alice' || n, 'alice' || n, n || '@demo.example', now(), 'alice', 'USDT', 'en', 'ALICEXX' || n, now() FROM generate_series(1, 2) AS n`,
    );
  });
  afterAll(async () => {
    await owner.end();
    await test.close();
  });

  it.each(MINTS)('is not that the application moves %s', async (_what, transfer) => {
    await expect(post(transfer)).rejects.toMatchObject({ code: 'LD009' });
  });

  it('does not let a settlement charge one customer in favour of another', async () => {
    const [stake] = await owner
      .query<{ id: string }>(`SELECT id FROM ledger.account WHERE owner = 0 AND code = 210 AND asset = 'USDT'`)
      .then(({ rows }) => rows);
    const charge = `SELECT ledger.resolve($1, 'x', 'x', '{s}', ARRAY[(SELECT max(sequence) FROM ledger.transfer)], '{1}', $2, 22::smallint)`;
    await expect(
      test.database.query({ name: 'charge', text: charge }, [randomUUID(), stake?.id]),
    ).rejects.toMatchObject({
      code: 'LD009',
    });
  });

  it('is the same in the chart and in the database, and test money is allowed as in a demonstration', async () => {
    const { rows } = await owner.query(
      `SELECT code, kinds::text[] AS kinds, debits, credits, is_own AS "isOwn", posted_by AS "postedBy", is_of_demo AS "isDemo" FROM ledger.purpose`,
    );
    const textsOf = (purposes: readonly object[]) =>
      purposes.map((purpose) => JSON.stringify(Object.entries(purpose).sort())).sort();
    expect(textsOf(rows)).toEqual(textsOf(PURPOSE_ROWS));
    const { rows: capital } = await owner.query('SELECT code, asset, units::text FROM ledger.demo_capital');
    expect(capital.map(({ code, asset, units }) => `${code} ${asset} ${units}`).sort()).toEqual(
      DEMO_HOUSE_FUNDINGS.map(
        ([to, asset, text]) => `${ACCOUNTS[to].code} ${asset} ${parseMoney(asset, text)?.units}`,
      ).sort(),
    );
  });

  it('lets the owner pay in capital that two people decided, and the checker compares it', async () => {
    expect(await found()).toEqual([]);
    const payIn = (asked: string) =>
      owner.query(`SELECT ledger.pay_in_capital('options_pool', 1234.5, 'USDT', ${asked})`);
    await expect(payIn(`'Ann', ' ann ', 'more orders'`)).rejects.toThrow('two_people');
    await expect(payIn(`'Ann', '', 'more orders'`)).rejects.toThrow('approved_by');
    const before = (await ledger.balances(HOUSE_OWNER)).find(({ account }) => account.name === 'options_pool');
    await payIn(`'Ann', 'Ben', 'more orders'`);
    const after = (await ledger.balances(HOUSE_OWNER)).find(({ account }) => account.name === 'options_pool');
    expect((after?.available ?? 0n) - (before?.available ?? 0n)).toBe(money('USDT', 1_234_500_000n).units);
    // Other posters of the platform continue after it.
    expect((await post(single(FUND, ALICE, 'demo_money'))).ok).toBe(true);
    expect(await found()).toEqual([]);
    const denied = { name: 'pay_in', text: `SELECT ledger.pay_in_capital('maker', 1, 'USDT', 'Ann', 'Ben', 'more')` };
    await expect(test.database.query(denied)).rejects.toThrow('permission denied');
  });

  it('the checker finds a million that the owner of the database created out of equity', async () => {
    // The forged journal, transfer, counters and balances are consistent with each other.
    await owner.query('BEGIN');
    await owner.query(`CREATE OR REPLACE FUNCTION ledger.refuse_purposes(_kinds text[], _debits bigint[], _credits bigint[], _codes smallint[])
      RETURNS void LANGUAGE sql SET search_path = ledger, pg_temp AS ''`);
    await owner.query(`DO $$ DECLARE e ledger.account; a ledger.account; next bigint; j uuid := gen_random_uuid(); BEGIN
      SELECT * INTO e FROM ledger.account WHERE owner = 0 AND code = 100 AND asset = 'USDT';
      SELECT * INTO a FROM ledger.account WHERE owner = 1000000001 AND asset = 'USDT';
      SELECT last_sequence + 1 INTO next FROM ledger.head;
      PERFORM ledger.post(next, ARRAY[j], '{x}', '{x}', '{NULL}', '{NULL}', ARRAY[next], '{1}', ARRAY[j], '{s}', '{NULL}', '{USDT}', ARRAY[e.id], ARRAY[a.id],
        '{1000000000000}', '{0}', '{1}', ARRAY[e.entries + 1], ARRAY[-e.debits_posted - 1000000000000], '{0}', ARRAY[a.entries + 1],
        ARRAY[a.credits_posted - a.debits_posted + 1000000000000], '{0}'); END $$`);
    await owner.query('COMMIT');
    expect(await found()).toEqual(['E1', 'K1']);
  });
});

describe('in a live deployment', () => {
  it('test money is refused, whoever opens its accounts', async () => {
    const test = await openTestDatabase();
    const owner = new pg.Client(test.owner);
    await owner.connect();
    try {
      expect((await owner.query(`SELECT ledger.declare_mode('live') AS mode`)).rows).toEqual([{ mode: 'live' }]);
      expect((await owner.query(`SELECT ledger.declare_mode('demo') AS mode`)).rows).toEqual([{ mode: 'live' }]);
      await expect(owner.query(`UPDATE ledger.deployment SET mode = 'demo'`)).rejects.toThrow('append-only');
      const ledger = openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus() }).api;
      await expect(fundDemoHouse(ledger)).rejects.toMatchObject({ code: 'LD009' });
      await expect(
        test.database.query({ name: 'declare', text: `SELECT ledger.declare_mode('demo')` }),
      ).rejects.toThrow('permission denied');
      await owner.query(
        `SELECT ledger.pay_in_capital('options_pool', 5000, 'USDT', 'Ann', 'Ben', 'the first capital')`,
      );
      expect(await findViolations(test.checker, 'platform')).toEqual([]);
    } finally {
      await owner.end();
      await test.close();
    }
  });
});
