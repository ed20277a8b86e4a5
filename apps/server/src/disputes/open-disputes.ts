import type { Queries } from '../database/index.ts';
import type { Module } from '../module.ts';
import type { ApprovalKind } from '../operators/index.ts';
import type { OpenedDispute } from '../options/index.ts';
import { countDisputes, insertDispute } from './dispute-store.ts';
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
  /** Counts the disputes closed since then, and how many of them found a fault. */
  figures(since: Date): Promise<{ closed: number; upheld: number }>;
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
    async figures(since) {
      const { closed, faults } = await countDisputes(room.database, since, since);
      return { closed, upheld: faults };
    },
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
