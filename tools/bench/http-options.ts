import { BENCH_COINS, nextKey, withPlatform } from './bench-platform.ts';
import { type Figure, perSecond } from './figure.ts';
import { type Post, type PostLoad, postLoad } from './post-load.ts';
import { cpuMsOf, processesOf } from './process-use.ts';

const SECONDS = 8;

export function benchHttpOptions(): Promise<Figure[]> {
  return withPlatform({ count: 32, funds: { USDT: '100000' } }, async ({ tokens, port, pid, emptyPosts }) => {
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
    /** CPU of the server without its children, and of those: the database, the checker. */
    const measured = async (connections: number): Promise<PostLoad & { cpu: string }> => {
      const used = (): { all: number; own: number } => ({
        all: cpuMsOf(pid),
        own: processesOf(pid).get(pid)?.cpuMs ?? 0,
      });
      const before = used();
      const load = process.cpuUsage();
      const result = await postLoad(port, connections, SECONDS, next);
      if (result.refused > 0) throw new Error(`${result.refused} purchases were refused`);
      const { user, system } = process.cpuUsage(load);
      const after = used();
      const [own, all] = [after.own - before.own, after.all - before.all];
      const per = (ms: number): string => (ms / ((result.accepted * SECONDS) / 1_000)).toFixed(0);
      const cpu = `CPU per 1,000: the server's ${per(own)} ms, the database's ${per(all - own)} ms, the load's ${per((user + system) / 1_000)} ms`;
      return { ...result, cpu };
    };
    await postLoad(port, 64, 2, next);
    const empty = await emptyPosts();
    const at256 = await measured(256);
    const at64 = await measured(64);
    const said = ({ accepted, p50Ms, p99Ms }: PostLoad): string =>
      `${perSecond(accepted)}, p50 ${p50Ms} ms, p99 ${p99Ms} ms`;
    return [
      {
        name: 'option purchases over HTTP, durable, 256 connections',
        value: said(at256),
        ratio: `${(at256.accepted / empty).toFixed(2)}× a form post that no room is asked about (${perSecond(empty)}); ${at256.cpu}`,
        goal: '≥ 10,000/s',
      },
      {
        name: 'the same at 64 connections',
        value: said(at64),
        ratio: at64.cpu,
        goal: '–',
      },
    ];
  });
}
