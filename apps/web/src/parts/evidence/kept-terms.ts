import type { OptionReceipt } from '@sathorn/api';
import { isOptionReceipt, readOptionTerms, type SignedOptionTerms } from '@sathorn/proof';
import { openEvidenceStore } from './evidence-store.ts';
import { PURCHASE_KEY_PREFIX, RECEIPT_KEY_PREFIX, readKeptPurchase } from './kept-purchase.ts';

/** A receipt that this device has verified and kept; null if there is none. */
export async function readKeptReceipt(order: string): Promise<OptionReceipt | null> {
  const value = await openEvidenceStore().read(RECEIPT_KEY_PREFIX + order);
  return isOptionReceipt(value) ? (value as OptionReceipt) : null;
}

/** The signed terms of a purchase, and the receipt of its result if this device has one. */
export type KeptTerms = Omit<SignedOptionTerms, 'rules'> & {
  readonly signed: OptionReceipt['terms'];
  readonly receipt: OptionReceipt | null;
};

/** The orders of which this device has kept something, purchases first. */
export async function listKeptOrders(): Promise<string[]> {
  const names = await openEvidenceStore().names();
  const ordersOf = (prefix: string) =>
    names.flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
  return [...new Set([PURCHASE_KEY_PREFIX, RECEIPT_KEY_PREFIX].flatMap(ordersOf))];
}

/** Returns the signed terms that this device has kept of purchases between two moments, oldest first. */
export async function listKeptPurchases(fromMs: number, toMs: number): Promise<KeptTerms[]> {
  const all = await Promise.all(
    (await listKeptOrders()).map(async (order) => {
      const [kept, receipt] = await Promise.all([readKeptPurchase(order), readKeptReceipt(order)]);
      const signed = kept?.terms ?? receipt?.terms;
      const terms = signed && readOptionTerms(signed.body);
      return signed && terms ? [{ ...terms, signed, receipt }] : [];
    }),
  );
  return all
    .flat()
    .filter(({ acceptedMs, durationMs }) => acceptedMs + durationMs > fromMs && acceptedMs < toMs)
    .sort((one, other) => one.acceptedMs - other.acceptedMs);
}
