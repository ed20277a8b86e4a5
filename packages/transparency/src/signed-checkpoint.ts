import { type Checkpoint, readCheckpoint } from './checkpoint.ts';
import type { VerifierKey } from './note-key.ts';
import { readNote, verifyNote } from './signed-note.ts';

/** The checkpoint of a note that all of these keys signed; the first is the log's. Undefined for anything else. */
export async function readSignedCheckpoint(
  text: string,
  keys: readonly [VerifierKey, ...VerifierKey[]],
): Promise<Checkpoint | undefined> {
  const note = readNote(text);
  const checkpoint = typeof note === 'string' ? undefined : readCheckpoint(note.text);
  if (typeof note === 'string' || checkpoint?.origin !== keys[0].name) return undefined;
  const verified = await verifyNote(note, keys);
  return typeof verified !== 'string' && verified.length === keys.length ? checkpoint : undefined;
}
