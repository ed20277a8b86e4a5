import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import { MONEY_CASES, type MoneyDisputeRow, type MoneyFinding } from './case-store.ts';
import { openDisputeReview } from './dispute-review.ts';
import type { DisputesDependencies } from './disputes.ts';
import { readDisputedSubject, readMoneyEvidence } from './money-evidence.ts';

export const MONEY_DISPUTE_APPROVAL = 'money_dispute_answer';

/**
 * Disputes about deposits, withdrawals and corrections. The finding is `as_recorded`, or `corrected` if the answer
 * names a correction of this customer that two people agreed to.
 */
export function openMoneyReview(module: DisputesDependencies) {
  const { database } = module;
  const isAgreed = async (
    queries: Queries,
    { id, customer }: MoneyDisputeRow,
    correction: string,
  ): Promise<boolean> => {
    const named = (await module.correctionsOf(queries, id)).find((one) => one.id === correction);
    return named?.customer === customer && ['announced', 'done'].includes(named.step);
  };
  return openDisputeReview(module, {
    kind: 'money_dispute',
    approvalKind: MONEY_DISPUTE_APPROVAL,
    cases: MONEY_CASES,
    async title({ customer, subject_kind: kind, subject }) {
      const found = await readDisputedSubject(module, customer, kind, subject);
      if (!found) throw new Error(`${kind} ${subject} is gone`);
      return { kind, subject, ...found };
    },
    async evidence(row) {
      const [{ evidence, checks }, corrections] = await Promise.all([
        readMoneyEvidence(module, row),
        module.correctionsOf(database, row.id),
      ]);
      return {
        evidence,
        checks: [...checks],
        corrections: corrections.map(({ id, number, step }) => ({ id, number, step })),
        correction: row.correction,
      };
    },
    async own(row) {
      const isCorrected = row.state === 'closed' && row.correction !== null;
      const corrections = isCorrected ? await module.correctionsOf(database, row.id) : [];
      return { correction: corrections.find(({ id }) => id === row.correction)?.number ?? null };
    },
    async decide(
      row,
      { correction }: { readonly correction: string | null },
    ): Promise<Decision<{ finding: MoneyFinding; correction: string | null }, 'correction_not_agreed'>> {
      if (correction === null) return accept({ finding: 'as_recorded', correction });
      return (await isAgreed(database, row, correction))
        ? accept({ finding: 'corrected', correction })
        : refuse('correction_not_agreed', { field: 'correction' });
    },
    holds: async (transaction, row, { correction }) => correction === null || isAgreed(transaction, row, correction),
    closed: async () => undefined,
  });
}
export type MoneyReview = ReturnType<typeof openMoneyReview>;
