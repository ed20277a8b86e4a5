import { type CorrectionRow, listRecentCorrections } from './correction-store.ts';
import { amountWithAsset, correctionNoticeOf, correctionNumberText } from './correction-words.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { DEBIT_NOTICE_MS } from './decide-correction.ts';

/** A notice is sent again for this long; the message's own key prevents duplicates. */
const AGAIN_MS = 600_000;

async function tellOwner(
  { messages }: Pick<CorrectionsDependencies, 'messages'>,
  row: CorrectionRow,
  now: Date,
): Promise<void> {
  const { id, step, kind, customer_id: owner, moved } = row;
  const order = correctionNumberText(row.number);
  const until = row.due_at ?? new Date(now.getTime() + DEBIT_NOTICE_MS);
  if (step === 'announced' || kind !== 'reverse') {
    const { template, params } = correctionNoticeOf(row, order, until);
    await messages.send(owner, template, params, now, id);
  } else if (step === 'stopped') await messages.send(owner, 'correction_stopped', { order }, now, id);
  else await messages.send(owner, 'correction_taken', { order, amount: amountWithAsset(moved) }, now, id);
}

/** Notifies customers of recent decisions. A crash between a decision and its notice loses none. */
export async function notifyCorrectedCustomers(
  module: Pick<CorrectionsDependencies, 'database' | 'messages'>,
  told: Set<string>,
  now: Date,
): Promise<void> {
  for (const row of await listRecentCorrections(module.database, new Date(now.getTime() - AGAIN_MS))) {
    const key = `${row.id} ${row.step}`;
    if (told.has(key)) continue;
    await tellOwner(module, row, now);
    told.add(key);
  }
}
