import type { Module } from '../../platform/module.ts';
import { reviewCalls } from './calls.ts';
import { countDisputes, findDispute, listOfCustomer } from './dispute-store.ts';
import type { Disputes, DisputesDependencies } from './disputes.ts';
import { listDisputesHandler } from './list-disputes.ts';
import { listMoneyDisputesHandler } from './list-money-disputes.ts';
import { listOwnDisputesHandler } from './list-own-disputes.ts';
import { listOwnMoneyDisputesHandler } from './list-own-money-disputes.ts';
import { openMoneyReview } from './money-review.ts';
import { countMoney, findMoneyDispute, listMoneyOf } from './money-store.ts';
import { openMoneyDisputeHandler } from './open-money-dispute.ts';
import { proposeMoneyAnswerHandler } from './propose-money-answer.ts';
import { readMoneyDisputeHandler } from './read-money-dispute.ts';
import { openReview, PROMISED_MS } from './review.ts';

export const CLOSED_DAYS_MS = 90 * 86_400_000;

/** How many disputes of a customer a correction may choose from. */
const LISTED = 20;

export function openDisputes(module: DisputesDependencies): Module<Disputes> {
  const review = openReview(module);
  const money = openMoneyReview(module);
  const api: Disputes = {
    answerKind: review.kind,
    moneyAnswerKind: money.kind,
    async isOf(customer, id) {
      const found = (await findMoneyDispute(module.database, id)) ?? (await findDispute(module.database, id));
      return found?.customer === customer;
    },
    async listOf(customer) {
      const [trades, about] = await Promise.all([
        listOfCustomer(module.database, customer, null, LISTED),
        listMoneyOf(module.database, customer, null, null, LISTED),
      ]);
      const listed = [
        ...trades.map((row) => ({ row, kind: 'option' as const, order: row.order_id })),
        ...(await Promise.all(
          about.map(async (row) => ({ row, kind: row.subject_kind, order: (await money.item(row)).order })),
        )),
      ];
      return listed
        .sort((one, other) => other.row.opened_at.getTime() - one.row.opened_at.getTime())
        .map(({ row, kind, order }) => ({
          id: row.id,
          kind,
          order,
          status: row.state,
          at: row.opened_at.toISOString(),
        }));
    },
    async queue(now) {
      const counts = await countDisputes(
        module.database,
        new Date(now.getTime() - CLOSED_DAYS_MS),
        new Date(now.getTime() - PROMISED_MS),
      );
      const ofMoney = await countMoney(module.database, new Date(now.getTime() - PROMISED_MS));
      const oldest = [counts.oldest, ofMoney.oldest].filter((at) => at !== null).sort((a, b) => +a - +b)[0] ?? null;
      return {
        waiting: counts.open + counts.secondLook + ofMoney.open + ofMoney.second_look,
        overdue: counts.overdue + ofMoney.overdue,
        oldestAt: oldest,
        dueAt: oldest && new Date(oldest.getTime() + PROMISED_MS),
      };
    },
  };
  return {
    api,
    handlers: [
      listOwnDisputesHandler(module),
      listDisputesHandler(module, review),
      ...reviewCalls(review),
      openMoneyDisputeHandler(module, money),
      listOwnMoneyDisputesHandler(module, money),
      listMoneyDisputesHandler(module, money),
      readMoneyDisputeHandler(money),
      proposeMoneyAnswerHandler(money),
    ],
  };
}
