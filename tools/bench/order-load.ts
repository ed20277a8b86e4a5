import { type BenchPlatform, nextIdempotencyKey } from './bench-platform.ts';
import type { LoadPost } from './post-load.ts';

/** Limit per customer. */
const RESTING_MAX = 40;

interface Trader {
  readonly token: string;
  readonly market: LoadMarket;
  /** Resting orders, oldest first. */
  readonly resting: string[];
}

export interface LoadMarket {
  readonly code: string;
  /** In whole price steps. */
  readonly mid: number;
  readonly decimals: number;
  readonly quantity: string;
}

/**
 * Per eight orders, four rest near the index, two take resting ones and two are revoked, so that a book's size stays
 * constant.
 */
const MIX = ['rest buy', 'rest sell', 'take buy', 'rest buy', 'revoke', 'take sell', 'rest sell', 'revoke'] as const;

function orderBody(kind: string, { code, mid, decimals, quantity }: LoadMarket, n: number): string {
  const [what, side] = kind.split(' ');
  const away = what === 'take' ? 0.01 : 0.0005 + (n % 20) * 0.0001;
  const ticks = Math.round(mid * (1 + (side === 'buy' ? -1 : 1) * (what === 'take' ? -away : away)));
  const price = (ticks / 10 ** decimals).toFixed(decimals);
  return `code=${code}&side=${side}&type=limit&price=${price}&quantity=${quantity}${what === 'take' ? '&tif=IOC' : ''}`;
}

/** Counts of refusal codes. */
export type RefusalCounts = Map<string, number>;

/** Alternates between traders, because an order would cancel the same owner's order instead of trading with it. */
export function orderPostsOf(traders: readonly Trader[], refusals: RefusalCounts): () => LoadPost {
  let posts = 0;
  return () => {
    const kind = MIX[Math.floor(posts / traders.length) % MIX.length] as (typeof MIX)[number];
    const { token, market, resting } = traders[posts % traders.length] as Trader;
    posts += 1;
    // A customer with enough resting orders revokes the oldest, so that a book keeps its depth at any speed.
    const isRevoke = kind === 'revoke' || (kind.startsWith('rest') && resting.length >= RESTING_MAX);
    return {
      path: isRevoke ? '/api/coin/trans/close' : '/api/coin/trans/add',
      token,
      key: nextIdempotencyKey(),
      form: isRevoke ? `id=${resting.shift() ?? `${market.code}-1`}` : orderBody(kind, market, posts),
      answered: (body) => {
        if (!body.startsWith('{"ret":1')) {
          const code = /"code":"([a-z_]+)"/.exec(body)?.[1] ?? body.slice(0, 100);
          refusals.set(code, (refusals.get(code) ?? 0) + 1);
          return;
        }
        if (!body.includes('"status":"open"') && !body.includes('"status":"partial"')) return;
        const from = body.indexOf('"id":"') + 6;
        resting.push(body.slice(from, body.indexOf('"', from)));
      },
    };
  };
}

export const tradersOf = (tokens: readonly string[], markets: readonly LoadMarket[]): Trader[] =>
  tokens.map((token, n) => ({ token, market: markets[n % markets.length] as LoadMarket, resting: [] }));

/** Returns traders for an exchange without accounts, which accepts a number as a session. */
export const strangersOf = (count: number, markets: readonly LoadMarket[]): Trader[] =>
  tradersOf(
    Array.from({ length: count }, (_, n) => String(n)),
    markets,
  );

export async function readMarkets(read: BenchPlatform['read']): Promise<LoadMarket[]> {
  const coins = await read<{ code: string; price: string; tick: string; lot: string }[]>('/api/coin/lists');
  return coins.map(({ code, price, tick, lot }) => {
    const decimals = tick.split('.')[1]?.length ?? 0;
    const lots = Math.ceil(2 / (Number(price) * Number(lot)));
    const lotDecimals = lot.split('.')[1]?.length ?? 0;
    const quantity = (lots * Number(lot)).toFixed(lotDecimals);
    return { code, mid: Math.round(Number(price) * 10 ** decimals), decimals, quantity };
  });
}
