import {
  BENCH_COINS,
  nextIdempotencyKey,
  ratioToBare,
  ratioToPlain,
  withBarePosts,
  withPlatform,
  withServer,
} from './bench-platform.ts';
import { type BenchFigure, perSecond } from './figure.ts';
import { orderPostsOf, readMarkets, strangersOf } from './order-load.ts';
import { acceptedPerSecond, cpuText, type LoadPost, latencyText, runInTurns } from './post-load.ts';

/** Seconds per turn. */
const SECONDS = 2;

export async function benchHttpOptions(): Promise<BenchFigure[]> {
  return withPlatform({ count: 32, funds: { USDT: '100000' } }, async ({ tokens, load, read }) => {
    let posts = 0;
    const next = (): LoadPost => {
      posts += 1;
      const customer = posts % tokens.length;
      const coin = BENCH_COINS[customer % BENCH_COINS.length];
      const direction = posts % 3 === 0 ? 'down' : 'up';
      return {
        path: '/api/coin/order/add',
        token: tokens[customer] ?? '',
        key: nextIdempotencyKey(),
        form: `code=${coin}&direction=${direction}&quantity=1&duration=300`,
      };
    };
    await load(64, 2, next);
    const plainOrders = orderPostsOf(strangersOf(64, await readMarkets(read)), new Map());
    const { bare, plain256, at256, at64 } = await withBarePosts((barePosts) =>
      withServer('plain-exchange.ts', async (plainLoad) => {
        await plainLoad(64, 2, plainOrders);
        return runInTurns({
          bare: () => barePosts(1),
          plain256: () => plainLoad(256, SECONDS, plainOrders),
          at256: () => load(256, SECONDS, next),
          at64: () => load(64, SECONDS, next),
        });
      }),
    );
    const refused = at256.refused + at64.refused;
    if (refused > 0) throw new Error(`${refused} purchases were refused`);
    return [
      {
        name: 'option purchases over HTTP, durable, 256 connections',
        value: `${perSecond(acceptedPerSecond(at256))}, ${latencyText(at256)}`,
        ratio: `${ratioToPlain(at256, plain256)}; ${ratioToBare(at256, bare)}; ${cpuText(at256)}`,
        goal: '≥ 10,000/s, 0.39×, 0.25×',
        share: ['purchases at 256 connections', acceptedPerSecond(at256) / acceptedPerSecond(plain256)],
      },
      {
        name: 'the same at 64 connections',
        value: `${perSecond(acceptedPerSecond(at64))}, ${latencyText(at64)}`,
        ratio: `${ratioToBare(at64, bare)}; ${cpuText(at64)}`,
        goal: '–',
      },
    ];
  });
}
