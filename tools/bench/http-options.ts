import type autocannon from 'autocannon';
import { BENCH_COINS, latencyOf, nextKey, rateOf, ratioTo, withPlatform } from './bench-platform.ts';
import { type Figure, perSecond } from './figure.ts';

export function benchHttpOptions(): Promise<Figure[]> {
  return withPlatform({ count: 32, funds: { USDT: '100000' } }, async ({ tokens, load, emptyPosts }) => {
    const purchases = tokens.flatMap((token, n) =>
      [0, 1].map(
        (side): autocannon.Request => ({
          method: 'POST',
          path: '/api/coin/order/add',
          setupRequest: (request) => ({
            ...request,
            headers: { ...request.headers, token, 'idempotency-key': nextKey() },
            body: `code=${BENCH_COINS[n % BENCH_COINS.length]}&direction=${side ? 'up' : 'down'}&quantity=1&duration=300`,
          }),
        }),
      ),
    );
    await load(64, 2, purchases);
    const empty = await emptyPosts();
    const at256 = await load(256, 8, purchases);
    const at64 = await load(64, 8, purchases);
    return [
      {
        name: 'option purchases over HTTP, durable, 256 connections',
        value: `${perSecond(rateOf(at256))}, ${latencyOf(at256)}`,
        ratio: ratioTo(empty, at256),
        goal: '≥ 10,000/s',
      },
      {
        name: 'the same at 64 connections',
        value: `${perSecond(rateOf(at64))}, ${latencyOf(at64)}`,
        ratio: ratioTo(empty, at64),
        goal: '–',
      },
    ];
  });
}
