import { type Bytes, consistencyProof, leafHash, treeRoot, utf8Bytes } from '@sathorn/proof';
import { type Checkpoint, writeCheckpoint } from './checkpoint.ts';
import { type SignerKey, signerKey } from './note-key.ts';
import { type SignedNote, signNote } from './signed-note.ts';

export const seedOf = (n: number): Bytes => new Uint8Array(32).fill(n);
export const LOG_KEY: SignerKey = signerKey('log.example/a', 'note', seedOf(1));

export const leavesOf = (size: number, from = 0, says = 'entry'): Bytes[] =>
  Array.from({ length: size }, (_, n) => leafHash(utf8Bytes(`${says} ${from + n}`)));

/** A log that keeps every leaf, with a checkpoint of each size. */
export class TestingLog {
  readonly leaves: Bytes[];

  constructor(size: number, says = 'entry') {
    this.leaves = leavesOf(size, 0, says);
  }

  checkpoint(size = this.leaves.length): Checkpoint {
    return { origin: LOG_KEY.name, size, root: treeRoot(this.leaves.slice(0, size)), extensions: [] };
  }

  note(size = this.leaves.length, key = LOG_KEY): SignedNote {
    const text = writeCheckpoint(this.checkpoint(size));
    return { text, signatures: [signNote(text, key)] };
  }

  proof(before: number, size = this.leaves.length): Bytes[] {
    return before === 0 ? [] : consistencyProof(this.leaves.slice(0, size), before);
  }

  /** Continues a log differently from an entry on. */
  fork(from: number): TestingLog {
    const other = new TestingLog(0);
    other.leaves.push(...this.leaves.slice(0, from), ...leavesOf(this.leaves.length - from, from, 'other'));
    return other;
  }
}
