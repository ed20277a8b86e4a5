import { type Checkpoint, readCheckpoint, readCount, readNote } from '@sathorn/transparency';
import { type Disk, replaceFile } from './disk.ts';

/** The checkpoint of a log that was cosigned last. */
export interface Cosigned {
  /** The time that the cosignature states, in seconds since 1970. */
  readonly seconds: number;
  /** The note with the log's own signatures. The cosignature follows from text, time and key. */
  readonly note: string;
  readonly checkpoint: Checkpoint;
}

/** By the log's origin. A log whose key is no longer accepted remains: it might come back. */
export type WitnessState = ReadonlyMap<string, Cosigned>;

export const STATE_FILE = 'state.json';

function damaged(why: string): never {
  throw new Error(`${STATE_FILE} is damaged (${why}): begin with a new key in a new folder`);
}

/**
 * Reads what was cosigned, and flushes it: a file that a crashed process renamed may not be on the disk yet. Whatever
 * can't be read stops the start, because a witness that forgot a log would sign another history of it.
 */
export function readState(disk: Disk, witness: string): WitnessState {
  const text = disk.read(STATE_FILE);
  if (text === null) throw new Error(`${STATE_FILE} is missing: a key without its state might sign two histories`);
  disk.flush(STATE_FILE);
  disk.flushFolder();
  let value: { v?: unknown; witness?: unknown; logs?: unknown };
  try {
    value = JSON.parse(text);
  } catch {
    return damaged('no JSON');
  }
  if (value?.v !== 'witness/1' || typeof value.logs !== 'object' || value.logs === null) return damaged('shape');
  if (value.witness !== witness) return damaged('of another key');
  return new Map(Object.entries(value.logs).map(([origin, log]) => [origin, readCosigned(origin, log)]));
}

function readCosigned(origin: string, log: { seconds?: unknown; note?: unknown } | null): Cosigned {
  const seconds = readCount(String(log?.seconds));
  if (typeof log?.note !== 'string' || seconds === undefined) return damaged(origin);
  const note = readNote(log.note);
  const checkpoint = typeof note === 'string' ? undefined : readCheckpoint(note.text);
  return checkpoint?.origin === origin ? { seconds, note: log.note, checkpoint } : damaged(origin);
}

export function writeState(disk: Disk, witness: string, state: WitnessState): void {
  const logs = Object.fromEntries(
    [...state].map(([origin, { seconds, note }]) => [origin, { seconds: String(seconds), note }]),
  );
  replaceFile(disk, STATE_FILE, `${JSON.stringify({ v: 'witness/1', witness, logs }, null, 2)}\n`);
}
