import { COIN_CODES } from '@sathorn/money';
import type { CoinCovers } from '../../exchange/contracts/index.ts';
import { readReserves } from './attestation-store.ts';
import type { BooksRoom } from './room.ts';

/** How long a reading is used, because it is asked for with each order. */
const FRESH_MS = 1_000;

/** What customers own of each coin and what two people have counted of it, read at most once per second. */
export function openCoinCovers({
  database,
  ledger,
  mode,
}: Pick<BooksRoom, 'database' | 'ledger' | 'mode'>): CoinCovers {
  const isTestMoney = mode === 'demo';
  const read = async () => {
    const [owed, reserves] = await Promise.all([ledger.owed(), readReserves(database, COIN_CODES)]);
    return { owed, reserves: new Map(reserves.map((row) => [row.asset, row])) };
  };
  let latest: { readonly atMs: number; readonly figures: ReturnType<typeof read> } | null = null;
  return async (coin, now) => {
    const nowMs = now.getTime();
    if (isTestMoney) return { isTestMoney, owed: 0n, counted: null, nowMs };
    if (latest === null || Math.abs(nowMs - latest.atMs) >= FRESH_MS) {
      const mine = { atMs: nowMs, figures: read() };
      latest = mine;
      mine.figures.catch(() => {
        if (latest === mine) latest = null;
      });
    }
    const { owed, reserves } = await latest.figures;
    const row = reserves.get(coin);
    const counted = row ? { units: BigInt(row.counted), asOfMs: row.as_of.getTime() } : null;
    return { isTestMoney, owed: owed.get(coin) ?? 0n, counted, nowMs };
  };
}
