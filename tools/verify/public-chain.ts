import type { SeenTick, SignedText } from '@sathorn/proof';

const ROWS_MAX = 1_000;

export interface PublicTicks {
  readonly items: readonly SignedText[];
  readonly head: SeenTick | null;
}

/** Asks the server's public calls; tests give their own. */
export type Ask = (path: string) => Promise<unknown>;

export function askServer(server: string): Ask {
  return async (path) => {
    const answer = await fetch(`${server.replace(/\/$/, '')}/api${path}`, { signal: AbortSignal.timeout(10_000) });
    const { data } = (await answer.json()) as { data?: unknown };
    if (!answer.ok || data === undefined) throw new Error(`${path} answered ${answer.status}`);
    return data;
  };
}

export async function readTicks(ask: Ask, coin: string, from: bigint, limit: number): Promise<PublicTicks> {
  const { items, head } = (await ask(`/proof/ticks?code=${coin}&from=${from}&limit=${limit}`)) as {
    items: SignedText[];
    head: { sequence: string; hash: string } | null;
  };
  return { items, head: head && { sequence: BigInt(head.sequence), hash: head.hash } };
}

/** All of the public chain from one number to another, or as far as it goes. */
export async function readSpan(
  ask: Ask,
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
