import type { Queries } from '../database/index.ts';
import type { Module } from '../module.ts';
import type { ApprovalKind } from '../operators/index.ts';
import type { OpenedDispute } from '../options/index.ts';
import { countDisputes, type DisputeFigures, insertDispute, readFigures } from './dispute-store.ts';
import { listDisputesHandler } from './list-disputes.ts';
import { listOwnDisputesHandler } from './list-own-disputes.ts';
import { proposeAnswerHandler } from './propose-answer.ts';
import { readDisputeHandler } from './read-dispute.ts';
import { reportFaultHandler } from './report-fault.ts';
import { openReview, PROMISED_MS } from './review.ts';
import type { DisputesRoom } from './room.ts';

export const CLOSED_DAYS_MS = 90 * 86_400_000;

export interface Disputes {
  /** Records a new dispute, in the transaction in which the customer opens it. */
  openCase(transaction: Queries, dispute: OpenedDispute): Promise<void>;
  readonly answerKind: ApprovalKind;
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
    figures: (since, now) => readFigures(room.database, since, now),
    async queue(now) {
      const counts = await countDisputes(
        room.database,
        new Date(now.getTime() - CLOSED_DAYS_MS),
        new Date(now.getTime() - PROMISED_MS),
      );
      return {
        waiting: counts.open + counts.secondLook,
        overdue: counts.overdue,
        oldestAt: counts.oldest,
        dueAt: counts.oldest && new Date(counts.oldest.getTime() + PROMISED_MS),
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
    ],
  };
}
