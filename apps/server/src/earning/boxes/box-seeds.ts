import { createHmac, createSecretKey } from 'node:crypto';
import { drawCommitment, fromHex, leafHash, pathInLevels, toHex, treeLevels } from '@sathorn/proof';

/** Derives the seeds of draws. Only the process that resolves draws has it. */
export interface BoxSeeds {
  seedOf(box: string, i: number): Buffer;
  /** In hex, starting with draw 1. */
  commitmentsOf(box: string, drawsMax: number): string[];
}

/** The public data about the draws of a box before their sale. */
export interface BoxPromises {
  /** In hex, starting with draw 1. */
  readonly commitments: readonly string[];
  /** In hex. */
  readonly root: string;
  pathOf(i: number): string[];
}

/**
 * Derives seeds from a key outside the database. So the database's owner can neither read a seed before it is revealed
 * nor replace one, because the root was signed before the sale. Nothing is stored: after a restart the seeds are
 * derived again.
 */
export function openBoxSeeds(key: Buffer): BoxSeeds {
  // A KeyObject, because with the key's bytes each HMAC would take five times as long.
  const secret = createSecretKey(key);
  const seedOf = (box: string, i: number): Buffer =>
    createHmac('sha256', secret).update(`bb/1 seed/${box}/${i}`).digest();
  return {
    seedOf,
    commitmentsOf: (box, drawsMax) =>
      Array.from({ length: drawsMax }, (_, n) => drawCommitment(box, n + 1, seedOf(box, n + 1))),
  };
}

export function boxPromisesOf(commitments: readonly string[]): BoxPromises {
  const leaves = commitments.map((hash) => leafHash(fromHex(hash, 32) ?? new Uint8Array()));
  const levels = treeLevels(leaves);
  return {
    commitments,
    root: toHex(levels.at(-1)?.[0] ?? new Uint8Array()),
    pathOf: (i) => pathInLevels(levels, i - 1).map(toHex),
  };
}
