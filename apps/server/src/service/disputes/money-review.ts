import type { MoneyDisputeCase, MoneyDisputeItem, OwnMoneyDispute } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { ApprovalKind } from '../../staff/operators/index.ts';
import { faultOfStaffText } from '../../staff/staff-text.ts';
import type { DisputesDependencies } from './disputes.ts';
import { type MoneySubjectView, readEvidence, subjectOf } from './money-evidence.ts';
import {
  closeMoneyDispute,
  findMoneyDispute,
  lockMoneyDispute,
  type MoneyDisputeRow,
  type MoneyFinding,
  proposeOnMoney,
} from './money-store.ts';
import { PROMISED_MS } from './review.ts';

export const MONEY_ANSWER_KIND = 'money_dispute_answer';

/** How staff handle disputes about money. */
export interface MoneyReview {
  item(row: MoneyDisputeRow): Promise<MoneyDisputeItem>;
  own(row: MoneyDisputeRow): Promise<OwnMoneyDispute>;
  read(id: string): Promise<MoneyDisputeCase | null>;
  propose(
    operator: OperatorSession,
    wanted: {
      readonly id: string;
      readonly version: number;
      readonly text: string;
      readonly correction: string | null;
    },
    now: Date,
  ): Promise<
    Decision<
      MoneyDisputeCase,
      | 'dispute_unknown'
      | 'version_stale'
      | 'correction_not_agreed'
      | 'text_names_site'
      | 'text_asks_for_secret'
      | 'text_asks_for_payment'
    >
  >;
  readonly kind: ApprovalKind;
}

const unknown = () => refuse('dispute_unknown' as const, { field: 'id' });

