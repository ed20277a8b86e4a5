import type { OptionReceipt } from '@sathorn/api';
import type { PurchaseTimes } from '@sathorn/proof';
import { openEvidenceStore } from './evidence-store.ts';
import type { PurchaseFindings } from './judge-purchase.ts';

/** Everything that the device has received about one order. */
export interface KeptPurchase {
  readonly terms: OptionReceipt['terms'];
  /** SHA-256 of the rules text that this device has read; null if none. */
  readonly rulesHash: string | null;
  /** In ms since 1970 by this device's clock. */
  readonly keptAt: number;
  /**
   * `answer`: the terms came with the answer to the purchase. `open`: they were read while the order was open, because
   * it was bought on another device.
   */
  readonly from: 'answer' | 'open';
  readonly findings: PurchaseFindings | null;
  /** When the purchase was sent and answered; absent if an older version kept it, or another device bought it. */
  readonly times?: PurchaseTimes;
}

export const PURCHASE_KEY_PREFIX = 'purchase:';
const nameOf = (order: string): string => PURCHASE_KEY_PREFIX + order;

export async function readKeptPurchase(order: string): Promise<KeptPurchase | undefined> {
  const value = await openEvidenceStore().read(nameOf(order));
  const isKept = typeof value === 'object' && value !== null && 'terms' in value && 'keptAt' in value;
  return isKept ? (value as KeptPurchase) : undefined;
}

/** Keeps the first terms received, because later ones prove nothing about the purchase. */
export async function keepPurchase(order: string, kept: KeptPurchase): Promise<boolean> {
  const before = await readKeptPurchase(order);
  if (before !== undefined && before.terms.body !== kept.terms.body) return true;
  return openEvidenceStore().write(nameOf(order), kept);
}

export const RECEIPT_KEY_PREFIX = 'receipt:';

/** Keeps a receipt that this device has verified, because the server may lack it after a restoration. */
export const keepReceipt = (order: string, receipt: OptionReceipt): Promise<boolean> =>
  openEvidenceStore().write(RECEIPT_KEY_PREFIX + order, receipt);
