import { randomUUID } from 'node:crypto';
import { liquidityIncome, type Stage } from '@sathorn/settlement';
import { afterEach, describe, expect, it } from 'vitest';
import { LIQUIDITY_PRODUCT } from './earning-terms.ts';
import { readLiquidityStanding } from './liquidity-standing.ts';
import { offerFieldsOf } from './offer-kinds.ts';
import { type EarningTest, houseUnits, openEarningTest, usdt } from './testing.ts';

const CUSTOMERS = [101n, 102n, 103n, 104n, 105n];
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
  expect(earning?.faults ?? []).toEqual([]);
  expect(violations ?? []).toEqual([]);
});

/** A seeded generator: the same numbers in every run. */
const drawFrom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
};

/** An independent reference: it tracks the earning amounts of each day and sums exactly. */
class Oracle {
  earning = 0n;
  leaving = 0n;
  fresh = 0n;
  carry = 0n;
  paid = 0n;
  exact = 0n;
  endDay(stages: readonly Stage[]): bigint {
    const income = this.earning > 0n ? liquidityIncome(this.earning, stages, this.carry) : null;
    if (income) {
      this.carry = income.carryAfter;
      this.paid += income.units;
      this.exact += income.sum;
    }
    this.earning += this.fresh - this.leaving;
    this.fresh = 0n;
    this.leaving = 0n;
    return income?.units ?? 0n;
  }
}

const YEARS = Number(process.env.EARNING_YEARS ?? 0);
const DAYS = YEARS === 0 ? 90 : Math.round(YEARS * 365.25);

