import { listOwnDisputes } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { type DisputeRow, listOfCustomer } from './dispute-store.ts';
import type { DisputesDependencies } from './disputes.ts';

const PAGE = 20;

export function listOwnDisputesHandler({ database, staffName }: DisputesDependencies): Handler {
  const view = async (row: DisputeRow) => {
    const isClosed = row.state === 'closed';
    const reviewers = [row.first_by, row.second_by].filter((one) => one !== null);
    return {
      id: row.id,
      order: row.order_id,
      statement: row.statement,
      status: row.state,
      opened_at: row.opened_at.toISOString(),
      deadline: row.deadline.toISOString(),
      // A proposed finding is hidden until a second person has approved it.
      finding: isClosed ? row.finding : null,
      answer: isClosed ? row.answer : null,
      answered_at: row.second_at?.toISOString() ?? null,
      reviewers: await Promise.all(reviewers.map(staffName)),
    };
  };
  return handle(listOwnDisputes, async ({ customer, request: { page = '' } }) => {
    const [ms = '', id = ''] = page.split('.');
    const before = id === '' ? null : { at: new Date(Number(ms)), id };
    const rows = await listOfCustomer(database, customer.id, before, PAGE + 1);
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return accept({
      items: await Promise.all(shown.map(view)),
      next: rows.length > PAGE && last ? `${last.opened_at.getTime()}.${last.id}` : null,
    });
  });
}
