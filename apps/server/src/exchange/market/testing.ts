import type { CoinCode } from '@sathorn/money';
import type { PriceObservation, TickEnvironment } from '@sathorn/proof';
import pg from 'pg';
import { Bus } from '../../platform/bus/index.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing.ts';
import { announceTestKey, testSigner } from '../../platform/testing-keys.ts';
import { type IndexPublisher, type MarketAlarm, openIndexPublisher } from './index-publisher.ts';
import { MarketView } from './market-view.ts';
import type { PriceSource } from './price-source.ts';
import { openTickVerifier } from './tick-verifier.ts';

/** A source whose prices a test sets. */
export class ScriptedSource implements PriceSource {
  readonly name: string;
  readonly family: string;
  readonly coins: readonly CoinCode[];
  readonly observations = new Map<CoinCode, PriceObservation>();
  volume = 0n;

  constructor(name: string, coins: readonly CoinCode[], family = 'USDT') {
    this.name = name;
    this.coins = coins;
    this.family = family;
  }

  /** Reports a price in units of 10^-6 at a time; each call counts as a trade. */
  report(coin: CoinCode, at: number, price: bigint, trade = `${at}`): void {
    this.observations.set(coin, { price, at, trade });
  }

  latest(coin: CoinCode): PriceObservation | null {
    return this.observations.get(coin) ?? null;
  }
  takeVolume(): bigint {
    return this.volume;
  }
  start(): void {}
  async stop(): Promise<void> {}
}

export { testSigner } from '../../platform/testing-keys.ts';

/** Opens a database in which ticks may have any time, which only its owner can allow; for replays. */
export async function openVirtualClockDatabase(): Promise<TestDatabase> {
  const test = await openTestDatabase();
  const owner = new pg.Client(test.owner);
  await owner.connect();
  await owner.query('UPDATE market.guard SET virtual_clock = true');
  await owner.end();
  await announceTestKey(test);
  return test;
}

/** Opens the publisher with its view, as in `openMarket`, for tests that advance the seconds by hand. */
export async function openTestIndex(
  { database, index }: Pick<TestDatabase, 'database' | 'index'>,
  sources: readonly PriceSource[],
  coins: readonly CoinCode[],
  now: Date,
  environment: TickEnvironment = 'replay',
): Promise<{ view: MarketView; bus: Bus; publisher: IndexPublisher; alarms: MarketAlarm[] }> {
  const bus = new Bus();
  const view = new MarketView(coins, bus, openTickVerifier(database).verify);
  await view.catchUp(database, now);
  const alarms: MarketAlarm[] = [];
  const onAlarm = (alarm: MarketAlarm): void => void alarms.push(alarm);
  return {
    view,
    bus,
    alarms,
    publisher: openIndexPublisher({ database: index, signer: testSigner, sources, environment, view, onAlarm }),
  };
}
