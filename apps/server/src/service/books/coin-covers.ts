import { COIN_CODES } from '@sathorn/money';
import type { CoinCover } from '@sathorn/settlement';
import type { ReadCoinCover } from '../../exchange/contracts/index.ts';
import { readReserves } from './attestation-store.ts';
import type { BooksDependencies } from './books.ts';

/** How long a reading is cached, because each order needs one. */
const FRESH_MS = 1_000;

/** Reads what customers own of each coin and what two people have counted of it, at most once per second. */
export function openCoinCovers({
  database,
  ledger,
  mode,
}: Pick<BooksDependencies, 'database' | 'ledger' | 'mode'>): ReadCoinCover {
  const isTestMoney = mode === 'demo';
  const read = async () => {
    const [owed, reserves] = await Promise.all([ledger.owed(), readReserves(database, COIN_CODES)]);
    return { owed, reserves: new Map(reserves.map((row) => [row.asset, row])) };
  };
  type Figures = Awaited<ReturnType<typeof read>>;
  let latest: { readonly atMs: number; figures: Promise<Figures> | Figures } | null = null;
  return (coin, now) => {
    const nowMs = now.getTime();
    if (isTestMoney) return { isTestMoney, owed: 0n, counted: null, nowMs };
    if (latest === null || Math.abs(nowMs - latest.atMs) >= FRESH_MS) {
      const reading = read();
      const mine = { atMs: nowMs, figures: reading as Promise<Figures> | Figures };
      latest = mine;
      reading.then(
        (figures) => {
          mine.figures = figures;
        },
        () => {
          if (latest === mine) latest = null;
        },
      );
    }
    const coverIn = ({ owed, reserves }: Figures): CoinCover => {
      const row = reserves.get(coin);
      const counted = row ? { units: BigInt(row.counted), asOfMs: row.as_of.getTime() } : null;
      return { isTestMoney, owed: owed.get(coin) ?? 0n, counted, nowMs };
    };
    const { figures } = latest;
    return figures instanceof Promise ? figures.then(coverIn) : coverIn(figures);
  };
}
