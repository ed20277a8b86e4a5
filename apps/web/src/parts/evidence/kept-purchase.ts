import type { OptionReceipt } from '@sathorn/api';
import { evidence } from './evidence-store.ts';
import type { PurchaseFindings } from './judge-purchase.ts';

/** The data that the device received about one order. */
export interface KeptPurchase {
  readonly terms: OptionReceipt['terms'];
  /** SHA-256 of the rules text that this device had read; null where it had none. */
  readonly rulesHash: string | null;
  /** ms since 1970, by this device. */
  readonly keptAt: number;
  /**
   * `answer`: with the answer to the purchase. `open`: read while the order was open, for an order bought on another
   * device.
   */
  readonly from: 'answer' | 'open';
  readonly findings: PurchaseFindings | null;
}

const nameOf = (order: string): string => `purchase:${order}`;

export async function readKeptPurchase(order: string): Promise<KeptPurchase | undefined> {
  const value = await evidence().read(nameOf(order));
  const isKept = typeof value === 'object' && value !== null && 'terms' in value && 'keptAt' in value;
  return isKept ? (value as KeptPurchase) : undefined;
}

/** The first received terms are kept, because later ones are no evidence of the purchase. */
export async function keepPurchase(order: string, kept: KeptPurchase): Promise<boolean> {
  const before = await readKeptPurchase(order);
  if (before !== undefined && before.terms.body !== kept.terms.body) return true;
  return evidence().write(nameOf(order), kept);
}
