import { createHmac } from 'node:crypto';
import { COIN_CODES, type CoinCode, isCoinCode } from '@sathorn/money';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { readLastTicks, storeFeedOrigin } from './market-store.ts';
import { type OpenedSimulation, type PriceAnchor, type PriceAnchors, simulatedMarket } from './simulated-price.ts';

/**
 * Opens a seed's simulation and continues from what this database has. A simulation that replaces another one (an older
 * generator, or another seed) starts at the newest prices and stores the offset. Without it, the jump would pause
 * purchases and decide open options.
 */
export async function openSimulation(
  seed: string,
  publishing: Database | null,
  database: Database,
  clock: Clock,
): Promise<OpenedSimulation> {
  const bare = simulatedMarket(seed);
  const anchors: Partial<Record<CoinCode, PriceAnchor>> = {};
  for (const { coin, at, price, environment } of await readLastTicks(database, COIN_CODES)) {
    if (environment !== 'sim') continue;
    const second = at.getTime() / 1_000;
    anchors[coin] = { second, shift: Math.log(Number(price) / 1e6 / bare.price(coin, second)) };
  }
  const { seed: kept, startedAt } = await storeFeedOrigin(publishing, database, `simulator/2 ${fingerprintOf(seed)}`, {
    seed: JSON.stringify(anchors),
    startedAt: clock.now(),
  });
  return { ...simulatedMarket(seed, readAnchors(kept)), startedAt };
}

/** Distinguishes seeds without revealing them. */
function fingerprintOf(seed: string): string {
  return createHmac('sha256', seed).update('fingerprint of a simulation').digest('hex').slice(0, 16);
}

function readAnchors(text: string): PriceAnchors {
  const anchors: Partial<Record<CoinCode, PriceAnchor>> = {};
  for (const [coin, anchor] of Object.entries(JSON.parse(text) as Record<string, Partial<PriceAnchor>>)) {
    const { second, shift } = anchor;
    if (!isCoinCode(coin) || typeof second !== 'number' || typeof shift !== 'number')
      throw new Error(`the stored simulation of ${coin} cannot be read`);
    anchors[coin] = { second, shift };
  }
  return anchors;
}
