import { markSample } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { lockSample, markSampleRead } from './sample-store.ts';
import type { SupportDependencies } from './support.ts';

/** Marks a message that another person than its writer has read: accepted, or reported. */
export function markSampleHandler({ database, audit }: SupportDependencies): Handler {
  return handle(markSample, async ({ operator, request: { id, verdict, note } }) => {
    if (verdict === 'reported' && note === undefined) return refuse('field_required', { field: 'note' });
    const refused = await database.transaction(async (transaction) => {
      const row = await lockSample(transaction, id);
      if (!row) return 'thread_unknown' as const;
      if (row.operator === operator.id) return 'conflict_of_interest' as const;
      const said = { verdict, note: verdict === 'reported' ? (note ?? null) : null };
      if (row.read_by !== null || !(await markSampleRead(transaction, row, operator.id, said)))
        return 'version_stale' as const;
      await audit.append(transaction, {
        operator,
        what: `support.sample_${verdict}`,
        on: { kind: 'support', id: row.thread ?? row.id },
        ...(row.customer !== null && { customer: row.customer }),
        after: { message: row.id, by: String(row.operator) },
        ...(said.note !== null && { note: said.note }),
      });
      return null;
    });
    return refused === null ? accept({}) : refuse(refused);
  });
}
