import { isConsistent } from '@sathorn/proof';
import { type Checkpoint, isEmptyRootRight, isSameRoot, readCheckpoint } from './checkpoint.ts';
import { type NoteFault, readNote, verifyNote } from './signed-note.ts';
import { isQuorum, type WitnessPolicy } from './witness-policy.ts';

export type CheckpointRefusal =
  /** The note is no note, or a known key's signature on it is wrong. */
  | NoteFault
  | 'checkpoint_malformed'
  /** No log of the policy has this origin. */
  | 'log_unknown'
  | 'log_signature_missing'
  /** A log without entries has one root only. */
  | 'empty_root_wrong'
  | 'quorum_missing'
  /** There would be a quorum, but not of cosignatures that are recent enough. */
  | 'quorum_stale'
  /** The remembered checkpoint is of another log. */
  | 'other_log'
  /** Smaller than what was remembered: held back, or rolled back. */
  | 'rolled_back'
  /** Same size, other root: with the remembered note this proves two histories to anybody. */
  | 'forked'
  /** It must be shown that the larger log begins with the remembered one. */
  | 'proof_missing'
  /** What was shown does not lead from the remembered root to the new one. */
  | 'proof_wrong';

/** A cosignature that counts. */
export interface Cosigned {
  /** The witness's name in the policy. */
  readonly witness: string;
  /** When it signed, by its own clock, in seconds since 1970. */
  readonly seconds: number;
}

export type CheckpointVerdict =
  | { readonly isAccepted: true; readonly checkpoint: Checkpoint; readonly cosigned: readonly Cosigned[] }
  | {
      readonly isAccepted: false;
      readonly refusal: CheckpointRefusal;
      /** Null where it could not be read. */
      readonly checkpoint: Checkpoint | null;
      readonly cosigned: readonly Cosigned[];
    };

export interface CheckpointCase {
  readonly note: string | Uint8Array;
  readonly policy: WitnessPolicy;
  /** The newest checkpoint that was accepted before; null at the first visit. */
  readonly previous: Pick<Checkpoint, 'origin' | 'size' | 'root'> | null;
  /** From `previous` to this one (RFC 6962, 2.1.2); null if it was not asked for yet. */
  readonly proof: readonly Uint8Array[] | null;
  /**
   * Which cosignatures count, in seconds since 1970; all of them without it. Too far ahead of this clock a time states
   * nothing, and old ones show only that the log was right then.
   */
  readonly recent?: { readonly from: number; readonly to: number };
}

/** Judges a checkpoint by the keys of a policy and by what was accepted before, offline. */
export async function judgeCheckpoint({
  note: noteText,
  policy,
  previous,
  proof,
  recent,
}: CheckpointCase): Promise<CheckpointVerdict> {
  let checkpoint: Checkpoint | null = null;
  let cosigned: readonly Cosigned[] = [];
  const refuse = (refusal: CheckpointRefusal): CheckpointVerdict => ({
    isAccepted: false,
    refusal,
    checkpoint,
    cosigned,
  });

  const note = readNote(noteText);
  if (typeof note === 'string') return refuse(note);
  const read = readCheckpoint(note.text);
  if (read === undefined) return refuse('checkpoint_malformed');
  checkpoint = read;
  const logs = policy.logs.filter(({ key }) => key.name === read.origin).map(({ key }) => key);
  if (logs.length === 0) return refuse('log_unknown');
  const verified = await verifyNote(note, [...logs, ...policy.witnesses.map(({ key }) => key)]);
  if (verified === 'signature_missing') return refuse('log_signature_missing');
  if (typeof verified === 'string') return refuse(verified);
  if (!verified.some(({ key }) => logs.includes(key))) return refuse('log_signature_missing');
  if (!isEmptyRootRight(read)) return refuse('empty_root_wrong');

  cosigned = policy.witnesses.flatMap(({ name, key }) => {
    const seconds = verified.find((each) => each.key === key)?.seconds ?? null;
    return seconds === null ? [] : [{ witness: name, seconds }];
  });
  if (!isQuorum(policy, namesOf(cosigned))) return refuse('quorum_missing');
  if (recent !== undefined) {
    cosigned = cosigned.filter(({ seconds }) => seconds >= recent.from && seconds <= recent.to);
    if (!isQuorum(policy, namesOf(cosigned))) return refuse('quorum_stale');
  }

  if (previous !== null) {
    if (previous.origin !== read.origin) return refuse('other_log');
    if (read.size < previous.size) return refuse('rolled_back');
    if (read.size === previous.size) {
      if (!isSameRoot(read.root, previous.root)) return refuse('forked');
    } else {
      if (proof === null && previous.size > 0) return refuse('proof_missing');
      if (!isConsistent(previous, read, proof ?? [])) return refuse('proof_wrong');
    }
  }
  return { isAccepted: true, checkpoint: read, cosigned };
}

const namesOf = (cosigned: readonly Cosigned[]): ReadonlySet<string> => new Set(cosigned.map(({ witness }) => witness));
