import { listOwnMoneyDisputes } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { DisputesDependencies } from './disputes.ts';
import type { MoneyReview } from './money-review.ts';
import { listMoneyOf } from './money-store.ts';

const PAGE = 20;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function listOwnMoneyDisputesHandler({ database }: DisputesDependencies, review: MoneyReview): Handler {
  return handle(listOwnMoneyDisputes, async ({ customer, request: { subject, page = '' } }) => {
    if (subject !== undefined && !UUID.test(subject)) return accept({ items: [], next: null });
    const [ms = '', id = ''] = page.split('.');
    const before = id === '' ? null : { at: new Date(Number(ms)), id };
    const rows = await listMoneyOf(database, customer.id, before, subject ?? null, PAGE + 1);
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    return accept({
      items: await Promise.all(shown.map(review.own)),
      next: rows.length > PAGE && last ? `${last.opened_at.getTime()}.${last.id}` : null,
    });
  });
}
