import type { Bytes } from '@sathorn/proof';
import { writeAddCheckpoint } from './add-checkpoint.ts';
import type { SignedNote } from './signed-note.ts';
import { readWitnessWord, type WitnessWord } from './witness-answer.ts';
import type { PolicyWitness } from './witness-policy.ts';

/** Sends the body of a `POST /add-checkpoint`; rejects when the witness can't be reached. */
export type AskWitness = (
  witness: PolicyWitness,
  body: string,
) => Promise<{ readonly status: number; readonly body: string }>;

export interface CosignatureRound {
  /** The new checkpoint with its log's signature. */
  readonly note: SignedNote;
  readonly size: number;
  readonly witnesses: readonly PolicyWitness[];
  /** What each witness cosigned last, by its name, as far as the log knows; it learns better from the answer. */
  readonly sizes: ReadonlyMap<string, number>;
  /** A proof from an earlier size to this checkpoint (`consistencyFromTiles`). */
  readonly proofFrom: (size: number) => Promise<readonly Bytes[]>;
  readonly ask: AskWitness;
}

/** A witness tells its size at most once per round; whoever then names another one is not worth a third question. */
const QUESTIONS_MAX = 2;

/**
 * Asks all witnesses at once for cosignatures, and returns the last word of each. A word `is_at` with a larger size
 * than the checkpoint's, or a refusal 422, says that the witness remembers another history: the log must stop.
 */
export async function collectCosignatures(round: CosignatureRound): Promise<ReadonlyMap<string, WitnessWord>> {
  const words = round.witnesses.map(async (witness) => [witness.name, await askOne(round, witness)] as const);
  return new Map(await Promise.all(words));
}

async function askOne(
  { note, size, sizes, proofFrom, ask }: CosignatureRound,
  witness: PolicyWitness,
): Promise<WitnessWord> {
  let oldSize = Math.min(sizes.get(witness.name) ?? 0, size);
  let word: WitnessWord = { kind: 'nothing' };
  for (let n = 0; n < QUESTIONS_MAX; n += 1) {
    const body = writeAddCheckpoint({ oldSize, proof: await proofFrom(oldSize), note });
    const answer = await ask(witness, body).catch(() => null);
    word = answer === null ? { kind: 'nothing' } : await readWitnessWord(answer, note.text, witness.key);
    if (word.kind !== 'is_at' || word.size > size) return word;
    oldSize = word.size;
  }
  return word;
}
