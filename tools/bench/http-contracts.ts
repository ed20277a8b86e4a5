import { strict as assert } from 'node:assert';
import {
  BENCH_COINS,
  type BenchPlatform,
  type Load,
  nextKey,
  ratioToBare,
  withBarePosts,
  withPlatform,
  withServer,
} from './bench-platform.ts';
import { type Figure, perSecond } from './figure.ts';
import { cpuOf, inTurns, latencyOf, type Post, type PostLoad, rateOf } from './post-load.ts';

/** A turn. */
const SECONDS = 2;
const HALF_SECONDS = 8;
const CUSTOMERS = 64;
/** Of one customer. */
const RESTING_MAX = 40;

interface Trader {
  readonly token: string;
  readonly market: Market;
  /** Orders that rest, the oldest first. */
  readonly resting: string[];
}

interface Market {
  readonly code: string;
  /** Whole ticks. */
  readonly mid: number;
  readonly decimals: number;
  readonly quantity: string;
}

/** Of eight orders four rest near the index, two take what rests, two are revoked: so a book stays as it is. */
const MIX = ['rest buy', 'rest sell', 'take buy', 'rest buy', 'revoke', 'take sell', 'rest sell', 'revoke'] as const;

function orderBody(kind: string, { code, mid, decimals, quantity }: Market, n: number): string {
  const [what, side] = kind.split(' ');
  const away = what === 'take' ? 0.01 : 0.0005 + (n % 20) * 0.0001;
  const ticks = Math.round(mid * (1 + (side === 'buy' ? -1 : 1) * (what === 'take' ? -away : away)));
  const price = (ticks / 10 ** decimals).toFixed(decimals);
  return `code=${code}&side=${side}&type=limit&price=${price}&quantity=${quantity}${what === 'take' ? '&tif=IOC' : ''}`;
}

/** Codes of refusals, counted. */
type Refusals = Map<string, number>;

/** One trader after the other: an order of one's own would be cancelled instead of traded with. */
function postsOf(traders: readonly Trader[], refusals: Refusals): () => Post {
  let posts = 0;
  return () => {
    const kind = MIX[Math.floor(posts / traders.length) % MIX.length] as (typeof MIX)[number];
    const { token, market, resting } = traders[posts % traders.length] as Trader;
    posts += 1;
    // Who has enough on the book takes the oldest off: however fast it goes, a book stays as deep as it is.
    const isRevoke = kind === 'revoke' || (kind.startsWith('rest') && resting.length >= RESTING_MAX);
    return {
      path: isRevoke ? '/api/coin/trans/close' : '/api/coin/trans/add',
      token,
      key: nextKey(),
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

const tradersOf = (tokens: readonly string[], markets: readonly Market[]): Trader[] =>
  tokens.map((token, n) => ({ token, market: markets[n % markets.length] as Market, resting: [] }));

export async function benchHttpContracts(): Promise<Figure[]> {
  // As much as one call gives.
  const funds = { USDT: '100000', BTC: '10', ETH: '100', BNB: '1000', SOL: '1000' };
  for (const coin of BENCH_COINS) if (!Object.hasOwn(funds, coin)) Object.assign(funds, { [coin]: '100000' });
  return withPlatform({ count: CUSTOMERS, funds }, (platform) =>
    withBarePosts((barePosts) =>
      withServer('plain-exchange.ts', (plainLoad) => compare(platform, barePosts, plainLoad)),
    ),
  );
}

/** With the same orders at an exchange that keeps rows instead of books: what the ledger and all around it cost. */
async function compare(
  { tokens, load, read }: BenchPlatform,
  barePosts: (seconds: number) => Promise<PostLoad>,
  plainLoad: Load,
): Promise<Figure[]> {
  const markets = await readMarkets(read);
  const refusals: Refusals = new Map();
  const orders = postsOf(tradersOf(tokens, markets), refusals);
  const plainOrders = postsOf(
    tradersOf(
      Array.from({ length: CUSTOMERS }, (_, n) => String(n)),
      markets,
    ),
    new Map(),
  );
  await load(64, 3, orders);
  await plainLoad(64, 3, plainOrders);
  const trades = async (): Promise<number> => {
    const tapes = await Promise.all(
      markets.map(({ code }) => read<{ items: { id: string }[] }>(`/api/coin/trades?code=${code}&limit=1`)),
    );
    return tapes.reduce((sum, { items: [last] }) => sum + Number(last?.id.split('-')[1] ?? 0), 0);
  };
  let traded = 0;
  const tradesAt256 = async (): Promise<PostLoad> => {
    const before = await trades();
    const done = await load(256, SECONDS, orders);
    traded += (await trades()) - before;
    return done;
  };
  const { bare, at256, at64, plain256, plain64 } = await inTurns({
    bare: () => barePosts(1),
    at256: tradesAt256,
    plain256: () => plainLoad(256, SECONDS, plainOrders),
    at64: () => load(64, SECONDS, orders),
    plain64: () => plainLoad(64, SECONDS, plainOrders),
  });
  const half = await load(64, HALF_SECONDS, orders, rateOf(at64) / 2);
  // What was filled can't be revoked; anything else refused is a fault of the bench.
  for (const code of refusals.keys()) assert(code === 'order_ended' || code === 'order_unknown', `refused: ${code}`);
  assert(traded > 0, 'orders meet');
  const ratioToPlain = (ours: PostLoad, theirs: PostLoad): string =>
    `${(rateOf(ours) / rateOf(theirs)).toFixed(2)}× an exchange of plain rows (${perSecond(rateOf(theirs))})`;
  return [
    {
      name: 'contract orders over HTTP, durable, matched, settled in the ledger, 256 connections',
      value: `${perSecond(rateOf(at256))} (with ${perSecond(traded / at256.seconds)} trades), ${latencyOf(at256)}`,
      ratio: `${ratioToPlain(at256, plain256)}; ${ratioToBare(at256, bare)}; ${cpuOf(at256)}`,
      goal: '≥ 15,000/s, 0.58×',
    },
    {
      name: 'the same at 64 connections',
      value: `${perSecond(rateOf(at64))}, ${latencyOf(at64)}`,
      ratio: `${ratioToPlain(at64, plain64)}; ${ratioToBare(at64, bare)}; ${cpuOf(at64)}`,
      goal: '–',
    },
    {
      name: 'the same at half of that load',
      value: `${perSecond(rateOf(half))}, ${latencyOf(half)}`,
      ratio: cpuOf(half),
      goal: 'p50 3 ms, p99 ≤ 50 ms',
    },
  ];
}

async function readMarkets(read: BenchPlatform['read']): Promise<Market[]> {
  const coins = await read<{ code: string; price: string; tick: string; lot: string }[]>('/api/coin/lists');
  return coins.map(({ code, price, tick, lot }) => {
    const decimals = tick.split('.')[1]?.length ?? 0;
    const lots = Math.ceil(2 / (Number(price) * Number(lot)));
    const lotDecimals = lot.split('.')[1]?.length ?? 0;
    const quantity = (lots * Number(lot)).toFixed(lotDecimals);
    return { code, mid: Math.round(Number(price) * 10 ** decimals), decimals, quantity };
  });
}
