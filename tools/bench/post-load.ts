import { connect } from 'node:net';

export interface LoadPost {
  readonly path: string;
  readonly token: string;
  readonly key: string;
  readonly form: string;
  /** Called with each answer of the platform. */
  readonly answered?: (body: string) => void;
}

export interface PostLoad {
  readonly seconds: number;
  /** The number of answers that accepted the request (`ret` 1); `refused` counts the others. */
  readonly accepted: number;
  readonly refused: number;
  /** The time of each answer. */
  readonly tookMs: readonly number[];
  /** CPU time, if known. */
  readonly cpuMs: CpuUse;
}

interface CpuUse {
  readonly server: number;
  readonly database: number;
  readonly load: number;
}

const joined = (loads: readonly PostLoad[]): PostLoad => {
  const sum = (of: (load: PostLoad) => number): number => loads.reduce((total, load) => total + of(load), 0);
  return {
    seconds: sum(({ seconds }) => seconds),
    accepted: sum(({ accepted }) => accepted),
    refused: sum(({ refused }) => refused),
    tookMs: loads.flatMap(({ tookMs }) => tookMs),
    cpuMs: {
      server: sum(({ cpuMs }) => cpuMs.server),
      database: sum(({ cpuMs }) => cpuMs.database),
      load: sum(({ cpuMs }) => cpuMs.load),
    },
  };
};

const TURNS = 4;

/** Runs the measured systems in turns, because a machine may be twice as fast in one minute as in the next. */
export async function runInTurns<Name extends string>(
  runs: Readonly<Record<Name, () => Promise<PostLoad>>>,
): Promise<Record<Name, PostLoad>> {
  const parts = new Map<string, PostLoad[]>(Object.keys(runs).map((name) => [name, []]));
  for (let turn = 0; turn < TURNS; turn++)
    for (const [name, run] of Object.entries<() => Promise<PostLoad>>(runs)) parts.get(name)?.push(await run());
  return Object.fromEntries([...parts].map(([name, loads]) => [name, joined(loads)])) as Record<Name, PostLoad>;
}

/** Accepted requests per second. */
export const acceptedPerSecond = ({ accepted, seconds }: PostLoad): number => accepted / seconds;

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: ([0-9]+)\r\n/i;

/**
 * Posts forms over `connections` connections, each as soon as its previous one is answered. With `rate`, it posts that
 * many per second in total, and an answer's time counts from when its request was due. It shares the CPU with the
 * measured system, so it does as little as possible: a general load generator used a fifth of both cores itself.
 */
export async function runPostLoad(
  port: number,
  connections: number,
  seconds: number,
  next: () => LoadPost,
  rate?: number,
): Promise<PostLoad> {
  const tookMs: number[] = [];
  let accepted = 0;
  let refused = 0;
  let due = 0;
  const begin = performance.now();
  const end = begin + seconds * 1000;

  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let sentAt = 0;
      let received = '';
      let post: LoadPost | undefined;
      const send = (): void => {
        post = next();
        const { path, token, key, form } = post;
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ntoken: ${token}\r\nidempotency-key: ${key}\r\n` +
            `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${form.length}\r\n\r\n${form}`,
          'latin1',
        );
      };
      const sendInTurn = (): void => {
        const now = performance.now();
        sentAt = rate === undefined ? now : begin + (due++ * 1000) / rate;
        if (now >= end || sentAt >= end) socket.end();
        else if (sentAt <= now) send();
        else setTimeout(send, sentAt - now);
      };
      socket.on('connect', sendInTurn);
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString('latin1');
        const head = received.indexOf(HEAD_END);
        const length = head === -1 ? null : LENGTH.exec(received);
        if (length === null || received.length < head + HEAD_END.length + Number(length[1])) return;
        tookMs.push(performance.now() - sentAt);
        if (received.startsWith('{"ret":1,', head + HEAD_END.length)) accepted += 1;
        else refused += 1;
        post?.answered?.(received.slice(head + HEAD_END.length));
        received = '';
        sendInTurn();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve());
    });

  await Promise.all(Array.from({ length: connections }, run));
  const cpuMs = { server: 0, database: 0, load: 0 };
  return { seconds: (performance.now() - begin) / 1000, accepted, refused, tookMs, cpuMs };
}

export function cpuText({ tookMs, cpuMs }: PostLoad): string {
  const per = (ms: number): string => ((ms * 1_000) / tookMs.length).toFixed(0);
  return `CPU per 1,000: the server's ${per(cpuMs.server)} ms, the database's ${per(cpuMs.database)} ms, the load's ${per(cpuMs.load)} ms`;
}

export function latencyText({ tookMs }: PostLoad): string {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
