import { listMoneyDisputes } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { DisputesDependencies } from './disputes.ts';
import type { MoneyReview } from './money-review.ts';
import { countMoney, listMoneyRows } from './money-store.ts';
import { PROMISED_MS } from './review.ts';

const PAGE = 30;

export function listMoneyDisputesHandler({ database }: DisputesDependencies, review: MoneyReview): Handler {
  return handle(listMoneyDisputes, async ({ request: { status = 'open', page = '' }, now }) => {
    const [ms = '', id = ''] = page.split('.');
    const after = id === '' ? null : { at: new Date(Number(ms)), id };
    const [rows, counts] = await Promise.all([
      listMoneyRows(database, status, after, PAGE + 1),
      countMoney(database, new Date(now.getTime() - PROMISED_MS)),
    ]);
    const shown = rows.slice(0, PAGE);
    const last = shown.at(-1);
    const place = last && (status === 'closed' ? last.second_at : last.opened_at);
    return accept({
      items: await Promise.all(shown.map(review.item)),
      next: rows.length > PAGE && last && place ? `${place.getTime()}.${last.id}` : null,
      counts: { open: counts.open, second_look: counts.second_look },
    });
  });
}
