import { type CorrectionRow, listRecent } from './correction-store.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { ANNOUNCED_MS } from './decide-correction.ts';
import { agreedNotice, amountWithAsset, numberText } from './words.ts';

/** A notice is sent again for this long; the message's own key prevents duplicates. */
const AGAIN_MS = 600_000;

async function tellOwner(
  { messages }: Pick<CorrectionsDependencies, 'messages'>,
  row: CorrectionRow,
  now: Date,
): Promise<void> {
  const { id, step, kind, customer_id: owner, moved } = row;
  const order = numberText(row.number);
  const until = row.due_at ?? new Date(now.getTime() + ANNOUNCED_MS);
  if (step === 'announced' || kind !== 'reverse') {
    const { template, params } = agreedNotice(row, order, until);
    await messages.send(owner, template, params, now, id);
  } else if (step === 'stopped') await messages.send(owner, 'correction_stopped', { order }, now, id);
  else await messages.send(owner, 'correction_taken', { order, amount: amountWithAsset(moved) }, now, id);
}

/** Notifies customers of recent decisions. A crash between a decision and its notice loses none. */
export async function tellOwners(
  module: Pick<CorrectionsDependencies, 'database' | 'messages'>,
  told: Set<string>,
  now: Date,
): Promise<void> {
  for (const row of await listRecent(module.database, new Date(now.getTime() - AGAIN_MS))) {
    const key = `${row.id} ${row.step}`;
    if (told.has(key)) continue;
    await tellOwner(module, row, now);
    told.add(key);
  }
}
