import type { OptionReceipt } from '@sathorn/api';
import { isOptionReceipt, readOptionTerms, type SignedOptionTerms } from '@sathorn/proof';
import { evidence } from './evidence-store.ts';
import type { PurchaseFindings } from './judge-purchase.ts';

/** What the device has received about one order. */
export interface KeptPurchase {
  readonly terms: OptionReceipt['terms'];
  /** SHA-256 of the rules text that this device has read; null if none. */
  readonly rulesHash: string | null;
  /** In ms since 1970 by this device's clock. */
  readonly keptAt: number;
  /**
   * `answer`: from the answer to the purchase. `open`: read while the order was open, for an order bought on another
   * device.
   */
  readonly from: 'answer' | 'open';
  readonly findings: PurchaseFindings | null;
}

const PREFIX = 'purchase:';
const nameOf = (order: string): string => PREFIX + order;

export async function readKeptPurchase(order: string): Promise<KeptPurchase | undefined> {
  const value = await evidence().read(nameOf(order));
  const isKept = typeof value === 'object' && value !== null && 'terms' in value && 'keptAt' in value;
  return isKept ? (value as KeptPurchase) : undefined;
}

/** Keeps the first terms received, because later ones prove nothing about the purchase. */
export async function keepPurchase(order: string, kept: KeptPurchase): Promise<boolean> {
  const before = await readKeptPurchase(order);
  if (before !== undefined && before.terms.body !== kept.terms.body) return true;
  return evidence().write(nameOf(order), kept);
}

const RECEIPT = 'receipt:';

/** Keeps a receipt that this device has verified: after a restoration the server may not have it any more. */
export const keepReceipt = (order: string, receipt: OptionReceipt): Promise<boolean> =>
  evidence().write(RECEIPT + order, receipt);

async function readKeptReceipt(order: string): Promise<OptionReceipt | null> {
  const value = await evidence().read(RECEIPT + order);
  return isOptionReceipt(value) ? (value as OptionReceipt) : null;
}

/** What was bought, the signed text that says so, and the receipt of its result if this device has one. */
export type KeptTerms = Omit<SignedOptionTerms, 'rules'> & {
  readonly signed: OptionReceipt['terms'];
  readonly receipt: OptionReceipt | null;
};

/** Signed terms that this device kept of purchases that ran between two moments, oldest first. */
export async function listKeptPurchases(fromMs: number, toMs: number): Promise<KeptTerms[]> {
  const names = await evidence().names();
  const ordersOf = (prefix: string) =>
    names.flatMap((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : []));
  const all = await Promise.all(
    [...new Set([PREFIX, RECEIPT].flatMap(ordersOf))].map(async (order) => {
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
