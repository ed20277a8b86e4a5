import type { OpenedDispute } from '../../exchange/options/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import type { ApprovalKind } from '../../staff/operators/index.ts';
import {
  countDisputes,
  type DisputeFigures,
  type DisputeState,
  findDispute,
  insertDispute,
  listOfCustomer,
  readFigures,
} from './dispute-store.ts';
import { listDisputesHandler } from './list-disputes.ts';
import { listMoneyDisputesHandler } from './list-money-disputes.ts';
import { listOwnDisputesHandler } from './list-own-disputes.ts';
import { listOwnMoneyDisputesHandler } from './list-own-money-disputes.ts';
import { openMoneyReview } from './money-review.ts';
import { countMoney, findMoneyDispute, listMoneyOf, type MoneySubject } from './money-store.ts';
import { openMoneyDisputeHandler } from './open-money-dispute.ts';
import { proposeAnswerHandler } from './propose-answer.ts';
import { proposeMoneyAnswerHandler } from './propose-money-answer.ts';
import { readDisputeHandler } from './read-dispute.ts';
import { readMoneyDisputeHandler } from './read-money-dispute.ts';
import { reportFaultHandler } from './report-fault.ts';
import { openReview, PROMISED_MS } from './review.ts';
import type { DisputesRoom } from './room.ts';

export const CLOSED_DAYS_MS = 90 * 86_400_000;

export interface DisputeOfCustomer {
  readonly id: string;
  readonly kind: 'option' | MoneySubject;
  readonly order: string;
  readonly status: DisputeState;
  readonly at: string;
}
/** How many disputes of a customer a correction may choose from. */
const LISTED = 20;

export interface Disputes {
  /** Records a new dispute, in the transaction in which the customer opens it. */
  openCase(transaction: Queries, dispute: OpenedDispute): Promise<void>;
  readonly answerKind: ApprovalKind;
  readonly moneyAnswerKind: ApprovalKind;
  /** Whether this customer has opened this dispute, about a trade or about money. */
  isOf(customer: bigint, id: string): Promise<boolean>;
  /** The newest disputes of a customer, about trades and about money. */
  listOf(customer: bigint): Promise<readonly DisputeOfCustomer[]>;
  /** What the public figures say of disputes. */
  figures(since: Date, now: Date): Promise<DisputeFigures>;
  queue(now: Date): Promise<{
    readonly waiting: number;
    readonly overdue: number;
    readonly oldestAt: Date | null;
    readonly dueAt: Date | null;
  }>;
}

export function openDisputes(room: DisputesRoom): Module<Disputes> {
  const review = openReview(room);
  const money = openMoneyReview(room);
  const api: Disputes = {
    openCase: (transaction, { id, customer, order, statement, language, openedAt, deadline }) =>
      insertDispute(transaction, {
        id,
        customer,
        order_id: order,
        statement,
        language,
        opened_at: openedAt,
        deadline,
      }),
    answerKind: review.kind,
    moneyAnswerKind: money.kind,
    async isOf(customer, id) {
      const found = (await findMoneyDispute(room.database, id)) ?? (await findDispute(room.database, id));
      return found?.customer === customer;
    },
    async listOf(customer) {
      const [trades, about] = await Promise.all([
        listOfCustomer(room.database, customer, null, LISTED),
        listMoneyOf(room.database, customer, null, null, LISTED),
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
    figures: (since, now) => readFigures(room.database, since, now),
    async queue(now) {
      const counts = await countDisputes(
        room.database,
        new Date(now.getTime() - CLOSED_DAYS_MS),
        new Date(now.getTime() - PROMISED_MS),
      );
      const ofMoney = await countMoney(room.database, new Date(now.getTime() - PROMISED_MS));
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
      listOwnDisputesHandler(room),
      listDisputesHandler(room, review),
      readDisputeHandler(review),
      proposeAnswerHandler(review),
      reportFaultHandler(review),
      openMoneyDisputeHandler(room, money),
      listOwnMoneyDisputesHandler(room, money),
      listMoneyDisputesHandler(room, money),
      readMoneyDisputeHandler(money),
      proposeMoneyAnswerHandler(money),
    ],
  };
}
