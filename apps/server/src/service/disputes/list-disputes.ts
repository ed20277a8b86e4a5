import { listDisputes } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { countDisputes, listDisputeRows } from './dispute-store.ts';
import type { DisputesDependencies } from './disputes.ts';
import { PROMISED_MS, type Review } from './review.ts';

const PAGE = 30;
const CLOSED_MS = 90 * 86_400_000;

export function listDisputesHandler({ database }: DisputesDependencies, review: Review): Handler {
  return handle(listDisputes, async ({ request: { status = 'open', page = '' }, now }) => {
    const [ms = '', id = ''] = page.split('.');
    const after = id === '' ? null : { at: new Date(Number(ms)), id };
    const ago = (past: number) => new Date(now.getTime() - past);
    const [rows, counts] = await Promise.all([
      listDisputeRows(database, status, after, PAGE + 1),
      countDisputes(database, ago(CLOSED_MS), ago(PROMISED_MS)),
    ]);
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    const place = last && (status === 'closed' ? last.second_at : last.opened_at);
    return accept({
      items: await Promise.all(shown.map(review.item)),
      next: rows.length > PAGE && last && place ? `${place.getTime()}.${last.id}` : null,
      counts: { open: counts.open, second_look: counts.secondLook },
      closed: { all: counts.closed, same: counts.closed - counts.faults, faults: counts.faults },
    });
  });
}
