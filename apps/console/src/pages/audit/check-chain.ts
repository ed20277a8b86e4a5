import { sha256 } from '../../parts/sha256.ts';

/** The position up to which the chain has been verified. */
export interface VerifiedUpTo {
  readonly n: number;
  /** In hex. */
  readonly hash: string;
  /** Hashes of the last page's entries. The signed head must be one of them. */
  readonly hashes: ReadonlySet<string>;
}

export const GENESIS: VerifiedUpTo = { n: 0, hash: '00'.repeat(32), hashes: new Set() };

const toBytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (two) => Number.parseInt(two, 16));

/** SHA-256(previous hash ‖ text), the log's hash formula. */
async function hashOfEntry(previous: string, text: string): Promise<string> {
  const [head, body] = [toBytes(previous), new TextEncoder().encode(text)];
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return sha256(whole);
}

/**
 * Verifies the next entries of the chain: each must name the number and hash of the entry before it, and its own hash
 * must match. Returns null at the first entry that fails.
 */
export async function checkEntries(
  from: VerifiedUpTo,
  entries: readonly { readonly n: string; readonly text: string; readonly hash: string }[],
): Promise<VerifiedUpTo | null> {
  let { n, hash } = from;
  const hashes = new Set<string>();
  for (const entry of entries) {
    let said: { n?: unknown; prev?: unknown };
    try {
      said = JSON.parse(entry.text) as typeof said;
    } catch {
      return null;
    }
    const computed = await hashOfEntry(hash, entry.text);
    if (entry.n !== String(n + 1) || said.n !== entry.n || said.prev !== hash || computed !== entry.hash) return null;
    n += 1;
    hash = computed;
    hashes.add(computed);
  }
  return { n, hash, hashes };
}
