import {
  cosign,
  type ReadAddCheckpoint,
  readAddCheckpoint,
  readNote,
  refusalOfHistory,
  refusalOfSignature,
  type SignerKey,
  type VerifierKey,
  type WitnessRefusal,
  writeNote,
  writeSignatureLine,
  writeVerifierKey,
} from '@sathorn/transparency';
import type { Disk } from './disk.ts';
import { type Cosigned, readState, writeState } from './witness-state.ts';

export type WitnessAnswer =
  /** One line of signature, with its line feed. */
  | { readonly status: 200; readonly line: string }
  | { readonly status: 400; readonly why: 'malformed' }
  | WitnessRefusal;

export interface Witness {
  /** Throws if the checkpoint can't be stored; nothing was signed then. */
  addCheckpoint(body: Uint8Array): Promise<WitnessAnswer>;
  /** The newest cosigned checkpoint of a log, as a note; null if there is none. */
  newest(origin: string): string | null;
  /** Origins of the logs that were cosigned. */
  origins(): readonly string[];
}

interface WitnessParts {
  readonly key: SignerKey;
  /** The keys of the logs that it cosigns. A key's name is its log's origin. */
  readonly logs: readonly VerifierKey[];
  readonly disk: Disk;
  /** Seconds since 1970. */
  readonly now: () => number;
}

/** A witness signs that logs only grow. It reads no entry and believes nobody. */
export function openWitness({ key, logs, disk, now }: WitnessParts): Witness {
  const name = writeVerifierKey(key);
  const state = new Map(readState(disk, name));

  /**
   * No `await` from comparing to signing: no other request comes between, which is the lock of each log. What is signed
   * is on the disk before.
   */
  function decide(request: ReadAddCheckpoint): WitnessAnswer {
    const { origin } = request.checkpoint;
    const latest = state.get(origin) ?? null;
    const refusal = refusalOfHistory(request, latest?.checkpoint ?? null);
    if (refusal !== null) return refusal;
    const next = nextOf(request, latest);
    // The same text with the same time has the same signature, so that repeating requests writes once a second.
    if (latest === null || next.seconds !== latest.seconds || next.note !== latest.note) {
      writeState(disk, name, new Map([...state, [origin, next]]));
      state.set(origin, next);
    }
    return { status: 200, line: writeSignatureLine(cosign(request.note.text, next.seconds, key)) };
  }

  function nextOf({ note, checkpoint }: ReadAddCheckpoint, latest: Cosigned | null): Cosigned {
    const isVerified = ({ name, id }: { name: string; id: string }): boolean =>
      logs.some((log) => log.name === name && log.id === id);
    const signatures = note.signatures.filter(isVerified);
    // A clock that was set back must not date a larger log before a smaller one.
    return { seconds: Math.max(now(), latest?.seconds ?? 0), note: writeNote({ ...note, signatures }), checkpoint };
  }

  return {
    async addCheckpoint(body) {
      const request = readAddCheckpoint(body);
      if (request === undefined) return { status: 400, why: 'malformed' };
      return (await refusalOfSignature(request, logs)) ?? decide(request);
    },
    newest(origin) {
      const latest = state.get(origin);
      const note = latest && readNote(latest.note);
      if (latest === undefined || note === undefined || typeof note === 'string') return null;
      return writeNote({ ...note, signatures: [...note.signatures, cosign(note.text, latest.seconds, key)] });
    },
    origins: () => [...state.keys()],
  };
}
