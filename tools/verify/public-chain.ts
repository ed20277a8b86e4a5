import { setTimeout as pause } from 'node:timers/promises';
import type { SeenTick, SignedText } from '@sathorn/proof';

const ROWS_MAX = 1_000;

interface PublicTicks {
  /** The page may have more items than requested, because it always ends with a signed tick. */
  readonly items: readonly SignedText[];
  /** Null for a page that never changes. */
  readonly head: SeenTick | null;
}

/** Makes a public call; tests pass their own function. */
export type AskServer = (path: string) => Promise<unknown>;

export function askServer(server: string, wait?: (ms: number) => Promise<unknown>): AskServer {
  return async (path) => {
    const answer = await fetchPatiently(`${server.replace(/\/$/, '')}/api${path}`, wait);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    const { data } = (await answer.json()) as { data?: unknown };
    if (data === undefined) throw new Error(`${path} answered without data`);
    return data;
  };
}

const TRIES = 12;
const WAIT_MAX_SECONDS = 60;

/** Waits and retries when the server limits the rate; returns the last refusal after too many attempts. */
export async function fetchPatiently(
  address: string,
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(10_000) });
    if (answer.status !== 429 && answer.status !== 503) return answer;
    const said = answer.headers.get('retry-after') ?? '1';
    const seconds = /^[0-9]{1,9}$/.test(said) ? Number(said) : 1;
    if (tries === TRIES || seconds > WAIT_MAX_SECONDS) return answer;
    await answer.body?.cancel();
    await wait(Math.max(seconds, 1) * 1_000);
  }
}

export async function readTicks(ask: AskServer, coin: string, from: bigint, limit: number): Promise<PublicTicks> {
  const { items, head } = (await ask(`/proof/ticks?code=${coin}&from=${from}&limit=${limit}`)) as {
    items: SignedText[];
    head: { sequence: string; hash: string } | null;
  };
  return { items, head: head && { sequence: BigInt(head.sequence), hash: head.hash } };
}

/** Requests a page beyond the head, so that the answer contains no ticks. */
export async function readHead(ask: AskServer, coin: string): Promise<SeenTick | null> {
  return (await readTicks(ask, coin, 10n ** 18n - 1n, 1)).head;
}

/** Reads the public chain from one sequence to another, or up to its end. */
export async function readTickSpan(
  ask: AskServer,
  coin: string,
  { from, to }: { from: bigint; to: bigint },
): Promise<SignedText[]> {
  const texts: SignedText[] = [];
  for (let next = from; next <= to; ) {
    const limit = Math.min(ROWS_MAX, Number(to - next) + 1);
    const { items } = await readTicks(ask, coin, next, limit);
    texts.push(...items);
    if (items.length < limit) break;
    next += BigInt(items.length);
  }
  return texts;
}
