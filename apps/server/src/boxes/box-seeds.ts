import { createHmac, createSecretKey } from 'node:crypto';
import { drawCommitment, fromHex, leafHash, pathInLevels, toHex, treeLevels } from '@sathorn/proof';

/** The seeds of all draws of a box, with what was published about them. */
export interface BoxSeeds {
  seedOf(i: number): Buffer;
  /** In hex, starting with draw 1. */
  readonly commitments: readonly string[];
  /** Hex. */
  readonly root: string;
  pathOf(i: number): string[];
}

/**
 * Seeds are derived from a key that is not in the database. So its owner can neither read a seed before it is revealed
 * nor replace one, because the root was signed before the sale. Nothing is stored, and after a restart they are derived
 * again.
 */
export function boxSeeds(key: Buffer, box: string, drawsMax: number): BoxSeeds {
  // With the bytes of a key, each HMAC would take five times as long.
  const secret = createSecretKey(key);
  const seedOf = (i: number): Buffer => createHmac('sha256', secret).update(`bb/1 seed/${box}/${i}`).digest();
  const commitments = Array.from({ length: drawsMax }, (_, n) => drawCommitment(box, n + 1, seedOf(n + 1)));
  const leaves = commitments.map((hash) => leafHash(fromHex(hash, 32) ?? new Uint8Array()));
  const levels = treeLevels(leaves);
  return {
    seedOf,
    commitments,
    root: toHex(levels.at(-1)?.[0] ?? new Uint8Array()),
    pathOf: (i) => pathInLevels(levels, i - 1).map(toHex),
  };
}
