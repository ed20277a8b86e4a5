import { BENCH_COINS, barePosts, nextKey, ratioTo, withPlatform } from './bench-platform.ts';
import { type Figure, perSecond } from './figure.ts';
import { latencyOf, type Post } from './post-load.ts';

const SECONDS = 8;

export async function benchHttpOptions(): Promise<Figure[]> {
  const bare = await barePosts();
  return withPlatform({ count: 32, funds: { USDT: '100000' } }, async ({ tokens, load }) => {
    let posts = 0;
    const next = (): Post => {
      posts += 1;
      const customer = posts % tokens.length;
      const coin = BENCH_COINS[customer % BENCH_COINS.length];
      const direction = posts % 3 === 0 ? 'down' : 'up';
      return {
        path: '/api/coin/order/add',
        token: tokens[customer] ?? '',
        key: nextKey(),
        form: `code=${coin}&direction=${direction}&quantity=1&duration=300`,
      };
    };
    await load(64, 2, next);
    const [at256, at64] = [await load(256, SECONDS, next), await load(64, SECONDS, next)];
    const refused = at256.refused + at64.refused;
    if (refused > 0) throw new Error(`${refused} purchases were refused`);
    return [
      {
        name: 'option purchases over HTTP, durable, 256 connections',
        value: `${perSecond(at256.accepted)}, ${latencyOf(at256)}`,
        ratio: `${ratioTo(bare, at256)}; ${at256.cpu}`,
        goal: '≥ 10,000/s, 0.25×',
      },
      {
        name: 'the same at 64 connections',
        value: `${perSecond(at64.accepted)}, ${latencyOf(at64)}`,
        ratio: `${ratioTo(bare, at64)}; ${at64.cpu}`,
        goal: '–',
      },
    ];
  });
}
