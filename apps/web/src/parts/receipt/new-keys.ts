import type { OptionReceipt, ReceiptCheckName, SignedOptionTerms } from '@sathorn/proof';
import { type KnownKeys, keyAppearedAtMs } from './known-keys.ts';

/** Per check: when this device first saw its key, if that was after the key had signed. */
export type NewKeys = Partial<Record<ReceiptCheckName, number>>;

/**
 * Returns keys that, as far as this device knows, were not published yet when the order was accepted or its ticks were
 * made.
 */
export function newKeysOf(receipt: OptionReceipt, terms: SignedOptionTerms, known: KnownKeys): NewKeys {
  const found: NewKeys = {};
  const ofTerms = keyAppearedAtMs(known, receipt.terms.tree.key);
  if (ofTerms !== null && ofTerms > terms.acceptedMs) found.terms_signed = ofTerms;
  const expiryMs = terms.acceptedMs + terms.durationMs;
  for (const tick of Object.values(receipt.ticks)) {
    const ofTick = tick === null ? null : keyAppearedAtMs(known, tick.key);
    if (ofTick !== null && ofTick > expiryMs) found.ticks_signed = ofTick;
  }
  return found;
}