describe('A13 days one after another', () => {
  it(
    'pays what an oracle computes, over changes of rate and 29 February, however often the process is restarted',
    async () => {
      const earning = await start({ date: '2028-01-10' });
      await earning.asOwner('UPDATE market.guard SET virtual_clock = true');
      const { clock } = earning;
      const draw = drawFrom(7);
      const oracles = new Map(CUSTOMERS.map((customer) => [customer, new Oracle()]));
      for (const customer of CUSTOMERS) await earning.fund(customer, '100000');
      let room = earning.open({ chunkPositions: 2 });
      let stages = (await room.catalogue()).liquidityOn(clock.today)?.stages ?? [];
      const base = stages;
      const first = clock.today;
      let next: { day: number; stages: readonly Stage[] } | null = null;
      let missed = 0;
      for (let n = 0; n < DAYS; n++) {
        if (next !== null && next.day === clock.today) stages = next.stages;
        // Some movements happen around midnight: before yesterday's income is counted, and just before the day ends.
        for (let move = draw(4); move > 0; move--) {
          const customer = CUSTOMERS[draw(CUSTOMERS.length)] ?? 101n;
          const oracle = oracles.get(customer) ?? new Oracle();
          clock.turnDays(0, [1, 29, 720, 1_439][draw(4)] ?? 1);
          const has = oracle.earning - oracle.leaving + oracle.fresh;
          const kind = has < 1_000_000n ? 'in' : (['in', 'quick', 'normal'] as const)[draw(3)];
          if (kind === 'in') {
            const units = BigInt(10_000_000 + draw(900_000_000));
            const decision = await room.subscribe(
              { customer, amount: { ...usdt('0'), units: units as never }, product: null, quote: null },
              earning.intent(),
            );
            if (decision.ok) oracle.fresh += units;
            else expect(['exceeds_balance', 'yield_uncovered']).toContain(decision.refusal);
            continue;
          }
          const units = (has * BigInt(1 + draw(100))) / 100n;
          if (units === 0n) continue;
          await room.redeem(
            { customer, amount: { ...usdt('0'), units: units as never }, speed: kind as 'quick', quote: null },
            earning.intent(),
          );
          const fromFresh = units < oracle.fresh ? units : oracle.fresh;
          oracle.fresh -= fromFresh;
          if (kind === 'quick') oracle.earning -= units - fromFresh;
          else oracle.leaving += units - fromFresh;
        }
        if (next === null && draw(20) === 0) {
          const changed = base.map(({ from, rate }) => ({
            from,
            rate: ((rate * BigInt(50 + draw(100))) / 100n) as never,
          }));
          next = { day: clock.today + 1, stages: changed };
          const terms = { product: LIQUIDITY_PRODUCT, isOffered: true, min: usdt('10'), stages: changed };
          const approval = randomUUID();
          await earning.asOwner(
            `INSERT INTO offer.version (kind, subject, version, effective_from, fields, approval)
             SELECT 'liquidity', '1', 1 + coalesce(max(version), 0), $3, $1, $2 FROM offer.version WHERE kind = 'liquidity'`,
            [JSON.stringify(offerFieldsOf(terms)), approval, clock.days.momentOf(clock.today + 1, 0)],
          );
          await earning.test.database.transaction((transaction) =>
            room.addTerms(transaction, terms, clock.today + 1, approval, clock.now()),
          );
          // This version has no approval, which the checker would report, so the row is removed again.
          await earning.asOwner(
            `BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM offer.version; COMMIT`,
          );
        } else if (next !== null && next.day <= clock.today) next = null;
        for (const oracle of oracles.values()) oracle.endDay(stages);
        clock.turnDays(1, 31);
        // Sometimes the job does not run for days. Then a new process starts, or two at once.
        if (missed < 5 && draw(6) === 0) {
          missed += 1;
          continue;
        }
        missed = 0;
        if (draw(5) === 0) room = earning.open({ chunkPositions: 1 + draw(3) });
        const rooms = draw(7) === 0 ? [room, earning.open({ chunkPositions: 1 })] : [room];
        await Promise.all(rooms.map((one) => one.issueDue()));
        const done = await Promise.allSettled(rooms.map((one) => one.accrueDue()));
        if (done.some(({ status }) => status === 'rejected')) expect(await room.accrueDue()).toBe(true);
      }
      await room.issueDue();
      expect(await room.accrueDue()).toBe(true);
      expect(clock.today - first).toBe(DAYS);
      let paid = 0n;
      for (const customer of CUSTOMERS) {
        const oracle = oracles.get(customer) ?? new Oracle();
        const standing = await readLiquidityStanding(
          earning.test.database,
          await room.catalogue(),
          customer,
          clock.today,
        );
        expect([customer, standing.total, standing.carry]).toEqual([customer, oracle.paid, oracle.carry]);
        const short = oracle.exact - oracle.paid * 36_500_000_000n;
        expect(short >= 0n && short < 36_500_000_000n).toBe(true);
        const [spot, liquidity] = [await earning.units(customer, 'spot'), await earning.units(customer, 'liquidity')];
        expect(spot + liquidity).toBe(usdt('100000').units + oracle.paid);
        paid += oracle.paid;
      }
      expect(await houseUnits(earning, 'yield')).toBe(usdt('500000').units - paid);
      expect(await houseUnits(earning, 'yield_reserved')).toBe(0n);
    },
    YEARS === 0 ? 60_000 : 3_600_000,
  );
});

describe.each([
  ['Asia/Bangkok', '2028-02-28'],
  ['America/New_York', '2026-03-07'],
  ['Pacific/Auckland', '2026-04-04'],
])('B8 in %s around %s', (timeZone, date) => {
  it('pays a day after it has ended in that zone, at half past midnight there', async () => {
    const earning = await start({ timeZone, date });
    const { clock } = earning;
    const room = earning.open();
    await earning.fund(101n, '3650');
    // One minute before midnight and one minute after are two different days.
    clock.turnDays(0, 1_439);
    await earning.subscribe(room, 101n, '1000');
    clock.turnDays(1, 1);
    await earning.subscribe(room, 101n, '1000');
    clock.turnDays(1, 29);
    await room.accrueDue();
    expect(await earning.units(101n, 'spot')).toBe(usdt('1650').units);
    clock.turnDays(0, 30);
    await room.accrueDue();
    expect(await earning.units(101n, 'spot')).toBe(usdt('1650').units + 136_986n);
    clock.turnDays(1, 30);
    await room.accrueDue();
    expect(await earning.units(101n, 'spot')).toBe(usdt('1650').units + 136_986n + 235_616n);
  });
});
