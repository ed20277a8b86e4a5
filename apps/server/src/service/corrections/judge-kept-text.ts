import type { KEPT_REFUSALS, KeptText } from '@sathorn/api';
import { type Money, money } from '@sathorn/money';
import {
  isKeyInTime,
  keyIdOf,
  type ProofKey,
  readOptionTerms,
  type SignedOptionTerms,
  verifyOptionReceipt,
  verifyTreeSignedText,
} from '@sathorn/proof';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { RestorationRow } from '../../platform/proofs/index.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import type { KeptOutcome, NewKept } from './kept-store.ts';

type KeptRefusalOfText = Exclude<(typeof KEPT_REFUSALS)[number], 'kept_already_taken'>;
interface JudgedText extends Omit<NewKept, 'case_id'> {
  readonly restoration: bigint;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A receipt that was read while the order ran proves no more than its terms. */
const isReceipt = (text: KeptText) => 'v' in text && text.result.status !== 'holding';
export const keptTermsOf = (text: KeptText) => ('v' in text ? text.terms : text);

/** Verifies one text as the customer's own device would, and compares it with the books. */
export async function judgeKeptText(
  module: Pick<CorrectionsDependencies, 'options'>,
  customer: bigint,
  text: KeptText,
  keys: readonly ProofKey[],
  restorations: readonly RestorationRow[],
): Promise<Decision<JudgedText, KeptRefusalOfText>> {
  const signed = keptTermsOf(text);
  const terms = readOptionTerms(signed.body);
  if (terms === undefined || !UUID.test(terms.order)) return refuse('kept_forged');
  const outcome = await outcomeOf(text, terms, keys);
  if (outcome === undefined) return refuse('kept_forged');
  // The salt in a receipt is the holder's claim; only the server knows the order's real one.
  if (!module.options.isSealOf(terms, customer)) return refuse('kept_not_yours');
  const endsMs = terms.acceptedMs + terms.durationMs;
  const restoration = restorations.find(
    ({ endsAt, restoredAt }) => terms.acceptedMs < restoredAt.getTime() && endsMs > endsAt.getTime(),
  );
  if (restoration === undefined) return refuse('kept_outside_restoration');
  const booked = await module.options.readBooked(customer, terms.order, terms.acceptedMs);
  if (booked?.status === 'holding') return refuse('kept_still_open');
  const { ended, credited } = outcome;
  if (booked !== null && booked.status === ended && booked.credited?.units === credited?.units)
    return refuse('kept_as_booked');
  return accept({
    restoration: restoration.id,
    hash: signed.hash,
    customer_id: customer,
    order_id: terms.order,
    terms: signed.body,
    signed: JSON.stringify(text),
    key_id: signed.tree.key,
    ended,
    credited,
    booked: booked?.status ?? 'unknown',
  });
}

/** Returns undefined if anything in it does not follow from what the platform signed. */
async function outcomeOf(
  text: KeptText,
  terms: SignedOptionTerms,
  keys: readonly ProofKey[],
): Promise<{ readonly ended: KeptOutcome | null; readonly credited: Money<'USDT'> | null } | undefined> {
  if ('v' in text && isReceipt(text)) {
    // A pending check could still fail, so there is no outcome yet.
    const { verified, checks } = await verifyOptionReceipt(text, keys);
    if (!verified || checks.some(({ isPending }) => isPending)) return undefined;
    return { ended: text.result.status as KeptOutcome, credited: money('USDT', BigInt(text.result.credited)) };
  }
  const signed = keptTermsOf(text);
  const key = keys.find(
    ({ use, id, public_key }) => use === 'receipt' && id === signed.tree.key && keyIdOf(public_key) === id,
  );
  const isSigned =
    key !== undefined &&
    (await verifyTreeSignedText(signed, key.public_key)) === null &&
    isKeyInTime(key, terms.acceptedMs);
  return isSigned ? { ended: null, credited: null } : undefined;
}
