import {
  listDisputes,
  listMoneyDisputes,
  listOwnDisputes,
  listOwnMoneyDisputes,
  proposeAnswer,
  proposeMoneyAnswer,
  readDispute,
  readMoneyDispute,
  reportFault,
} from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { MoneyReview } from './review-money.ts';
import type { TradeReview } from './review-trades.ts';

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const disputeCalls = (trades: TradeReview, money: MoneyReview): Handler[] => [
  handle(listOwnDisputes, async ({ customer, request: { page } }) => accept(await trades.listOwn(customer.id, page))),
  handle(listDisputes, async ({ request, now }) => {
    const { items, next, counts } = await trades.list(request, now);
    const { open, second_look, closed: all, faults } = counts;
    return accept({ items, next, counts: { open, second_look }, closed: { all, same: all - faults, faults } });
  }),
  handle(readDispute, ({ request: { id } }) => trades.read(id)),
  handle(proposeAnswer, ({ operator, request, now }) => trades.propose(operator, request, now)),
  handle(reportFault, ({ operator, request, now }) => trades.report(operator, request, now)),
  handle(listOwnMoneyDisputes, async ({ customer, request: { subject, page } }) => {
    if (subject !== undefined && !UUID.test(subject)) return accept({ items: [], next: null });
    return accept(await money.listOwn(customer.id, page, subject));
  }),
  handle(listMoneyDisputes, async ({ request, now }) => {
    const { items, next, counts } = await money.list(request, now);
    return accept({ items, next, counts: { open: counts.open, second_look: counts.second_look } });
  }),
  handle(readMoneyDispute, ({ request: { id } }) => money.read(id)),
  handle(proposeMoneyAnswer, ({ operator, request, now }) =>
    money.propose(operator, { ...request, correction: request.correction ?? null }, now),
  ),
];
