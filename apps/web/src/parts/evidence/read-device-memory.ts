import type { OptionReceipt } from '@sathorn/api';
import { readOptionTerms } from '@sathorn/proof';
import type { DeviceMemory } from './judge-receipt.ts';
import { readKeptPurchase } from './kept-purchase.ts';
import { readPublicTicks } from './public-ticks.ts';
import { areRulesServed } from './rules-in-force.ts';
import { readSeenTicks } from './watch-tick-chain.ts';

/** Reads what this device has stored about a receipt's order, and the part of the public chain that it names. */
export async function readDeviceMemory(
  receipt: OptionReceipt,
): Promise<Pick<DeviceMemory, 'kept' | 'seen' | 'publicTicks' | 'rulesHash'>> {
  const terms = readOptionTerms(receipt.terms.body);
  const [kept, seen, publicTicks] = await Promise.all([
    terms === undefined ? undefined : readKeptPurchase(terms.order),
    terms === undefined ? [] : readSeenTicks(terms.coin),
    readPublicTicks(receipt),
  ]);
  // The rules that the customer read at the purchase decide. Without these, the text that the terms name must at least
  // be available.
  const isReadable = kept?.rulesHash == null && terms !== undefined && (await areRulesServed(terms.rules));
  return { kept: kept ?? null, seen, publicTicks, rulesHash: kept?.rulesHash ?? (isReadable ? terms.rules : null) };
}
