import { formatMoney, money } from '@sathorn/money';
import { afterEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../ledger/index.ts';
import { eligibilityWithFrozen } from '../../ledger/testing.ts';
import { FragileDatabase, type StrikeDrill, strikeEachStep } from '../../whole/testing-strikes.ts';
import type { Earning } from './index.ts';
import { type EarningTest, houseUnits, openEarningTest, usdt } from './testing.ts';

const [ALICE, BOB] = [101n, 102n];
const CAP = 30_000_000_000_000n;
let open: EarningTest | undefined;
const start = async (...given: Parameters<typeof openEarningTest>): Promise<EarningTest> => {
  open = await openEarningTest(...given);
  return open;
};
afterEach(async () => {
  const earning = open;
  open = undefined;
  const violations = await earning?.violations();
  await earning?.close();
  expect(violations ?? []).toEqual([]);
});
const text = (units: bigint): string => formatMoney(money('USDT', units));
const effectOf = <Effect>(decision: { ok: boolean; effect?: Effect; refusal?: string }): Effect => {
  if (!decision.ok) throw new Error(decision.refusal);
  return decision.effect as Effect;
};
/** Funds the yield account with enough for every subscription in this test. */
const fillYield = (earning: EarningTest) =>
  earning.asOwner(`SELECT ledger.pay_in_capital('yield', 50000000, 'USDT', 'a', 'b', 'test')`);

describe('A14 quick redemptions', () => {
  it('S9.2 take exactly the cap of a day in parallel requests of two processes; the rest is offered the normal way', async () => {
    const earning = await start();
    await fillYield(earning);
    const { clock, test, bus } = earning;
    const second = openLedger({ eligibility: null, database: test.database, clock, bus }).api;
    const rooms = [earning.open(), earning.open({ ledger: second })];
    const customers = Array.from({ length: 20 }, (_, n) => BigInt(1_000 + n));
    for (const customer of customers) {
      for (let gift = 0; gift < 20; gift++) await earning.fund(customer, '100000');
      await earning.subscribe(rooms[0] as Earning, customer, '2000000');
    }
    const asked = customers.flatMap((customer) =>
      Array.from({ length: 20 }, (_, n) => ({ customer, units: 90_000_000_000n + BigInt(n) * 7_919n })),
    );
    const redeem = ({ customer, units }: { customer: bigint; units: bigint }, n: number, speed: 'quick' | 'normal') =>
      (rooms[n % 2] as Earning).redeem(
        { customer, amount: money('USDT', units), speed, quote: null },
        earning.intent(),
      );
    const decisions = await Promise.all(asked.map((one, n) => redeem(one, n, 'quick')));
    const taken = asked.reduce((sum, { units }, n) => sum + (decisions[n]?.ok ? units : 0n), 0n);
    expect(taken).toBeLessThanOrEqual(CAP);
    const refused = decisions.find((decision) => !decision.ok);
    expect(refused).toMatchObject({ ok: false, refusal: 'quick_cap_reached' });
    const [row] = await earning.asOwner<{ quick: string }>('SELECT quick::text FROM earning.day_total');
    expect(BigInt(row?.quick ?? 0)).toBe(taken);
    // The exact rest of the cap is accepted, and one unit more is refused.
    const left = CAP - taken;
    const last = customers[0] ?? 0n;
    expect(await redeem({ customer: last, units: left + 1n }, 0, 'quick')).toMatchObject({
      refusal: 'quick_cap_reached',
      params: { left: text(left) },
    });
    expect(await redeem({ customer: last, units: left }, 1, 'quick')).toMatchObject({ ok: true });
    expect(await redeem({ customer: last, units: 1n }, 0, 'quick')).toMatchObject({ refusal: 'quick_cap_reached' });
    expect(await redeem({ customer: last, units: 1n }, 0, 'normal')).toMatchObject({ ok: true });
    // The database enforces the limit even without the decision.
    await expect(earning.asOwner('UPDATE earning.day_total SET quick = quick + 1')).rejects.toThrow('quick_cap');
    // Whoever has the application's login can't set the count back, nor redeem without being counted.
    const asApp = (statement: string) => test.database.query({ name: '', text: statement });
    await expect(asApp('UPDATE earning.day_total SET quick = 0')).rejects.toThrow('permission denied');
    await expect(
      asApp(`INSERT INTO earning.movement (id, customer_id, kind, units, day, at, from_fresh)
        SELECT gen_random_uuid(), customer_id, kind, 1, day, at, 0 FROM earning.movement WHERE kind = 'quick' LIMIT 1`),
    ).rejects.toThrow('quick_cap');
    clock.turnDays(1, 0);
    expect(await redeem({ customer: last, units: 1n }, 0, 'quick')).toMatchObject({ ok: true });
  });
});

describe('the account that pays', () => {
  it('pays a day completely or not at all, closes subscriptions until then, and loses nothing', async () => {
    const earning = await start();
    const { clock } = earning;
    const room = earning.open();
    for (const customer of [ALICE, BOB]) {
      await earning.fund(customer, '100000');
      await earning.subscribe(room, customer, '90000');
    }
    await earning.redeem(room, BOB, '100', 'normal');
    clock.turnDays(1, 30);
    await room.accrueDue();
    // The database's owner takes almost all of the yield account's money.
    const fund = await houseUnits(earning, 'yield');
    await takeOut(earning, fund - 10_000_000n);
    const spots = async () => [await earning.units(ALICE, 'spot'), await earning.units(BOB, 'spot')];
    const before = await spots();
    clock.turnDays(1, 30);
    expect(await room.accrueDue()).toBe(false);
    expect(await room.accrueDue()).toBe(false);
    expect(await spots()).toEqual(before);
    expect(await houseUnits(earning, 'yield')).toBe(10_000_000n);
    const { liquidity } = await room.products(clock.now());
    expect(liquidity).toMatchObject({ state: 'uncovered', fund: { waiting: '2036-12-02' } });
    const refused = { ok: false, refusal: 'yield_uncovered' };
    const subscription = { customer: ALICE, amount: usdt('10'), quote: null };
    expect(await room.subscribe({ ...subscription, product: null }, earning.intent())).toMatchObject(refused);
    expect(await room.subscribe({ ...subscription, amount: usdt('50'), product: 30 }, earning.intent())).toMatchObject(
      refused,
    );
    // Redemptions of principal do not wait for the account.
    await earning.redeem(room, ALICE, '1000', 'quick');
    await earning.redeem(room, ALICE, '1000', 'normal');
    clock.turnDays(1, 30);
    expect(await room.issueDue()).toBe(2);
    expect(await room.income(BOB, { order: null, day: '2036-12-02' })).toMatchObject({
      ok: true,
      effect: { state: 'waiting', transfer: null },
    });
    // Once funded again, it pays both days, each on its own base.
    await fillYield(earning);
    expect(await room.accrueDue()).toBe(true);
    const [paid] = [await room.income(BOB, { order: null, day: '2036-12-02' })].map(effectOf);
    expect(paid).toMatchObject({ state: 'paid', transfer: { units: paid?.units } });
    expect((await earning.units(BOB, 'spot')) - (before[1] ?? 0n)).toBe(
      usdt('100').units +
        BigInt(paid?.units ?? 0) +
        BigInt(effectOf(await room.income(BOB, { order: null, day: '2036-12-03' })).units),
    );
  });

  it('promises a lock-up only what it has: a product that cannot be funded is sold out', async () => {
    const earning = await start();
    const { clock } = earning;
    const room = earning.open();
    await earning.fund(ALICE, '50000');
    await takeOut(earning, (await houseUnits(earning, 'yield')) - 4_500_000n);
    const lock = (amount: string) =>
      room.subscribe({ customer: ALICE, amount: usdt(amount), product: 30, quote: null }, earning.intent());
    expect(await lock('1000.01')).toMatchObject({ refusal: 'yield_uncovered' });
    expect(await lock('1000')).toMatchObject({ ok: true });
    expect(await houseUnits(earning, 'yield')).toBe(0n);
    const { regular } = await room.products(clock.now());
    expect(regular.products.map(({ state }) => state)).toEqual(Array(5).fill('uncovered'));
    clock.turnDays(32, 30);
    expect(await room.accrueDue()).toBe(true);
    expect(await earning.units(ALICE, 'spot')).toBe(usdt('50004.5').units);
  });
});

/** Takes money out as the database's owner, like a decision by two operators. */
async function takeOut(earning: EarningTest, units: bigint): Promise<void> {
  await earning.asOwner(
    `DO $$ DECLARE head record; y ledger.account; e ledger.account; j uuid := gen_random_uuid(); BEGIN
       PERFORM ledger.open_accounts('{0}', '{100}', '{USDT}');
       SELECT * INTO head FROM ledger.lock_head();
       SELECT * INTO y FROM ledger.account WHERE owner = 0 AND code = 260;
       SELECT * INTO e FROM ledger.account WHERE owner = 0 AND code = 100 AND asset = 'USDT';
       PERFORM ledger.post(head.last_sequence + 1, ARRAY[j], '{house.capital}', '{test}', '{NULL}', '{NULL}', ARRAY[head.last_sequence + 1], '{1}',
         ARRAY[j], '{s}', '{NULL}', '{USDT}', ARRAY[y.id], ARRAY[e.id], ARRAY[${units}::numeric], '{0}', '{2}',
         ARRAY[y.entries + 1], ARRAY[y.credits_posted - y.debits_posted - ${units}], ARRAY[y.debits_held],
         ARRAY[e.entries + 1], ARRAY[e.credits_posted - e.debits_posted + ${units}], ARRAY[e.debits_held]);
     END $$`,
  );
}

describe('a confirmation', () => {
  it('shows every number exactly as it is then posted, for quick and normal redemptions and for a lock-up', async () => {
    const earning = await start();
    const { clock } = earning;
    const room = earning.open();
    await earning.fund(ALICE, '20000');
    const funds = async () => ({
      available: text(await earning.units(ALICE, 'spot')),
      balance: text(await earning.units(ALICE, 'liquidity')),
    });
    const into = async (amount: string) => {
      const quote = effectOf(
        await room.quoteSubscription({ customer: ALICE, amount: usdt(amount), product: null }, clock.now()),
      );
      if (quote.type !== 'liquidity') throw new Error('another quote');
      const record = effectOf(
        await room.subscribe(
          { customer: ALICE, amount: usdt(amount), product: null, quote: quote.quote },
          earning.intent(),
        ),
      );
      expect(record).toMatchObject({ amount: quote.amount, day: quote.start_date });
      expect(await funds()).toEqual({ available: quote.available_after, balance: quote.balance_after });
      return quote;
    };
    const first = await into('3212.12');
    clock.turnDays(1, 30);
    await room.accrueDue();
    clock.turnDays(1, 30);
    await room.accrueDue();
    // The quote's income for a day on the whole balance; the first day starts without a remainder.
    expect(await funds()).toMatchObject({
      available: text(usdt('20000').units - usdt('3212.12').units + usdt(first.daily_after).units),
    });
    await into('100.000001');

    const out = async (amount: string, speed: 'quick' | 'normal') => {
      const command = { customer: ALICE, amount: usdt(amount), speed };
      const quote = effectOf(await room.quoteRedemption(command, clock.now()));
      const would = await earnedToday(room, earning);
      effectOf(await room.redeem({ ...command, quote: quote.quote }, earning.intent()));
      const now = await earnedToday(room, earning);
      expect(text(would - now)).toBe(quote.forgone);
      expect((await funds()).balance).toBe(quote.balance_after);
      if (speed === 'quick') expect((await funds()).available).toBe(quote.available_after);
      const balance = await room.balance(ALICE, 'liquidity', clock.now());
      expect(balance).toMatchObject({ quick_left: quote.quick_left_after, rate: quote.rate_after });
      return quote;
    };
    expect(await out('50', 'quick')).toMatchObject({ forgone: '0.000000', from_fresh: '50.000000' });
    const quick = await out('1000', 'quick');
    expect(Number(quick.forgone)).toBeGreaterThan(0.09);
    const normal = await out('1000', 'normal');
    expect(Number(normal.kept)).toBeGreaterThan(0.09);
    const before = await earning.units(ALICE, 'spot');
    const due = await earnedToday(room, earning);
    clock.turnTo(new Date(normal.arrives_at));
    expect(await room.issueDue()).toBe(1);
    await room.accrueDue();
    expect((await earning.units(ALICE, 'spot')) - before).toBe(usdt('1000').units + due);

    const command = { customer: ALICE, amount: usdt('1234.567891'), product: 7 };
    const quote = effectOf(await room.quoteSubscription(command, clock.now()));
    if (quote.type !== 'regular') throw new Error('another quote');
    const reserved = await houseUnits(earning, 'yield_reserved');
    const order = effectOf(await room.subscribe({ ...command, quote: quote.quote }, earning.intent()));
    const { start_date, end_date, total_income, daily_income, amount } = quote;
    expect(order).toMatchObject({ start_date, end_date, total_income, daily_income, amount });
    expect((await funds()).available).toBe(quote.available_after);
    expect(text((await houseUnits(earning, 'yield_reserved')) - reserved)).toBe(total_income);
    clock.turnTo(new Date(quote.first_income_at));
    await room.accrueDue();
    const detail = effectOf(
      await room.orders(ALICE, { type: 'regular', id: order.id, kind: null, page: null }, clock.now()),
    );
    expect(detail.items[0]).toMatchObject({ earned: daily_income, days_paid: 1 });
    clock.turnTo(new Date(quote.ends_at));
    await room.accrueDue();
    expect(
      effectOf(await room.orders(ALICE, { type: 'regular', id: order.id, kind: null, page: null }, clock.now()))
        .items[0],
    ).toMatchObject({ earned: total_income, status: 'complete' });
  });

  it('is void once the day or the terms have changed', async () => {
    const earning = await start();
    const { clock } = earning;
    const room = earning.open();
    await earning.fund(ALICE, '1000');
    const request = { customer: ALICE, amount: usdt('100'), product: null };
    const { quote } = effectOf(await room.quoteSubscription(request, clock.now()));
    clock.turnDays(1, 0);
    const outdated = { ok: false, refusal: 'quote_outdated' };
    expect(await room.subscribe({ ...request, quote }, earning.intent())).toMatchObject(outdated);
    expect(await room.subscribe({ ...request, product: 30, quote }, earning.intent())).toMatchObject(outdated);
  });
});

/** The income that will be credited for today if the balance stays the same. */
async function earnedToday(room: Earning, { test, clock }: EarningTest): Promise<bigint> {
  const { readLiquidityStanding } = await import('./liquidity-standing.ts');
  const { liquidityIncome } = await import('@sathorn/settlement');
  const catalogue = await room.catalogue();
  const { position, carry } = await readLiquidityStanding(test.database, catalogue, ALICE, clock.today);
  return liquidityIncome(position.earning, catalogue.liquidityOn(clock.today)?.stages ?? [], carry).units;
}

describe('refusals', () => {
  it('have these causes: not offered, frozen, quota, one customer’s share, no terms', async () => {
    const earning = await start();
    const { frozen } = earning;
    const room = earning.open();
    for (const customer of [ALICE, BOB]) await earning.fund(customer, '100000');
    const lock = (customer: bigint, amount: string, product: number | null = 90) =>
      room.subscribe({ customer, amount: usdt(amount), product, quote: null }, earning.intent());
    expect(await lock(ALICE, '99.99')).toMatchObject({ refusal: 'below_minimum' });
    expect(await lock(ALICE, '15000')).toMatchObject({ ok: true });
    // The second order counts towards the customer's limit.
    expect(await lock(ALICE, '5000.000001')).toMatchObject({
      refusal: 'above_maximum',
      params: { max: '5000.000000' },
    });
    expect(await lock(ALICE, '5000')).toMatchObject({ ok: true });
    expect(await lock(ALICE, '100', 14)).toMatchObject({ refusal: 'product_unknown' });
    for (const customer of [103n, 104n, 105n, 106n]) {
      await earning.fund(customer, '100000');
      expect(await lock(customer, '20000')).toMatchObject({ ok: true });
    }
    expect(await lock(BOB, '100')).toMatchObject({ refusal: 'sold_out' });
    expect(await lock(BOB, '100001', null)).toMatchObject({ refusal: 'exceeds_balance' });
    await earning.subscribe(room, BOB, '100');
    frozen.add(BOB);
    expect(await lock(BOB, '100', null)).toMatchObject({ refusal: 'account_frozen' });
    const redeem = { customer: BOB, amount: usdt('1'), speed: 'normal' as const, quote: null };
    expect(await room.redeem(redeem, earning.intent())).toMatchObject({ refusal: 'account_frozen' });
    const off = earning.open({ isOffering: () => false });
    expect(
      await off.subscribe({ customer: ALICE, amount: usdt('10'), product: null, quote: null }, earning.intent()),
    ).toMatchObject({ refusal: 'earning_not_offered' });
    const { liquidity, regular } = await off.products(earning.clock.now());
    expect([liquidity.state, ...regular.products.map(({ state }) => state)]).toEqual(Array(6).fill('no_licence'));
  });
});

describe('the limits of a lock-up', () => {
  it('hold for twelve orders of a customer at once, from two processes', async () => {
    const earning = await start();
    const second = openLedger({
      eligibility: null,
      database: earning.test.database,
      clock: earning.clock,
      bus: earning.bus,
    });
    const rooms = [earning.open(), earning.open({ ledger: second.api })];
    for (let gift = 0; gift < 2; gift++) await earning.fund(ALICE, '100000');
    const order = { customer: ALICE, amount: usdt('12500'), product: 30, quote: null };
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (rooms[n % 2] as Earning).subscribe(order, earning.intent())),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(4);
    expect(answers.filter(({ ok }) => !ok)).toEqual(
      Array(8).fill(expect.objectContaining({ refusal: 'above_maximum' })),
    );
    expect(await earning.units(ALICE, 'lockup')).toBe(usdt('50000').units);
    // The database itself counts what the application's login inserts.
    const insert = (customer: bigint, units: bigint) =>
      earning.test.database.query(
        {
          name: '',
          text: `INSERT INTO earning.lockup (id, customer_id, product, version, principal, daily_rate, days, yield, start_day, end_day, subscribed_at)
                 SELECT gen_random_uuid(), $1, product, version, $2::bigint, daily_rate, days, floor($2::numeric * daily_rate * days / 100000000),
                   start_day, end_day, subscribed_at FROM earning.lockup LIMIT 1`,
        },
        [customer, units],
      );
    await expect(insert(ALICE, 1n)).rejects.toThrow('more in a lock-up than its terms allow');
    await expect(insert(BOB, usdt('50000').units + 1n)).rejects.toThrow('more in a lock-up than its terms allow');
    await expect(insert(BOB, usdt('250000').units + 1n)).rejects.toThrow('above its quota');
  });
});