export function openMoneyReview(module: DisputesDependencies): MoneyReview {
  const { database, audit } = module;
  const staffOf = async (operator: bigint | null) =>
    operator === null ? null : { id: String(operator), work_name: await module.staffName(operator) };
  const viewOf = async ({ customer, subject_kind: kind, subject }: MoneyDisputeRow): Promise<MoneySubjectView> => {
    const found = await subjectOf(module, customer, kind, subject);
    if (!found) throw new Error(`${kind} ${subject} is gone`);
    return found;
  };

  const item = async (row: MoneyDisputeRow): Promise<MoneyDisputeItem> => ({
    id: row.id,
    customer: { id: String(row.customer), username: await module.usernameOf(row.customer) },
    kind: row.subject_kind,
    subject: row.subject,
    ...(await viewOf(row)),
    status: row.state,
    opened_at: row.opened_at.toISOString(),
    promised_at: new Date(row.opened_at.getTime() + PROMISED_MS).toISOString(),
    deadline: row.deadline.toISOString(),
    first: await staffOf(row.first_by),
    finding: row.finding,
    version: row.version,
  });
  const read = async (id: string): Promise<MoneyDisputeCase | null> => {
    const row = await findMoneyDispute(database, id);
    if (!row) return null;
    const [{ evidence, checks }, waiting, corrections] = await Promise.all([
      readEvidence(module, row),
      module.findWaiting(database, MONEY_ANSWER_KIND, id),
      module.correctionsOf(database, id),
    ]);
    return {
      ...(await item(row)),
      statement: row.statement,
      language: row.language,
      evidence,
      checks: [...checks],
      corrections: corrections.map((one) => ({ id: one.id, number: one.number, step: one.step })),
      answer: row.answer,
      correction: row.correction,
      first_at: row.first_at?.toISOString() ?? null,
      second: await staffOf(row.second_by),
      second_at: row.second_at?.toISOString() ?? null,
      approval: waiting && { id: waiting.id, fingerprint: waiting.fingerprint.toString('hex') },
    };
  };

  return {
    item,
    read,

    async own(row) {
      const isClosed = row.state === 'closed';
      const corrections = isClosed && row.correction !== null ? await module.correctionsOf(database, row.id) : [];
      return {
        id: row.id,
        kind: row.subject_kind,
        subject: row.subject,
        ...(await viewOf(row)),
        statement: row.statement,
        status: row.state,
        opened_at: row.opened_at.toISOString(),
        deadline: row.deadline.toISOString(),
        // A proposed answer is hidden until a second person has approved it.
        finding: isClosed ? row.finding : null,
        answer: isClosed ? row.answer : null,
        answered_at: row.second_at?.toISOString() ?? null,
        correction: corrections.find(({ id }) => id === row.correction)?.number ?? null,
        reviewers: await Promise.all([row.first_by, row.second_by].filter((one) => one !== null).map(module.staffName)),
      };
    },

    async propose(operator, { id, version, text, correction }, now) {
      const known = await findMoneyDispute(database, id);
      if (!known) return unknown();
      const fault = faultOfStaffText(text);
      if (fault) return refuse(fault, { field: 'text' });
      const about = await module.concernedBy(known.customer);
      const { order } = await viewOf(known);
      const finding: MoneyFinding = correction === null ? 'as_recorded' : 'corrected';
      const done = await database.transaction(
        async (transaction): Promise<Decision<null, 'dispute_unknown' | 'version_stale' | 'correction_not_agreed'>> => {
          const row = await lockMoneyDispute(transaction, id);
          if (!row) return unknown();
          if (row.state === 'closed' || row.version !== version)
            return refuse('version_stale', { params: { version: String(row.version) } });
          if (correction !== null) {
            const named = (await module.correctionsOf(transaction, id)).find((one) => one.id === correction);
            if (named?.customer !== row.customer || !['announced', 'done'].includes(named.step))
              return refuse('correction_not_agreed', { field: 'correction' });
          }
          // A new proposal closes the waiting approval, so a second person never approves a text that has changed.
          if (row.approval) await module.approvals.close(transaction, row.approval, 'stale');
          const opened = await module.approvals.open(transaction, {
            kind: MONEY_ANSWER_KIND,
            subject: id,
            fingerprintOf: {
              dispute: id,
              order,
              customer: String(row.customer),
              version: String(row.version + 1),
              finding,
              answer: text,
              correction,
            },
            need: 1,
            madeBy: operator.id,
            roles: ['compliance'],
            about,
            reason: finding,
            expiresAt: new Date(Math.max(row.deadline.getTime(), now.getTime() + PROMISED_MS)),
          });
          await proposeOnMoney(transaction, id, {
            finding,
            answer: text,
            correction,
            approval: opened.id,
            by: operator.id,
            at: now,
          });
          await audit.append(transaction, {
            operator,
            what: 'dispute.proposed',
            on: { kind: 'money_dispute', id },
            customer: row.customer,
            after: { finding, approval: opened.id, correction },
          });
          return accept(null);
        },
      );
      if (!done.ok) return done;
      const found = await read(id);
      return found ? accept(found) : unknown();
    },

    kind: {
      async apply(transaction, { id: approval, content }, operator) {
        const proposed = JSON.parse(content) as { dispute: string; order: string; correction: string | null };
        const row = await lockMoneyDispute(transaction, proposed.dispute);
        if (row?.approval !== approval || row.state !== 'second_look') return false;
        if (proposed.correction !== null) {
          const corrections = await module.correctionsOf(transaction, row.id);
          const named = corrections.find(({ id }) => id === proposed.correction);
          if (!named || !['announced', 'done'].includes(named.step)) return false;
        }
        const now = module.clock.now();
        await closeMoneyDispute(transaction, row.id, { by: operator.id, at: now });
        // Sent before the commit, once for each approval: should this one fail, the answer of a later one is sent too.
        void module.messages
          .send(row.customer, 'dispute_answered', { order: proposed.order, answer: row.answer ?? '' }, now, approval)
          .catch(module.onFault);
        return true;
      },
      customerOf: ({ content }) => BigInt((JSON.parse(content) as { customer: string }).customer),
    },
  };
}
