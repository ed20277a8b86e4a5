import type { OptionReceipt } from '@sathorn/api';
import { formatDecimal, formatPrice, PRICE_SCALE, price } from '@sathorn/money';

/** The statements of a receipt in words. The checks decide whether they are true. */
export interface ReceiptFacts {
  readonly coin: string;
  readonly direction: 'up' | 'down';
  readonly stake: string;
  readonly startPrice: string | null;
  readonly endPrice: string | null;
  readonly credited: string;
  readonly acceptedMs: number;
}

/** Removes trailing zeros of a price but keeps at least two decimals. */
export const withoutIdleZeros = (price: string): string => price.replace(/(\.[0-9]{2}[0-9]*?)0+$/, '$1');

const USDT_SCALE = 6;

/** Returns undefined if the text does not have the shape of a receipt. Loads the proof code. */
export async function readReceiptText(
  text: string,
): Promise<{ receipt: OptionReceipt; facts: ReceiptFacts | null } | undefined> {
  const { isOptionReceipt, parseUniqueJson, readOptionTerms, readTick } = await import('@sathorn/proof');
  let parsed: unknown;
  try {
    parsed = parseUniqueJson(text);
  } catch {
    return undefined;
  }
  if (!isOptionReceipt(parsed)) return undefined;
  const receipt = parsed as OptionReceipt;
  const terms = readOptionTerms(receipt.terms.body);
  if (!terms) return { receipt, facts: null };
  const priceOf = (body: string | undefined) => {
    const tick = body === undefined ? undefined : readTick(body);
    return tick ? withoutIdleZeros(formatPrice(price(tick.price), PRICE_SCALE)) : null;
  };
  const credited = /^[0-9]{1,30}$/.test(receipt.result.credited) ? BigInt(receipt.result.credited) : 0n;
  return {
    receipt,
    facts: {
      coin: terms.coin,
      direction: terms.direction,
      stake: formatDecimal(terms.stake, USDT_SCALE),
      startPrice: priceOf(receipt.ticks.start?.body),
      endPrice: priceOf(receipt.ticks.end?.body),
      credited: formatDecimal(credited, USDT_SCALE),
      acceptedMs: terms.acceptedMs,
    },
  };
}
