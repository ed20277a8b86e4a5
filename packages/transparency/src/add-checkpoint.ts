/** What a witness is asked (`POST /add-checkpoint` of C2SP `tlog-witness`), and what it may answer. */
import { type Bytes, isConsistent } from '@sathorn/proof';
import { fromBase64, toBase64 } from './base64.ts';
import { type Checkpoint, isEmptyRootRight, isSameRoot, readCheckpoint, readCount } from './checkpoint.ts';
import type { VerifierKey } from './note-key.ts';
import { readNote, type SignedNote, verifyNote, writeNote } from './signed-note.ts';

export interface AddCheckpoint {
  /** How large the log was when this witness cosigned it last, as the caller believes. */
  readonly oldSize: number;
  readonly proof: readonly Uint8Array[];
  readonly note: SignedNote;
}

const PROOF_MAX = 63;

export function writeAddCheckpoint({ oldSize, proof, note }: AddCheckpoint): string {
  return `old ${oldSize}\n${proof.map((hash) => `${toBase64(hash)}\n`).join('')}\n${writeNote(note)}`;
}

/** A request whose note is a checkpoint. */
export type ReadAddCheckpoint = AddCheckpoint & { readonly checkpoint: Checkpoint };

/** Undefined unless the body is exactly of the protocol's shape. */
export function readAddCheckpoint(body: Uint8Array): ReadAddCheckpoint | undefined {
  const text = readText(body);
  const end = text?.indexOf('\n\n') ?? -1;
  if (text === undefined || end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\n');
  const oldSize = first.startsWith('old ') ? readCount(first.slice('old '.length)) : undefined;
  const proof = lines.map(fromBase64).filter((hash): hash is Bytes => hash?.length === 32);
  const note = readNote(text.slice(end + 2));
  const checkpoint = typeof note === 'string' ? undefined : readCheckpoint(note.text);
  if (oldSize === undefined || proof.length !== lines.length || proof.length > PROOF_MAX) return undefined;
  return typeof note === 'string' || checkpoint === undefined ? undefined : { oldSize, proof, note, checkpoint };
}

function readText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

/** The statuses of HTTP by which a witness refuses. */
export type WitnessRefusal =
  | { readonly status: 400; readonly why: 'old_size_above_size' }
  | { readonly status: 403; readonly why: 'signature_missing' | 'signature_wrong' }
  | { readonly status: 404; readonly why: 'log_unknown' }
  /** The size that this witness cosigned last, with which the caller tries again. */
  | { readonly status: 409; readonly why: 'old_size_differs'; readonly size: number }
  | { readonly status: 422; readonly why: 'empty_root_wrong' | 'root_differs' | 'proof_wrong' };

/** Refuses a checkpoint that no key of its log signed. This needs no lock: keys do not change while a witness runs. */
export async function refusalOfSignature(
  { note, checkpoint }: ReadAddCheckpoint,
  logs: readonly VerifierKey[],
): Promise<WitnessRefusal | null> {
  const keys = logs.filter(({ name }) => name === checkpoint.origin);
  if (keys.length === 0) return { status: 404, why: 'log_unknown' };
  const verified = await verifyNote(note, keys);
  if (typeof verified !== 'string') return null;
  return { status: 403, why: verified === 'signature_wrong' ? verified : 'signature_missing' };
}

/**
 * Refuses a checkpoint that does not follow from the one that was cosigned last. Whoever asks holds the log's lock from
 * here until the new checkpoint is stored: two answers at once could otherwise sign two histories.
 */
export function refusalOfHistory(
  { oldSize, proof, checkpoint }: ReadAddCheckpoint,
  latest: Pick<Checkpoint, 'size' | 'root'> | null,
): WitnessRefusal | null {
  if (oldSize > checkpoint.size) return { status: 400, why: 'old_size_above_size' };
  const size = latest?.size ?? 0;
  if (oldSize !== size) return { status: 409, why: 'old_size_differs', size };
  if (!isEmptyRootRight(checkpoint)) return { status: 422, why: 'empty_root_wrong' };
  if (latest === null || latest.size === 0) return proof.length === 0 ? null : { status: 422, why: 'proof_wrong' };
  if (size === checkpoint.size && !isSameRoot(checkpoint.root, latest.root))
    return { status: 422, why: 'root_differs' };
  return isConsistent(latest, checkpoint, proof) ? null : { status: 422, why: 'proof_wrong' };
}
