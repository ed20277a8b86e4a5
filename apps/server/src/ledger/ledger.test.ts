import { randomUUID } from 'node:crypto';
import { accept, refuse } from '@sathorn/settlement';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../checker/checker/index.ts';
import { Bus } from '../platform/bus/index.ts';
import { systemClock } from '../platform/clock.ts';
import { openDatabase } from '../platform/database/index.ts';
import { endRoleSessions, openTestDatabase, type TestDatabase } from '../platform/database/testing.ts';
import {
  ACCOUNTS,
  type AccountKey,
  customerAccount,
  type HoldRef,
  houseAccount,
  type JournalKind,
  type Ledger,
  openLedger,
  type Transfer,
} from './index.ts';
import { collectKind } from './testing-payments.ts';

interface Give {
  to: bigint;
  units: bigint;
}
const gift: JournalKind<Give, { units: string }, never> = {
  name: 'test.gift',
  customer: () => null,
  accounts: ({ to }) => [houseAccount('equity', 'USDT'), customerAccount(to, 'USDT')],
  decide: ({ to, units }) =>
    accept({
      transfers: [
        {
          kind: 'single',
          debit: houseAccount('equity', 'USDT'),
          credit: customerAccount(to, 'USDT'),
          units,
          code: 'demo_money',
        },
      ],
      answer: { units: units.toString() },
    }),
};

interface Spend {
  from: bigint;
  units: bigint;
}
const spend: JournalKind<Spend, { left: string }, 'exceeds_balance'> = {
  name: 'test.spend',
  customer: () => null,
  accounts: ({ from }) => [customerAccount(from, 'USDT'), houseAccount('options_pool', 'USDT')],
  decide: ({ from, units }, funds) => {
    const account = customerAccount(from, 'USDT');
    const available = funds.available(account);
    if (units > available)
      return refuse('exceeds_balance', { params: { available: available.toString() }, field: 'amount' });
    return accept({
      transfers: [
        { kind: 'single', debit: account, credit: houseAccount('options_pool', 'USDT'), units, code: 'option_stake' },
      ],
      answer: { left: (available - units).toString() },
    });
  },
};

/** A kind that accepts everything, so that only the database can reject. */
const reckless: JournalKind<{ touches: AccountKey[]; transfers: Transfer[] }, null, never> = {
  name: 'test.reckless',
  customer: () => null,
  accounts: ({ touches }) => touches,
  decide: ({ transfers }) => accept({ transfers, answer: null }),
};

const intent = (digest = 'd') => ({ id: randomUUID(), digest });

