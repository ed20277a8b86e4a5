import type { OptionReceipt } from '@sathorn/api';
import { readOptionTerms, type SignedOptionTerms } from '@sathorn/proof';
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

/** What was bought, and the signed text that says so. */
export type KeptTerms = Omit<SignedOptionTerms, 'rules'> & { readonly signed: OptionReceipt['terms'] };

/** Signed terms that this device kept of purchases between two moments, oldest first. */
export async function listKeptPurchases(fromMs: number, toMs: number): Promise<KeptTerms[]> {
  const names = (await evidence().names()).filter((name) => name.startsWith(PREFIX));
  const all = await Promise.all(
    names.map(async (name) => {
      const kept = await readKeptPurchase(name.slice(PREFIX.length));
      const terms = kept && readOptionTerms(kept.terms.body);
      return kept && terms ? [{ ...terms, signed: kept.terms }] : [];
    }),
  );
  return all
    .flat()
    .filter(({ acceptedMs }) => acceptedMs > fromMs && acceptedMs < toMs)
    .sort((one, other) => one.acceptedMs - other.acceptedMs);
}
