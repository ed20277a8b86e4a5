import { utf8Bytes } from '@sathorn/proof';
import {
  type Checkpoint,
  cosign,
  growLog,
  type ReadTile,
  type SignerKey,
  signerKey,
  signNote,
  tilePath,
  writeCheckpoint,
  writeNote,
  writeVerifierKey,
} from '@sathorn/transparency';

const seedOf = (n: number) => new Uint8Array(32).fill(n);
export const LOG_KEY = signerKey('log.example/a', 'note', seedOf(1));
export const OTHER_LOG_KEY = signerKey('log.example/b', 'note', seedOf(2));
export const WITNESSES: readonly SignerKey[] = ['a', 'b'].map((name, n) =>
  signerKey(`witness.example/${name}`, 'cosignature', seedOf(10 + n)),
);

const WITNESS_LINES = WITNESSES.map((key, n) => `witness ${'AB'[n]} ${writeVerifierKey(key)}\n`).join('');
/** Both witnesses must cosign. */
export const POLICY = `log ${writeVerifierKey(LOG_KEY)}\n${WITNESS_LINES}group both all A B\nquorum both\n`;
export const POLICY_OF_NOBODY = `log ${writeVerifierKey(LOG_KEY)}\nquorum none\n`;
export const POLICY_OF_OTHER_LOG = POLICY.replace(writeVerifierKey(LOG_KEY), writeVerifierKey(OTHER_LOG_KEY));

/** A public log with its files, of which a test can make several histories. */
export class TestingLog {
  readonly files: Map<string, Uint8Array>;
  readonly #key: SignerKey;
  checkpoint: Pick<Checkpoint, 'origin' | 'size'> & Partial<Checkpoint>;

  constructor(key = LOG_KEY, like?: TestingLog) {
    this.#key = key;
    this.files = new Map(like?.files);
    this.checkpoint = like?.checkpoint ?? { origin: key.name, size: 0 };
  }

  readonly readFile = async (path: string): Promise<Uint8Array | undefined> => this.files.get(path);
  readonly read: ReadTile = (place) => this.readFile(tilePath(place));

  grow(count: number, says = 'entry'): Promise<this> {
    return this.add(...Array.from({ length: count }, (_, n) => `${says} ${this.checkpoint.size + n}`));
  }

  async add(...texts: readonly string[]): Promise<this> {
    const grown = await growLog(this.checkpoint, texts.map(utf8Bytes), this.read);
    for (const file of grown.files) this.files.set(tilePath(file), file.bytes);
    this.checkpoint = grown.checkpoint;
    return this;
  }

  /** The newest note, cosigned at these seconds, one for each witness. */
  note(...seconds: readonly number[]): string {
    const text = writeCheckpoint(this.checkpoint as Checkpoint);
    const cosigned = seconds.flatMap((at, n) => WITNESSES.slice(n, n + 1).map((key) => cosign(text, at, key)));
    return writeNote({ text, signatures: [signNote(text, this.#key), ...cosigned] });
  }

  /** A log with the same entries, which goes on by itself. */
  fork(): TestingLog {
    return new TestingLog(this.#key, this);
  }
}