describe('B1 a day whose connection is cut at any step', () => {
  it.each(['before', 'after', 'committed'] as const)(
    '%s a statement: each income is paid once',
    async (phase) => {
      const earning = await start();
      const { clock, bus, frozen, test } = earning;
      const fragile = new FragileDatabase(test.database);
      const ledger = openLedger({ eligibility: eligibilityWithFrozen(frozen), database: fragile, clock, bus }).api;
      const calm = earning.open();
      for (const customer of [ALICE, BOB, 103n]) {
        await earning.fund(customer, '50000');
        await earning.subscribe(calm, customer, '3000');
        await earning.subscribe(calm, customer, '500', 7);
      }
      clock.turnDays(1, 30);
      await calm.accrueDue();
      const house = async () => (await houseUnits(earning, 'yield')) + (await houseUnits(earning, 'yield_reserved'));
      const all = async () => {
        const accounts = [ALICE, BOB, 103n].map(async (customer) => [
          await earning.units(customer, 'spot'),
          await earning.units(customer, 'lockup'),
          await earning.units(customer, 'liquidity'),
        ]);
        return (await Promise.all(accounts)).flat().reduce((sum, one) => sum + one, 0n);
      };
      const drill: StrikeDrill<{ house: bigint; customers: bigint }, boolean> = {
        async prepare() {
          for (const customer of [ALICE, BOB]) await earning.redeem(calm, customer, '7', 'normal');
          const prepared = { house: await house(), customers: await all() };
          clock.turnDays(1, 30);
          return prepared;
        },
        async command() {
          const struck = earning.open({ database: fragile, ledger, chunkPositions: 2 });
          for (let tries = 0; tries < 3; tries++) {
            const done = await Promise.allSettled([struck.issueDue(), struck.accrueDue()]);
            if (done.every(({ status }) => status === 'fulfilled')) break;
          }
          return earning.open().accrueDue();
        },
        async audit(before, isDone) {
          expect(isDone).toBe(true);
          expect(await earning.open().issueDue()).toBe(0);
          const paid = before.house - (await house());
          expect(paid).toBeGreaterThan(0n);
          // Held redemptions have become available, so the customers' total grew only by the income.
          const pending = usdt('14').units;
          expect(await all()).toBe(before.customers + paid + pending);
        },
      };
      if (phase !== 'committed') {
        expect(await strikeEachStep(fragile, phase, drill)).toBeGreaterThan(3);
        return;
      }
      const prepared = await drill.prepare();
      fragile.arm(1, phase);
      await drill.audit(prepared, await drill.command(prepared));
      expect(fragile.wasStruck).toBe(true);
    },
    60_000,
  );
});
