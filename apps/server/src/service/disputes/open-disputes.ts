import type { Module } from '../../platform/module.ts';
import { disputeCalls } from './calls.ts';
import { ANSWER_PROMISED_MS, DISPUTES_COUNTED_MS } from './dispute-review.ts';
import type { Disputes, DisputesDependencies } from './disputes.ts';
import { openMoneyDisputeHandler } from './open-money-dispute.ts';
import { openMoneyReview } from './review-money.ts';
import { openTradeReview } from './review-trades.ts';

/** How many of a customer's disputes a correction may choose from. */
const LISTED = 20;

export function openDisputes(module: DisputesDependencies): Module<Disputes> {
  const { database } = module;
  const trades = openTradeReview(module);
  const money = openMoneyReview(module);
  const api: Disputes = {
    answerKind: trades.kind,
    moneyAnswerKind: money.kind,
    async isOf(customer, id) {
      const found = (await money.cases.find(database, id)) ?? (await trades.cases.find(database, id));
      return found?.customer === customer;
    },
    async listOf(customer) {
      const [ofTrades, ofMoney] = await Promise.all([
        trades.cases.listOf(database, customer, null, LISTED),
        money.cases.listOf(database, customer, null, LISTED),
      ]);
      const listed = [
        ...ofTrades.map((row) => ({ row, kind: 'option' as const, order: row.order_id })),
        ...(await Promise.all(
          ofMoney.map(async (row) => ({ row, kind: row.subject_kind, order: (await money.item(row)).order })),
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
      const ago = (past: number) => new Date(now.getTime() - past);
      const counts = await Promise.all(
        [trades, money].map(({ cases }) => cases.count(database, ago(DISPUTES_COUNTED_MS), ago(ANSWER_PROMISED_MS))),
      );
      const oldest = counts.flatMap((one) => one.oldest ?? []).sort((a, b) => +a - +b)[0] ?? null;
      return {
        waiting: counts.reduce((sum, one) => sum + one.open + one.second_look, 0),
        overdue: counts.reduce((sum, one) => sum + one.overdue, 0),
        oldestAt: oldest,
        dueAt: oldest && new Date(oldest.getTime() + ANSWER_PROMISED_MS),
      };
    },
  };
  return { api, handlers: [...disputeCalls(trades, money), openMoneyDisputeHandler(module, money)] };
}
