import { listSamples } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { countSamples, readSamples } from './sample-store.ts';
import type { SupportDependencies } from './support.ts';

const SHOWN = 100;
/** A message that no second person has read for this long is late. */
export const SAMPLE_REVIEW_WITHIN_MS = 24 * 60 * 60_000;

export function listSamplesHandler({ database, staffName, usernameOf }: SupportDependencies): Handler {
  return handle(listSamples, async ({ operator, request: { status = 'waiting' }, now }) => {
    const [rows, counts] = await Promise.all([
      readSamples(database, status, SHOWN),
      countSamples(database, new Date(now.getTime() - SAMPLE_REVIEW_WITHIN_MS)),
    ]);
    const staffOf = async (id: bigint) => ({ id: String(id), work_name: await staffName(id) });
    return accept({
      items: await Promise.all(
        rows.map(async (row) => ({
          id: row.id,
          thread: row.thread,
          customer:
            row.customer === null ? null : { id: String(row.customer), username: await usernameOf(row.customer) },
          by: await staffOf(row.operator),
          is_own: row.operator === operator.id,
          why: row.why,
          text: row.body,
          at: row.at.toISOString(),
          due_at: new Date(row.at.getTime() + SAMPLE_REVIEW_WITHIN_MS).toISOString(),
          read_by: row.read_by === null ? null : await staffOf(row.read_by),
          note: row.note,
        })),
      ),
      next: null,
      counts: { waiting: counts.waiting, late: counts.late },
    });
  });
}
