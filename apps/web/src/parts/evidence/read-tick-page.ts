import { type ProofTick, readProofTicks } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import type { CoinCode } from '@sathorn/money';

const TRIES = 5;
const WAIT_MAX_MS = 15_000;
const WAIT_MS = 1_000;

interface TickPage {
  /** The page may have more items than requested, because it always ends with a signed tick. */
  readonly items: readonly ProofTick[];
  /** Null for a page that never changes. */
  readonly head: { readonly sequence: string; readonly hash: string } | null;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reads a page of the public chain, and waits if the server limits the rate. Returns null if it cannot be loaded. */
export async function readTickPage(
  code: CoinCode,
  from: string,
  limit: number,
  wait: (ms: number) => Promise<void> = pause,
): Promise<TickPage | null> {
  for (let tries = 1; ; tries += 1) {
    const answer = await callServer(readProofTicks, { code, from, limit: String(limit) });
    if (answer.ok) return answer.data;
    if (answer.status !== 429 && answer.status !== 503) return null;
    const { retryAfterMs = WAIT_MS } = answer;
    if (tries === TRIES || retryAfterMs > WAIT_MAX_MS) return null;
    await wait(Math.max(retryAfterMs, WAIT_MS));
  }
}
