/**
 * Two checkpoints of one log that can't both be true. The log's key signed both, so anybody can verify that without
 * trusting the person who shows it, and without the log.
 */
import { type ContradictionFault, hasTexts, isConsistent, isList } from '@sathorn/proof';
import { fromBase64, toBase64 } from './base64.ts';
import { isSameRoot } from './checkpoint.ts';
import { readVerifierKey } from './note-key.ts';
import { readSignedCheckpoint } from './signed-checkpoint.ts';
import type { ShownBeginning } from './tiles.ts';

/** The file `contradiction/1` of kind `log`. */
export interface LogContradiction {
  readonly v: 'contradiction/1';
  readonly kind: 'log';
  /** The log's origin. */
  readonly about: string;
  /** Signed notes; the first is not the larger one. */
  readonly first: string;
  readonly second: string;
  /** The verifier key of the log, alone. */
  readonly keys: readonly string[];
  /**
   * Empty if both have the same size. Otherwise the root with which the second one begins, at the size of the first,
   * and the consistency proof from there to the second. In base64.
   */
  readonly proof: readonly string[];
}

export const writeBeginning = ({ root, proof }: ShownBeginning): string[] => [root, ...proof].map(toBase64);

/** True if a value from a file has the shape; `verifyLogContradiction` checks the content. */
export function isLogContradiction(value: unknown): value is LogContradiction {
  const isText = (text: unknown): text is string => typeof text === 'string';
  return (
    hasTexts(value, ['v', 'kind', 'about', 'first', 'second'], ['keys', 'proof']) &&
    value.v === 'contradiction/1' &&
    value.kind === 'log' &&
    isList(value.keys, isText) &&
    isList(value.proof, isText)
  );
}

/** Returns the first fault; null if the holder of the key signed two histories. */
export async function verifyLogContradiction(given: LogContradiction): Promise<ContradictionFault | null> {
  const key = readVerifierKey(given.keys[0] ?? '');
  if (given.keys.length !== 1 || key?.kind !== 'note') return 'keys_wrong';
  if (key.name !== given.about) return 'subject_differs';
  const first = await readSignedCheckpoint(given.first, [key]);
  const second = await readSignedCheckpoint(given.second, [key]);
  if (first === undefined || second === undefined) return 'not_signed';
  if (first.size === second.size)
    return given.proof.length === 0 && !isSameRoot(first.root, second.root) ? null : 'differences_wrong';
  const [root, ...proof] = given.proof.map((hash) => fromBase64(hash) ?? new Uint8Array());
  if (root === undefined || !isConsistent({ size: first.size, root }, second, proof)) return 'differences_wrong';
  return isSameRoot(root, first.root) ? 'differences_wrong' : null;
}
