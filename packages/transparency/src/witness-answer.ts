import { readCount } from './checkpoint.ts';
import type { VerifierKey } from './note-key.ts';
import { type NoteSignature, readNote, verifyNote } from './signed-note.ts';

/** What a witness's answer to `POST /add-checkpoint` means for the log that asked. */
export type WitnessWord =
  | { readonly kind: 'cosigned'; readonly signature: NoteSignature; readonly seconds: number }
  /** It cosigned this size last: ask again with a proof from there. */
  | { readonly kind: 'is_at'; readonly size: number }
  /** 422 means that it remembers another history, others that it does not know this log. */
  | { readonly kind: 'refused'; readonly status: number }
  /** It failed, or its signature is not right: ask again later. */
  | { readonly kind: 'nothing' };

/** Reads an answer about the checkpoint with this text. Only a line of the witness's own key counts. */
export async function readWitnessWord(
  { status, body }: { readonly status: number; readonly body: string },
  text: string,
  witness: VerifierKey,
): Promise<WitnessWord> {
  if (status === 409) {
    const size = body.endsWith('\n') ? readCount(body.slice(0, -1)) : undefined;
    return size === undefined ? { kind: 'nothing' } : { kind: 'is_at', size };
  }
  if (status === 400 || status === 403 || status === 404 || status === 422) return { kind: 'refused', status };
  const note = status === 200 ? readNote(`${text}\n${body}`) : 'signatures_missing';
  // An empty line in the answer would move the end of the text.
  if (typeof note === 'string' || note.text !== text) return { kind: 'nothing' };
  const verified = await verifyNote(note, [witness]);
  const seconds = typeof verified === 'string' ? null : (verified[0]?.seconds ?? null);
  const signature = note.signatures.find(({ name, id }) => name === witness.name && id === witness.id);
  return seconds === null || signature === undefined ? { kind: 'nothing' } : { kind: 'cosigned', signature, seconds };
}
