import type { AcknowledgedThing, SignedAcknowledgements } from '@sathorn/api';
import {
  type AcknowledgementFault,
  listDifferentFacts,
  readAcknowledgement,
  type TreeSignedText,
  type verifyAcknowledgement,
} from '@sathorn/proof';
import { type KeptAcknowledgements, keyOf } from './kept-acknowledgements.ts';

export interface AcknowledgementFinding {
  readonly kind: 'ack';
  /** The thing's kind and id. */
  readonly id: string;
  readonly about: AcknowledgedThing['about'] | null;
  /**
   * `changed`: the answer shows other facts than this device has kept, signed. `unlike`: an answer and what is signed
   * beside it differ. `signature`: the signature is wrong.
   */
  readonly fault: 'changed' | 'unlike' | 'signature';
  readonly detail: AcknowledgementFault | null;
  /** The facts that differ. */
  readonly differs: readonly string[];
  readonly kept: TreeSignedText | null;
  readonly shown: AcknowledgedThing['facts'] | null;
  readonly signed: TreeSignedText | null;
  readonly foundAt: number;
}

export interface ShownAnswer {
  readonly things: readonly AcknowledgedThing[];
  /** Null for an answer that is only compared. */
  readonly acknowledged: SignedAcknowledgements | null;
}

export interface AcknowledgementDoor {
  verify(text: TreeSignedText, opening: SignedAcknowledgements['account']): ReturnType<typeof verifyAcknowledgement>;
  nowMs(): number;
}

/** The newest are kept; a phone's storage is not endless. */
const KEPT_MAX = 500;

/**
 * Compares an answer with what this device has kept of the same things, and keeps what is signed for the first time. A
 * kept text is never replaced, because a later one proves nothing about the beginning.
 */
export async function followAcknowledgements(
  before: KeptAcknowledgements,
  { things, acknowledged }: ShownAnswer,
  door: AcknowledgementDoor,
): Promise<{ readonly kept: KeptAcknowledgements; readonly findings: readonly AcknowledgementFinding[] }> {
  const findings: AcknowledgementFinding[] = [];
  const foundAt = door.nowMs();
  const add = (thing: Pick<AcknowledgedThing, 'about' | 'id'> | null, found: Partial<AcknowledgementFinding>): void =>
    void findings.push({
      kind: 'ack',
      id: thing === null ? '' : keyOf(thing),
      about: thing?.about ?? null,
      fault: 'changed',
      detail: null,
      differs: [],
      kept: null,
      shown: null,
      signed: null,
      foundAt,
      ...found,
    });

  const signedNow = new Map<string, TreeSignedText>();
  for (const signed of acknowledged?.texts ?? []) {
    const verified = await door.verify(signed, acknowledged?.account ?? { salt: '', customer: '' });
    if (!verified.ok) {
      const read = readAcknowledgement(signed.body);
      const thing = things.find(({ about, id }) => about === read?.about && id === read.id) ?? null;
      add(thing, { fault: 'signature', detail: verified.fault, signed });
      continue;
    }
    signedNow.set(keyOf(verified.acknowledgement as Pick<AcknowledgedThing, 'about' | 'id'>), signed);
  }

  const kept: Record<string, TreeSignedText> = { ...before };
  for (const thing of things) {
    const key = keyOf(thing);
    const signed = signedNow.get(key);
    const differsIn = (text: TreeSignedText | undefined): string[] => {
      const facts = text && readAcknowledgement(text.body)?.facts;
      return facts ? listDifferentFacts(facts, thing.facts) : [];
    };
    const unlike = differsIn(signed);
    if (unlike.length > 0) add(thing, { fault: 'unlike', differs: unlike, shown: thing.facts, signed: signed ?? null });
    const old = before[key];
    const changed = differsIn(old);
    if (changed.length > 0)
      add(thing, { differs: changed, kept: old ?? null, shown: thing.facts, signed: signed ?? null });
    if (old === undefined && signed !== undefined && unlike.length === 0) kept[key] = signed;
  }
  return { kept: Object.fromEntries(Object.entries(kept).slice(-KEPT_MAX)), findings };
}
