import { consistencyProof, leafHash, treeRoot, utf8Bytes } from '@sathorn/proof';
import {
  readNote,
  type SignerKey,
  signerKey,
  signNote,
  verifyNote,
  writeAddCheckpoint,
  writeCheckpoint,
} from '@sathorn/transparency';

export const seedOf = (n: number): Uint8Array<ArrayBuffer> => new Uint8Array(32).fill(n);
export const LOG_KEY: SignerKey = signerKey('log.example/a', 'note', seedOf(1));

/** A log that may show several histories: `says` is what its entries are from `from` on. */
export class TestingLog {
  readonly #leaves: Uint8Array[];
  readonly #key: SignerKey;
  readonly #requests = new Map<string, string>();

  constructor(size: number, says = 'entry', from = 0, key = LOG_KEY) {
    this.#key = key;
    this.#leaves = Array.from({ length: size }, (_, n) => leafHash(utf8Bytes(`${n < from ? 'entry' : says} ${n}`)));
  }

  text(size: number): string {
    const root = treeRoot(this.#leaves.slice(0, size));
    return writeCheckpoint({ origin: this.#key.name, size, root, extensions: [] });
  }

  request(before: number, size: number, key = this.#key): string {
    const name = `${before} ${size} ${key.id}`;
    const body = this.#requests.get(name) ?? this.#makeRequest(before, size, key);
    this.#requests.set(name, body);
    return body;
  }

  #makeRequest(before: number, size: number, key: SignerKey): string {
    const proof = before === 0 || before > size ? [] : consistencyProof(this.#leaves.slice(0, size), before);
    const text = this.text(size);
    return writeAddCheckpoint({ oldSize: before, proof, note: { text, signatures: [signNote(text, key)] } });
  }
}

/** The time of a witness's cosignature on a text; throws unless it is right. */
export async function secondsOf(text: string, lines: string, witness: SignerKey): Promise<number> {
  const note = readNote(`${text}\n${lines}`);
  if (typeof note === 'string') throw new Error(note);
  const verified = await verifyNote(note, [witness]);
  if (typeof verified === 'string') throw new Error(verified);
  return verified[0]?.seconds ?? 0;
}
