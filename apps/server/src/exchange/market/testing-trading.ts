import { createHash } from 'node:crypto';
import type { CoinCode } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { fundDemoHouse } from '../../demo/demo/index.ts';
import { customerAccount, houseAccount, type JournalKind, type Ledger, openLedger } from '../../ledger/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import type { TestDatabase } from '../../platform/database/testing.ts';
import { type Options, openOptions } from '../options/index.ts';
import { openMarket, type PricesConfig, ticksForOptions } from './index.ts';
import type { PriceSource } from './price-source.ts';
import { openTestIndex, testSigner } from './testing.ts';

export const TEST_CUSTOMER = 42n;

const gift: JournalKind<null, null, never> = {
  name: 'test.gift',
  customer: () => null,
  accounts: () => [houseAccount('demo_fund', 'USDT'), customerAccount(TEST_CUSTOMER, 'USDT')],
  decide: () =>
    accept({
      transfers: [
        {
          kind: 'single',
          debit: houseAccount('demo_fund', 'USDT'),
          credit: customerAccount(TEST_CUSTOMER, 'USDT'),
          units: 10_000_000_000n,
          code: 'demo_money',
        },
      ],
      answer: null,
    }),
};

/** A UUID derived from a name, so that each run has the same ids. */
export function testUuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export interface TestTrading {
  readonly options: Options;
  readonly ledger: Ledger;
  readonly faults: unknown[];
  /** Moves the clock to the next second and lets the index publish it, if its sources allow. */
  second(): Promise<void>;
  /** Moves the clock without running anything for the time in between. */
  turnTo(toMs: number): void;
  now(): Date;
}

/**
 * Opens index, ledger and options over the given sources, with a clock that the test controls and one customer with
 * 10,000 USDT.
 */
export async function openTestTrading(
  test: TestDatabase,
  from: { sources: readonly PriceSource[]; coin: CoinCode; startMs: number; prices: PricesConfig },
): Promise<TestTrading> {
  const { database } = test;
  const { coin } = from;
  let ms = from.startMs;
  const clock = { now: () => new Date(ms) };
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const { view, bus, publisher } = await openTestIndex(test, from.sources, [coin], clock.now());
  const ledger = openLedger({ eligibility: null, database, clock, bus: new Bus() }).api;
  await fundDemoHouse(ledger);
  await ledger.post(gift, null, { id: testUuidOf('gift'), digest: 'gift' });
  const reads = (await openMarket({ database, publishing: null, clock, bus: new Bus(), prices: from.prices, onFault }))
    .api;
  const options = (
    await openOptions({
      database,
      ledger,
      clock,
      bus,
      market: {
        ...ticksForOptions(reads),
        isStale: (wanted, now) => view.isStale(wanted, now) || view.isPaused(wanted, now),
        newestTickMs: (wanted) => view.lastTick(wanted)?.at.getTime() ?? null,
      },
      messages: { send: async () => undefined },
      signer: testSigner,
      accountSalt: Buffer.alloc(32, 3),
      rulesHash: () => '5a'.repeat(32),
      timeZone: 'Asia/Bangkok',
      isSelling: () => true,
      readTickWatermark: async () => ms - 5_000,
      onFault,
    })
  ).api;
  return {
    options,
    ledger,
    faults,
    now: clock.now,
    turnTo(toMs) {
      ms = Math.max(ms, toMs);
    },
    async second() {
      ms += 1_000;
      await publisher.publish(Math.floor(ms / 1_000) * 1_000);
    },
  };
}
