import { randomUUID } from 'node:crypto';
import { type Money, money, parseMoney } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import pg from 'pg';
import { findViolations } from '../../checker/checker/index.ts';
import { fundDemoHouse, giveDemoMoney } from '../../demo/demo/index.ts';
import { type AccountName, HOUSE_OWNER, type Ledger, openLedger } from '../../ledger/index.ts';
import { eligibilityWithFrozen } from '../../ledger/testing.ts';
import { Bus } from '../../platform/bus/index.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { dayOfText, INCOME_CREDITED_MINUTES, type LocalDays, localDays } from '../../platform/local-day.ts';
import type { EarningDependencies } from './earning.ts';
import { DEMO_TERMS, type Earning, openEarning } from './index.ts';

export const usdt = (text: string): Money<'USDT'> => parseMoney('USDT', text) ?? money('USDT', -1n);

/** A clock set by hand to minutes of local days. */
class DayClock {
  readonly days: LocalDays;
  #now: Date;
  constructor(timeZone: string, date: string) {
    this.days = localDays(timeZone);
    this.#now = this.days.momentOf(dayOfText(date) ?? Number.NaN, 12 * 60);
  }
  now(): Date {
    return this.#now;
  }
  get today(): number {
    return this.days.dayOf(this.#now);
  }
  turnTo(now: Date): void {
    this.#now = now;
  }
  /** Moves to a minute of a later day. */
  turnDays(days: number, minutes = 12 * 60): void {
    this.#now = this.days.momentOf(this.today + days, minutes);
  }
  /** Moves to the time at which today's income is credited. */
  turnToCredit(): void {
    this.turnDays(1, INCOME_CREDITED_MINUTES);
  }
}

export interface EarningTest {
  readonly test: TestDatabase;
  readonly clock: DayClock;
  readonly bus: Bus;
  readonly ledger: Ledger;
  readonly frozen: Set<bigint>;
  readonly faults: unknown[];
  /** Opens the module again on the same data, as after a restart or in another process. */
  open(change?: Partial<EarningDependencies>): Earning;
  fund(customer: bigint, amount: string): Promise<void>;
  intent(): { id: string; digest: string };
  /** Units of USDT in an account: the available ones, or the held ones. */
  units(owner: bigint, name: AccountName, of?: 'available' | 'held'): Promise<bigint>;
  subscribe(room: Earning, customer: bigint, amount: string, product?: number): Promise<string>;
  redeem(room: Earning, customer: bigint, amount: string, speed: 'quick' | 'normal'): Promise<string>;
  asOwner<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  violations(): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens the module with its own database, the real ledger and test money, in any time zone. */
export async function openEarningTest({
  timeZone = 'Asia/Bangkok',
  date = '2036-12-01',
}: {
  timeZone?: string;
  date?: string;
} = {}): Promise<EarningTest> {
  const test = await openTestDatabase();
  const { database } = test;
  const clock = new DayClock(timeZone, date);
  const bus = new Bus();
  const frozen = new Set<bigint>();
  const faults: unknown[] = [];
  const ledger = openLedger({ eligibility: eligibilityWithFrozen(frozen), database, clock, bus }).api;
  const owner = new pg.Pool({ ...test.owner, max: 1 });
  owner.on('error', () => undefined);
  await fundDemoHouse(ledger);

  const open: EarningTest['open'] = (change = {}) =>
    openEarning({
      database,
      ledger,
      bus,
      clock,
      timeZone,
      isOffering: () => true,
      rules: () => ({ content: 'rules', next: null }),
      passwords: {
        hasPaymentPassword: async () => true,
        checkPaymentPassword: async () => accept(null),
      },
      onFault: (error) => faults.push(error),
      ...change,
    }).api;
  await open().offerDemo(DEMO_TERMS, clock.now());

  return {
    test,
    clock,
    bus,
    ledger,
    frozen,
    faults,
    open,
    async fund(customer, amount) {
      const gift = { to: customer, asset: 'USDT' as const, units: usdt(amount).units };
      const decision = await giveDemoMoney(ledger, gift, { id: randomUUID(), digest: 'fund' });
      if (!decision.ok) throw new Error(decision.refusal);
    },
    intent: () => ({ id: randomUUID(), digest: 'earn' }),
    units: async (of, name, kind = 'available') =>
      (await ledger.balances(of)).find(({ account }) => account.name === name && account.asset === 'USDT')?.[kind] ??
      0n,
    async subscribe(room, customer, amount, product) {
      const request = { customer, amount: usdt(amount), product: product ?? null, quote: null };
      const decision = await room.subscribe(request, { id: randomUUID(), digest: 'in' });
      if (!decision.ok) throw new Error(decision.refusal);
      return decision.effect.id;
    },
    async redeem(room, customer, amount, speed) {
      const command = { customer, amount: usdt(amount), speed, quote: null };
      const decision = await room.redeem(command, { id: randomUUID(), digest: 'out' });
      if (!decision.ok) throw new Error(decision.refusal);
      return decision.effect.id;
    },
    asOwner: async (text, values) => (await owner.query(text, values)).rows,
    violations: () => findViolations(test.checker),
    async close() {
      await owner.end();
      await test.close();
    },
  };
}

export const houseUnits = (earning: EarningTest, name: AccountName): Promise<bigint> =>
  earning.units(HOUSE_OWNER, name);
