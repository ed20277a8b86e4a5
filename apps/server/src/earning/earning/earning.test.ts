import { afterEach, describe, expect, it, vi } from 'vitest';
import { openAccruals } from './accrue.ts';
import { type EarningTest, houseUnits, openEarningTest, usdt } from './testing.ts';

const [ALICE, BOB] = [101n, 102n];
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

describe('liquidity', () => {
  it('S4.13 S4.14 earns from the day after, is credited at half past midnight, and comes back quick or normal', async () => {
    const earning = await start();
    const { clock } = earning;
    const room = earning.open();
    await earning.fund(ALICE, '10000');
    await earning.subscribe(room, ALICE, '2000');
    expect(await earning.units(ALICE, 'spot')).toBe(usdt('8000').units);
    // The day of the subscription earns nothing.
    clock.turnToCredit();
    expect(await room.accrueDue()).toBe(true);
    expect(await earning.units(ALICE, 'spot')).toBe(usdt('8000').units);
    // One minute before the income is due.
    clock.turnDays(1, 29);
    await room.accrueDue();
    expect(await earning.units(ALICE, 'spot')).toBe(usdt('8000').units);
    clock.turnDays(0, 30);
    await room.accrueDue();
    // 1,000 at 5% and 1,000 at 3.6%, divided by 365.
    const daily = (usdt('86').units * 1n) / 365n;
    expect(await earning.units(ALICE, 'spot')).toBe(usdt('8000').units + daily);
    expect(await houseUnits(earning, 'yield_reserved')).toBe(0n);

    // Today's income: the quick redemption of 500 loses it, the normal one of 500 keeps it.
    await earning.redeem(room, ALICE, '500', 'quick');
    await earning.redeem(room, ALICE, '500', 'normal');
    expect(await earning.units(ALICE, 'liquidity')).toBe(usdt('1000').units);
    expect(await earning.units(ALICE, 'liquidity', 'held')).toBe(usdt('500').units);
    expect(await room.issueDue()).toBe(0);
    const before = await earning.units(ALICE, 'spot');
    clock.turnToCredit();
    expect(await room.issueDue()).toBe(1);
    await room.accrueDue();
    const carry = (86_000_000n % 365n) * 100_000_000n;
    const earned = (1_500_000_000n * 5_000_000n - 500_000_000n * 1_400_000n + carry) / 36_500_000_000n;
    expect(await earning.units(ALICE, 'spot')).toBe(before + usdt('500').units + earned);
    expect(await earning.units(ALICE, 'liquidity')).toBe(usdt('1000').units);
  });
});

describe('a lock-up', () => {
  it('S4.8 reserves its whole yield, pays it day by day, and returns the principal with the last day', async () => {
    const earning = await start();
    const { clock } = earning;
    const room = earning.open();
    await earning.fund(BOB, '1000');
    const fund = await houseUnits(earning, 'yield');
    await earning.subscribe(room, BOB, '1000', 7);
    const whole = 700_000n;
    expect(await houseUnits(earning, 'yield')).toBe(fund - whole);
    expect(await houseUnits(earning, 'yield_reserved')).toBe(whole);
    expect(await earning.units(BOB, 'lockup')).toBe(usdt('1000').units);
    clock.turnToCredit();
    for (let day = 0; day <= 7; day++) {
      await room.accrueDue();
      expect(await earning.units(BOB, 'spot')).toBe(day === 7 ? usdt('1000').units + whole : BigInt(day) * 100_000n);
      clock.turnDays(1, 30);
    }
    expect(await earning.units(BOB, 'lockup')).toBe(0n);
    expect(await houseUnits(earning, 'yield_reserved')).toBe(0n);
    const list = await room.orders(BOB, { type: 'regular', id: null, kind: null, page: null }, clock.now());
    expect(list).toMatchObject({ ok: true, effect: { items: [{ status: 'complete', earned: '0.700000' }] } });
  });
});

it('queries open days once while all are paid, and pays the next one when it falls due', async () => {
  const earning = await start();
  const { clock, bus, ledger, faults } = earning;
  await earning.fund(ALICE, '2000');
  await earning.subscribe(earning.open(), ALICE, '2000');
  const asked: string[] = [];
  const { database } = earning.test;
  const { days } = clock;
  const counting: typeof database = {
    ...database,
    query(statement, values) {
      asked.push(statement.name);
      return database.query(statement, values);
    },
  };
  const onFault = (error: unknown) => faults.push(error);
  const accrual = openAccruals({ database: counting, ledger, bus, clock, days, onFault, idleMs: 1 });
  const times = (name: string) => asked.filter((each) => each === name).length;
  const stop = new AbortController();
  const running = accrual.run(stop.signal);
  try {
    await vi.waitFor(() => expect(times('earning.read_due_redemptions')).toBeGreaterThan(9), 120_000);
    const first = times('earning.read_last_accrual');
    const rounds = times('earning.read_due_redemptions');
    await vi.waitFor(() => expect(times('earning.read_due_redemptions')).toBeGreaterThan(rounds + 9), 120_000);
    expect(times('earning.read_last_accrual')).toBe(first);
    clock.turnDays(2);
    await vi.waitFor(async () => expect(await earning.units(ALICE, 'spot')).toBeGreaterThan(0n), 120_000);
  } finally {
    stop.abort();
    await running;
  }
});
