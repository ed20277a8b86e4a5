import { listRestorations } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import {
  type AnySignedText,
  type Contradiction,
  findContradictions,
  readTick,
  ticksShownBy,
  trustKeys,
} from '@sathorn/proof';
import { reportFindings } from './evidence-findings.ts';
import { findRestoration } from './find-restoration.ts';
import { listKeptAcknowledgements } from './kept-acknowledgements.ts';
import { readKeptDraws } from './kept-draws.ts';
import { readKeptPurchase } from './kept-purchase.ts';
import { listKeptOrders, readKeptReceipt } from './kept-terms.ts';
import { readPinnedKeys } from './pinned-keys.ts';

/** Compares signed texts that the server shows now with all that this device has kept, and reports contradictions. */
export async function reportContradictions(shown: readonly AnySignedText[]): Promise<void> {
  const published = await readPinnedKeys();
  const { trusted } = await trustKeys(published, []);
  const orders = await listKeptOrders();
  const kept = await Promise.all(
    orders.map(async (order): Promise<AnySignedText[]> => {
      const [purchase, receipt] = await Promise.all([readKeptPurchase(order), readKeptReceipt(order)]);
      const ticks = receipt === null ? [] : ticksShownBy(receipt);
      return [...(purchase ? [purchase.terms] : []), ...(receipt ? [receipt.terms] : []), ...ticks];
    }),
  );
  const acknowledged = await listKeptAcknowledgements();
  const { draws, boxTexts } = readKeptDraws();
  const ofDraws = [...Object.values(draws).flatMap(({ text }) => text ?? []), ...Object.values(boxTexts)];
  // What was kept comes first, so that a contradiction names it first.
  const found = await findContradictions([...kept.flat(), ...ofDraws, ...acknowledged, ...shown], {
    trusted,
    published,
  });
  const foundAt = Date.now();
  const unexplained = await withoutRestored(found);
  const idOf = ({ kind, about }: Contradiction): string => `${kind} ${about}`;
  await reportFindings(
    unexplained.map((contradiction) => ({
      kind: 'contradiction',
      id: idOf(contradiction),
      contradiction,
      foundAt,
    })),
  );
}

/** Drops two ticks of one number if a published restoration used the number again. Nothing explains the other kinds. */
async function withoutRestored(found: readonly Contradiction[]): Promise<readonly Contradiction[]> {
  if (!found.some(({ kind }) => kind === 'tick')) return found;
  const published = await callServer(listRestorations, {});
  return found.filter(({ kind, first, second }) => {
    if (kind !== 'tick') return true;
    const [one, other] = [readTick(first.body), readTick(second.body)];
    // Without an answer it is unknown whether a restoration explains it, so the next look asks again.
    if (!published.ok || !one || !other) return false;
    const tick = { coin: one.coin, sequence: one.sequence, sinceMs: Math.min(one.at, other.at) };
    return findRestoration(published.data.items, tick) === undefined;
  });
}