describe('ledger', () => {
  let test: TestDatabase;
  let ledger: Ledger;
  let customer = 1n;
  const fresh = async (units: bigint): Promise<bigint> => {
    customer += 1n;
    if (units > 0n) await ledger.post(gift, { to: customer, units }, intent());
    return customer;
  };
  const spot = async (owner: bigint) =>
    (await ledger.balances(owner)).find((balance) => balance.account.name === 'spot');

  beforeAll(async () => {
    test = await openTestDatabase({ anyPurpose: true });
    ledger = openLedger({ eligibility: null, database: test.database, clock: systemClock, bus: new Bus() }).api;
  });
  afterAll(async () => {
    expect(await findViolations(test.checker)).toEqual([]);
    await test.close();
  });

  const hold = async (owner: bigint, units: bigint): Promise<HoldRef> => {
    const [debit, credit] = [customerAccount(owner, 'USDT'), houseAccount('house_capital', 'USDT')];
    const id = intent();
    await ledger.post(
      reckless,
      { touches: [debit, credit], transfers: [{ kind: 'hold', debit, credit, units, code: 'option_stake' }] },
      id,
    );
    const [posted] = await ledger.transfersOf([id.id]);
    if (!posted) throw new Error('nothing was held');
    return { sequence: posted.sequence, debit, credit, units };
  };
  const resolve = (held: HoldRef, kind: 'post' | 'void', units = held.units) =>
    ledger.post(
      reckless,
      {
        touches: [held.debit, held.credit],
        transfers: [
          kind === 'void'
            ? { kind, hold: held, code: 'option_stake' }
            : { kind, hold: held, units, code: 'option_stake' },
        ],
      },
      intent(),
    );

  it('moves money and leaves the rest', async () => {
    const owner = await fresh(1_000n);
    expect(await ledger.post(spend, { from: owner, units: 400n }, intent())).toEqual({
      ok: true,
      effect: { left: '600' },
    });
    expect(await spot(owner)).toMatchObject({ available: 600n, held: 0n });
  });

  it('A3 moves money once and repeats the first answer when 64 callers send the same intent at once', async () => {
    const owner = await fresh(1_000n);
    const same = intent();
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => ledger.post(spend, { from: owner, units: 100n }, same)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await spot(owner)).toMatchObject({ available: 900n });
    expect(await ledger.transfersOf([same.id])).toHaveLength(1);
  });

  it('A4 refuses the same intent with other content', async () => {
    const owner = await fresh(1_000n);
    const first = intent('a');
    await ledger.post(spend, { from: owner, units: 1n }, first);
    expect(await ledger.post(spend, { from: owner, units: 2n }, { id: first.id, digest: 'b' })).toMatchObject({
      ok: false,
      refusal: 'idempotency_key_reused',
    });
    expect(await spot(owner)).toMatchObject({ available: 999n });
  });

  it('returns the same refusal, with its details, when it is repeated', async () => {
    const owner = await fresh(5n);
    const tooMuch = intent();
    const refusal = await ledger.post(spend, { from: owner, units: 6n }, tooMuch);
    expect(refusal).toEqual({ ok: false, refusal: 'exceeds_balance', params: { available: '5' }, field: 'amount' });
    await ledger.post(gift, { to: owner, units: 100n }, intent());
    expect(await ledger.post(spend, { from: owner, units: 6n }, tooMuch)).toEqual(refusal);
  });

  it('decides a job’s intent again after a refusal, and keeps the first acceptance', async () => {
    const owner = await fresh(5n);
    const collected = intent();
    const refusal = await ledger.post(collectKind, { from: owner, units: 6n }, collected);
    expect(refusal).toMatchObject({ ok: false, refusal: 'exceeds_balance' });
    await ledger.post(gift, { to: owner, units: 100n }, intent());
    const accepted = await ledger.post(collectKind, { from: owner, units: 6n }, collected);
    expect(accepted).toEqual({ ok: true, effect: { left: '99' } });
    expect(await ledger.post(collectKind, { from: owner, units: 6n }, collected)).toEqual(accepted);
    expect(await spot(owner)).toMatchObject({ available: 99n });
  });

  it('A1 lets exactly one of 10,000 spend the last unit, over several posters', async () => {
    const owner = await fresh(1n);
    const others = Array.from({ length: 3 }, () => openDatabase(test.app, { connections: 4 }));
    const ledgers = [
      ledger,
      ...others.map((database) => openLedger({ eligibility: null, database, clock: systemClock, bus: new Bus() }).api),
    ];
    const outcomes = await Promise.all(
      Array.from({ length: 10_000 }, (_, n) =>
        (ledgers[n % 4] as Ledger).post(spend, { from: owner, units: 1n }, intent()),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    expect(await spot(owner)).toMatchObject({ available: 0n });
    await Promise.all(others.map((database) => database.close()));
  });

  it('moves known and new accounts that were not loaded', async () => {
    const [known, fresh, payer] = [9_101n, 9_102n, 9_103n];
    await ledger.post(gift, { to: payer, units: 100n }, intent());
    // Another poster moves the accounts, which makes this one's memory stale.
    const elsewhere = openLedger({
      eligibility: null,
      database: test.database,
      clock: systemClock,
      bus: new Bus(),
    }).api;
    await elsewhere.post(gift, { to: known, units: 7n }, intent());
    const ended: boolean[] = [];
    const pay = {
      ...reckless,
      name: 'test.pay',
      ended: (isCommitted: boolean) => void ended.push(isCommitted),
    };
    const to = (owner: bigint, units: bigint): Transfer => ({
      kind: 'single',
      debit: customerAccount(payer, 'USDT'),
      credit: customerAccount(owner, 'USDT'),
      units,
      code: 'demo_money',
    });
    const transfers = [to(known, 10n), to(fresh, 20n), to(known, 5n)];
    const pays = [0, 1].map(() => ledger.post(pay, { touches: [], transfers }, intent()));
    await Promise.all(pays);
    // The batch was first decided from memory, and then again from the stored state.
    expect(ended).toEqual([false, true]);
    const totals = await Promise.all([known, fresh, payer].map((owner) => ledger.balances(owner)));
    expect(totals.map((of) => of[0]?.available)).toEqual([37n, 40n, 30n]);
    const back: Transfer = { ...to(known, 0n), debit: customerAccount(fresh, 'USDT'), units: 41n } as Transfer;
    await expect(ledger.post(pay, { touches: [], transfers: [back] }, intent())).rejects.toThrow(/overdraws/);
    expect(ended).toEqual([false, true, false]);
    expect((await ledger.balances(fresh))[0]?.available).toBe(40n);
    await ledger.post(pay, { touches: [], transfers: [{ ...back, units: 40n } as Transfer] }, intent());
    expect((await ledger.balances(known))[0]?.available).toBe(77n);
  });

  it('A6 resolves a hold once, however many callers try', async () => {
    const owner = await fresh(100n);
    const held = await hold(owner, 60n);
    expect(await spot(owner)).toMatchObject({ available: 40n, held: 60n });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => resolve(held, n % 2 ? 'post' : 'void')),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    expect((await spot(owner))?.held).toBe(0n);
  });

  it('releases the part of a hold that was not posted', async () => {
    const owner = await fresh(100n);
    await resolve(await hold(owner, 60n), 'post', 25n);
    expect(await spot(owner)).toMatchObject({ available: 75n, held: 0n });
  });

  it.each([
    [
      'posting more than was held',
      (held: HoldRef): Transfer => ({ kind: 'post', hold: held, units: held.units + 1n, code: 'option_stake' }),
    ],
    [
      'a hold that does not exist',
      (held: HoldRef): Transfer => ({ kind: 'void', hold: { ...held, sequence: 9_999_999n }, code: 'option_stake' }),
    ],
    [
      'another amount than was held',
      (held: HoldRef): Transfer => ({ kind: 'void', hold: { ...held, units: held.units - 1n }, code: 'option_stake' }),
    ],
    [
      'sides exchanged',
      (held: HoldRef): Transfer => ({
        kind: 'post',
        hold: { ...held, debit: held.credit, credit: held.debit },
        units: 1n,
        code: 'option_stake',
      }),
    ],
  ])('refuses to resolve: %s', async (_name, transferOf) => {
    const held = await hold(await fresh(100n), 60n);
    await expect(
      ledger.post(reckless, { touches: [held.debit, held.credit], transfers: [transferOf(held)] }, intent()),
    ).rejects.toThrow();
  });

  it.each([
    ['a customer below zero', 11n, 'spot'],
    ['a house pool below zero', 10n ** 30n, 'options_pool'],
  ] as const)('the database itself refuses %s', async (_name, units, name) => {
    const owner = await fresh(10n);
    const debit = name === 'spot' ? customerAccount(owner, 'USDT') : houseAccount(name, 'USDT');
    const credit = houseAccount('fee_income', 'USDT');
    await expect(
      ledger.post(
        reckless,
        { touches: [debit, credit], transfers: [{ kind: 'single', debit, credit, units, code: 'option_fee' }] },
        intent(),
      ),
    ).rejects.toThrow(/overdraws/);
  });

  it('refuses an overdraft even when a later transfer of the same journal would cover it', async () => {
    const owner = await fresh(10n);
    const [debit, credit] = [customerAccount(owner, 'USDT'), houseAccount('fee_income', 'USDT')];
    const transfers: Transfer[] = [
      { kind: 'single', debit, credit, units: 20n, code: 'option_fee' },
      { kind: 'single', debit: credit, credit: debit, units: 20n, code: 'option_fee' },
    ];
    await expect(ledger.post(reckless, { touches: [debit, credit], transfers }, intent())).rejects.toThrow(/overdraws/);
  });

  it('A7 refuses a transfer across assets', async () => {
    const owner = await fresh(10n);
    const [debit, credit] = [customerAccount(owner, 'USDT'), customerAccount(owner, 'BTC')];
    await expect(
      ledger.post(
        reckless,
        { touches: [debit, credit], transfers: [{ kind: 'single', debit, credit, units: 1n, code: 'demo_money' }] },
        intent(),
      ),
    ).rejects.toThrow();
  });

  it('a failing entry of a batch does not affect the others', async () => {
    const [good, bad] = [await fresh(10n), await fresh(10n)];
    const [debit, credit] = [customerAccount(bad, 'USDT'), houseAccount('fee_income', 'USDT')];
    const [first, second, third] = await Promise.allSettled([
      ledger.post(spend, { from: good, units: 4n }, intent()),
      ledger.post(
        reckless,
        { touches: [debit, credit], transfers: [{ kind: 'single', debit, credit, units: 11n, code: 'option_fee' }] },
        intent(),
      ),
      ledger.post(spend, { from: good, units: 5n }, intent()),
    ]);
    expect([first?.status, second?.status, third?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await spot(good)).toMatchObject({ available: 1n });
  });

  it('lists incoming and outgoing money, newest first', async () => {
    const owner = await fresh(1_000n);
    await ledger.post(spend, { from: owner, units: 300n }, intent());
    const lines = await ledger.statement(customerAccount(owner, 'USDT'), 'all', null, 10);
    expect(lines.map(({ change, after }) => [change, after])).toEqual([
      [-300n, 700n],
      [1_000n, 1_000n],
    ]);
    expect(await ledger.statement(customerAccount(owner, 'USDT'), 'in', null, 10)).toHaveLength(1);
  });

  it('B4 posts exactly once when connections die', async () => {
    const owner = await fresh(500n);
    const killer = new pg.Client(test.owner);
    await killer.connect();
    const outcomes: { ok: boolean }[] = [];
    for (let round = 0; round < 20; round++) {
      const posts = Array.from({ length: 25 }, () => ledger.post(spend, { from: owner, units: 1n }, intent()));
      // Breaks the connection at a random point of that batch: before it, within it, or at its commit.
      for (let turn = 0; turn < round % 7; turn++) await new Promise(setImmediate);
      await endRoleSessions(killer, 'sathorn_app');
      outcomes.push(...(await Promise.all(posts)));
    }
    await killer.end();
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(500);
    expect(await spot(owner)).toMatchObject({ available: 0n });
  });

  describe('B16 as the app role', () => {
    const asApp = async (text: string): Promise<unknown> => {
      const client = new pg.Client(test.app);
      await client.connect();
      try {
        return await client.query(text);
      } finally {
        await client.end();
      }
    };
    it.each([
      'UPDATE ledger.account SET credits_posted = 1e9',
      'DELETE FROM ledger.transfer',
      'TRUNCATE ledger.transfer',
      'INSERT INTO ledger.transfer (sequence) VALUES (1)',
      'UPDATE ledger.head SET halted = NULL',
      "INSERT INTO ledger.asset VALUES ('XXX', 2, 'fiat')",
      'ALTER TABLE ledger.account DROP CONSTRAINT no_overdraft_c',
    ])('denies %s', async (text) => {
      await expect(asApp(text)).rejects.toThrow(/permission denied|must be owner/);
    });
    it('opens accounts according to the chart, and a house account for the house only', async () => {
      await asApp("SELECT ledger.open_accounts('{987654}', '{210}', '{USDT}')");
      const { rows } = (await asApp('SELECT count(*) AS n FROM ledger.account WHERE owner = 987654')) as {
        rows: { n: string }[];
      };
      expect(rows[0]?.n).toBe('0');
      await expect(asApp("UPDATE ledger.chart SET rule = 'n'")).rejects.toThrow(/permission denied/);
      const { rows: chart } = (await asApp('SELECT name, code, rule, is_house FROM ledger.chart')) as {
        rows: { name: string; code: number; rule: string; is_house: boolean }[];
      };
      expect(new Map(chart.map(({ name, ...row }) => [name, row]))).toEqual(
        new Map(
          Object.entries(ACCOUNTS).map(([name, { code, rule, isHouse }]) => [name, { code, rule, is_house: isHouse }]),
        ),
      );
    });
    it('A9 refuses a fraction instead of rounding it', async () => {
      const client = new pg.Client(test.app);
      await client.connect();
      const { rows } = await client.query('SELECT last_sequence + 1 AS next FROM ledger.head');
      const { rows: accounts } = await client.query(
        "SELECT id FROM ledger.account WHERE asset = 'USDT' ORDER BY id LIMIT 2",
      );
      await expect(
        client.query(
          `SELECT ledger.post($1, ARRAY[gen_random_uuid()], '{t}', '{d}', '{NULL}', '{NULL}', ARRAY[$1::bigint], '{1}', ARRAY[gen_random_uuid()], '{s}', '{NULL}', '{USDT}', ARRAY[$2::bigint], ARRAY[$3::bigint], '{1.6}', '{0}', '{1}',
            '{1}', '{1}', '{0}', '{1}', '{1}', '{0}')`,
          [rows[0].next, accounts[0].id, accounts[1].id],
        ),
      ).rejects.toThrow(/bad amount/);
      await client.end();
    });
    it('refuses to change or delete history, even for the owner', async () => {
      const client = new pg.Client(test.owner);
      await client.connect();
      await expect(client.query('UPDATE ledger.transfer SET units = 1')).rejects.toThrow(/append-only/);
      await expect(client.query('TRUNCATE ledger.transfer')).rejects.toThrow(/append-only/);
      await client.end();
    });
  });

  it('A1, the counter-proof: a naive mutant that reads, then writes, grants the last unit many times', async () => {
    const client = new pg.Client(test.owner);
    await client.connect();
    await client.query(
      'CREATE TABLE public.naive (balance int); INSERT INTO public.naive VALUES (1); GRANT ALL ON public.naive TO sathorn_app',
    );
    const pool = new pg.Pool({ ...test.app, max: 8 });
    const grants = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const { rows } = await pool.query('SELECT balance FROM public.naive');
        if (rows[0].balance < 1) return false;
        await pool.query('UPDATE public.naive SET balance = balance - 1');
        return true;
      }),
    );
    await pool.end();
    await client.end();
    expect(grants.filter(Boolean).length).toBeGreaterThan(1);
  });

  it('moves nothing while it is halted, and still answers reads', async () => {
    const owner = await fresh(10n);
    const client = new pg.Client(test.checker);
    await client.connect();
    await client.query("SELECT ledger.halt_money('test')");
    await client.end();
    expect(await ledger.post(spend, { from: owner, units: 1n }, intent())).toEqual({
      ok: false,
      refusal: 'money_halted',
    });
    expect(await spot(owner)).toMatchObject({ available: 10n });
  });
});
