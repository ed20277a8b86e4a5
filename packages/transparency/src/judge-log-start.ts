import type { Bytes } from '@sathorn/proof';
import { type Checkpoint, isSameRoot } from './checkpoint.ts';
import type { VerifierKey } from './note-key.ts';
import { readSignedCheckpoint } from './signed-checkpoint.ts';
import { isQuorum, type WitnessPolicy } from './witness-policy.ts';

/** What may be said to a log that wants to sign again. */
export type LogStart =
  | { readonly canSign: true }
  | {
      readonly canSign: false;
      /**
       * `behind`: it signed a larger tree, and has lost entries. `other_tree`: it signed another tree of this size. In
       * both cases every further signature would be a second history: the log is dead, and a new one needs a new name.
       * `too_few_heard`: witnesses who did not answer may have cosigned something newer; ask again.
       */
      readonly refusal: 'behind' | 'other_tree' | 'too_few_heard';
      /** Who remembers it: a witness's name in the policy, or null for the log's own memory. */
      readonly by: string | null;
      /** The size that is remembered; null for `too_few_heard`. */
      readonly size: number | null;
    };

export interface LogStartCase {
  readonly log: VerifierKey;
  /** How many entries the log's storage has. */
  readonly size: number;
  /** The root of its first entries, by its storage; asked for sizes up to `size`. */
  readonly rootOf: (size: number) => Promise<Bytes>;
  /** The note that the log signed last, from a place that is not restored with its storage; null if it signed none. */
  readonly ownNote: string | null;
  /** What each witness of the policy answered, by its name: its newest note, or null where it has none. */
  readonly heard: ReadonlyMap<string, string | null>;
  readonly policy: WitnessPolicy;
}

/**
 * Decides whether a log may sign, by what it and its witnesses remember. An answer counts only if the log itself signed
 * it, so no witness can stop a log by an invention; one that does not verify is as good as none.
 */
export async function judgeLogStart({ log, size, rootOf, ownNote, heard, policy }: LogStartCase): Promise<LogStart> {
  const remembered: { by: string | null; checkpoint: Checkpoint }[] = [];
  if (ownNote !== null) {
    const checkpoint = await readSignedCheckpoint(ownNote, [log]);
    // The log's own memory is a file of its own: if it is damaged, a person must look.
    if (checkpoint === undefined) throw new Error('the note that the log signed last can’t be verified');
    remembered.push({ by: null, checkpoint });
  }
  const unheard = new Set<string>();
  for (const { name, key } of policy.witnesses) {
    const note = heard.get(name);
    const checkpoint = typeof note === 'string' ? await readSignedCheckpoint(note, [log, key]) : undefined;
    if (checkpoint !== undefined) remembered.push({ by: name, checkpoint });
    else if (note !== null) unheard.add(name);
  }
  for (const { by, checkpoint } of remembered)
    if (checkpoint.size > size) return { canSign: false, refusal: 'behind', by, size: checkpoint.size };
  for (const { by, checkpoint } of remembered)
    if (!isSameRoot(checkpoint.root, await rootOf(checkpoint.size)))
      return { canSign: false, refusal: 'other_tree', by, size: checkpoint.size };
  // Whoever accepted a checkpoint saw a quorum on it. One of these has answered, unless the others alone are a quorum.
  return policy.quorum !== null && isQuorum(policy, unheard)
    ? { canSign: false, refusal: 'too_few_heard', by: null, size: null }
    : { canSign: true };
}
