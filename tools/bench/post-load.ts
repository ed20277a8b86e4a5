import { connect } from 'node:net';

export interface Post {
  readonly path: string;
  readonly token: string;
  readonly key: string;
  readonly form: string;
}

export interface PostLoad {
  /** Answers a second that accepted what was asked (`ret` 1). */
  readonly accepted: number;
  /** Answers that did not, in all. */
  readonly refused: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: ([0-9]+)\r\n/i;

/**
 * Posts forms over as many connections, each as soon as the one before is answered. It shares the cores with what it measures, so it
 * does no more than it must: a general load generator took a fifth of both for itself.
 */
export async function postLoad(
  port: number,
  connections: number,
  seconds: number,
  next: () => Post,
): Promise<PostLoad> {
  const tookMs: number[] = [];
  let accepted = 0;
  let refused = 0;
  const begin = performance.now();
  const end = begin + seconds * 1000;

  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let sentAt = 0;
      let received = '';
      const post = (): void => {
        const { path, token, key, form } = next();
        sentAt = performance.now();
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ntoken: ${token}\r\nidempotency-key: ${key}\r\n` +
            `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${form.length}\r\n\r\n${form}`,
          'latin1',
        );
      };
      socket.on('connect', post);
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString('latin1');
        const head = received.indexOf(HEAD_END);
        const length = head === -1 ? null : LENGTH.exec(received);
        if (length === null || received.length < head + HEAD_END.length + Number(length[1])) return;
        if (received.startsWith('{"ret":1,', head + HEAD_END.length)) accepted += 1;
        else refused += 1;
        received = '';
        const now = performance.now();
        tookMs.push(now - sentAt);
        if (now < end) post();
        else socket.end();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve());
    });

  await Promise.all(Array.from({ length: connections }, run));
  tookMs.sort((a, b) => a - b);
  const at = (share: number): number => Math.round(tookMs[Math.floor(tookMs.length * share)] ?? 0);
  return {
    accepted: accepted / ((performance.now() - begin) / 1000),
    refused,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
}
