import type { OptionReceipt } from '@sathorn/api';
import { isCoinCode } from '@sathorn/money';
import { neededSequences, readTick, type SignedText } from '@sathorn/proof';
import { readTickPage } from './read-tick-page.ts';

const ROWS_MAX = 1_000;
/** Enough for a one-hour order. The device does not check longer ones. */
const CALLS_MAX = 4;

/** The part of the public chain with a receipt's ticks; null if it cannot be loaded or is too long. */
export async function readPublicTicks(receipt: OptionReceipt): Promise<SignedText[] | null> {
  const span = neededSequences(receipt);
  const first = Object.values(receipt.ticks).find((text) => text !== null);
  const coin = first ? readTick(first.body)?.coin : undefined;
  if (span === null || coin === undefined || !isCoinCode(coin)) return null;
  const wanted = Number(span.to - span.from) + 1;
  if (wanted > ROWS_MAX * CALLS_MAX) return null;
  const texts: SignedText[] = [];
  while (texts.length < wanted) {
    const from = span.from + BigInt(texts.length);
    const limit = Math.min(ROWS_MAX, wanted - texts.length);
    const page = await readTickPage(coin, String(from), limit);
    if (page === null) return null;
    texts.push(...page.items);
    // The chain ends here; the check decides whether that is too early.
    if (page.items.length < limit) break;
  }
  return texts;
}
