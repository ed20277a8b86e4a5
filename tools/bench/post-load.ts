import { connect } from 'node:net';

export interface Post {
  readonly path: string;
  readonly token: string;
  readonly key: string;
  readonly form: string;
  /** What the platform answered. */
  readonly answered?: (body: string) => void;
}

export interface PostLoad {
  /** Answers a second that accepted what was asked (`ret` 1). */
  readonly accepted: number;
  /** Answers a second, whatever they said. */
  readonly answered: number;
  /** Answers that did not accept, in all. */
  readonly refused: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: ([0-9]+)\r\n/i;

/**
 * Posts forms over as many connections, each as soon as the one before is answered, or `rate` a second in all: then the time of an answer
 * counts from when its request was due. It shares the cores with what it measures, so it does no more than it must: a general load
 * generator took a fifth of both for itself.
 */
export async function postLoad(
  port: number,
  connections: number,
  seconds: number,
  next: () => Post,
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
      let post: Post | undefined;
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
  const took = (performance.now() - begin) / 1000;
  tookMs.sort((a, b) => a - b);
  const at = (share: number): number => Math.round(tookMs[Math.floor(tookMs.length * share)] ?? 0);
  return { accepted: accepted / took, answered: tookMs.length / took, refused, p50Ms: at(0.5), p99Ms: at(0.99) };
}

export const latencyOf = ({ p50Ms, p99Ms }: PostLoad): string => `p50 ${p50Ms} ms, p99 ${p99Ms} ms`;
