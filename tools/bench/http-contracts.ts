import { strict as assert } from 'node:assert';
import {
  BENCH_COINS,
  type BenchPlatform,
  type RunLoad,
  ratioToBare,
  ratioToPlain,
  withBarePosts,
  withPlatform,
  withServer,
} from './bench-platform.ts';
import { type BenchFigure, perSecond } from './figure.ts';
import { orderPostsOf, type RefusalCounts, readMarkets, strangersOf, tradersOf } from './order-load.ts';
import { acceptedPerSecond, cpuText, latencyText, type PostLoad, runInTurns } from './post-load.ts';

/** Seconds per turn. */
const SECONDS = 2;
const CUSTOMERS = 64;

export async function benchHttpContracts(): Promise<BenchFigure[]> {
  // The most that one call grants.
  const funds = { USDT: '100000', BTC: '10', ETH: '100', BNB: '1000', SOL: '1000' };
  for (const coin of BENCH_COINS) if (!Object.hasOwn(funds, coin)) Object.assign(funds, { [coin]: '100000' });
  return withPlatform({ count: CUSTOMERS, funds }, (platform) =>
    withBarePosts((barePosts) =>
      withServer('plain-exchange.ts', (plainLoad) => compare(platform, barePosts, plainLoad)),
    ),
  );
}

/**
 * Sends the same orders to an exchange that keeps rows instead of books, which shows the cost of the ledger and
 * everything around it.
 */
async function compare(
  { tokens, load, read }: BenchPlatform,
  barePosts: (seconds: number) => Promise<PostLoad>,
  plainLoad: RunLoad,
): Promise<BenchFigure[]> {
  const markets = await readMarkets(read);
  const refusals: RefusalCounts = new Map();
  const orders = orderPostsOf(tradersOf(tokens, markets), refusals);
  const plainOrders = orderPostsOf(strangersOf(CUSTOMERS, markets), new Map());
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
  const { bare, at256, at64, plain256, plain64 } = await runInTurns({
    bare: () => barePosts(1),
    at256: tradesAt256,
    plain256: () => plainLoad(256, SECONDS, plainOrders),
    at64: () => load(64, SECONDS, orders),
    plain64: () => plainLoad(64, SECONDS, plainOrders),
  });
  const halfRate = acceptedPerSecond(at64) / 2;
  const { half, plainHalf } = await runInTurns({
    half: () => load(64, SECONDS, orders, halfRate),
    plainHalf: () => plainLoad(64, SECONDS, plainOrders, halfRate),
  });
  // A filled order cannot be revoked; any other refusal is a fault of the benchmark.
  for (const code of refusals.keys()) assert(code === 'order_ended' || code === 'order_unknown', `refused: ${code}`);
  assert(traded > 0, 'orders meet');
  return [
    {
      name: 'contract orders over HTTP, durable, matched, settled in the ledger, 256 connections',
      value: `${perSecond(acceptedPerSecond(at256))} (with ${perSecond(traded / at256.seconds)} trades), ${latencyText(at256)}`,
      ratio: `${ratioToPlain(at256, plain256)}; ${ratioToBare(at256, bare)}; ${cpuText(at256)}`,
      goal: '≥ 15,000/s, 0.58×',
      share: ['contract orders at 256 connections', acceptedPerSecond(at256) / acceptedPerSecond(plain256)],
    },
    {
      name: 'the same at 64 connections',
      value: `${perSecond(acceptedPerSecond(at64))}, ${latencyText(at64)}`,
      ratio: `${ratioToPlain(at64, plain64)}; ${ratioToBare(at64, bare)}; ${cpuText(at64)}`,
      goal: '–',
      share: ['contract orders at 64 connections', acceptedPerSecond(at64) / acceptedPerSecond(plain64)],
    },
    {
      name: 'the same at half of that load',
      value: `${perSecond(acceptedPerSecond(half))}, ${latencyText(half)}`,
      ratio: `${latencyText(plainHalf)} of an exchange of plain rows at that rate; ${cpuText(half)}`,
      goal: 'p50 3 ms, p99 ≤ 50 ms',
    },
  ];
}
