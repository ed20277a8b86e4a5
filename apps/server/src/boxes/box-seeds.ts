import { createHmac } from 'node:crypto';
import { drawCommitment, fromHex, leafHash, pathInLevels, toHex, treeLevels } from '@sathorn/proof';

/** The seeds of all draws of a box, and what was published of them. */
export interface BoxSeeds {
  seedOf(i: number): Buffer;
  /** Hex, from i = 1. */
  readonly commitments: readonly string[];
  /** Hex. */
  readonly root: string;
  pathOf(i: number): string[];
}

/**
 * Seeds are derived from a key that the database does not have, so its owner can't read one before it is revealed, and
 * can't put another in its place: the root was signed before the sale. Nothing has to be stored, and a restart knows
 * them again.
 */
export function boxSeeds(key: Buffer, box: string, drawsMax: number): BoxSeeds {
  const seedOf = (i: number): Buffer => createHmac('sha256', key).update(`bb/1 seed/${box}/${i}`).digest();
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
