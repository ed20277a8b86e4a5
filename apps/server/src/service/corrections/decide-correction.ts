import type { DecisionRefusal } from '@sathorn/api';
import { money } from '@sathorn/money';
import { accept, type CorrectionVoteRefusal, type Decision, decideCorrectionVote, refuse } from '@sathorn/settlement';
import { houseAccount } from '../../ledger/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { votedKind } from '../../staff/operators/index.ts';
import {
  announceCorrection,
  type CorrectionRow,
  finishCorrection,
  isDepositTakenByOthers,
  isTransferUndone,
  lockCorrection,
} from './correction-store.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { isKeptWorthAmount } from './kept-store.ts';
import { correctionHouseOf, correctionMovesOf } from './prepare-correction.ts';

/** How long a debit is announced before it is taken. */
export const DEBIT_NOTICE_MS = 24 * 3_600_000;

export interface CorrectionDecisionCommand {
  /** The row as it was read before the lock. The amount and the accounts never change. */
  readonly row: CorrectionRow;
  readonly version: number;
  readonly fingerprint: string;
  readonly note: string | undefined;
  readonly operator: OperatorSession;
  readonly at: Date;
}
export type CorrectionDecisionRefusal = DecisionRefusal | CorrectionVoteRefusal | 'correction_unknown';

interface Found {
  readonly row: CorrectionRow;
  /** Null for a debit, which is only announced at this point. */
  readonly pays: ReturnType<typeof correctionMovesOf> | null;
}

const accountsOf = (row: CorrectionRow) =>
  correctionMovesOf({
    kind: row.kind,
    customer: row.customer_id,
    asset: row.amount.asset,
    house: correctionHouseOf(row.house),
  });

/**
 * The second person's vote. Where the maker did not sign, the first of two votes moves nothing. The database refuses
 * the new step unless two people agreed to exactly its content.
 */
export const correctionDecisionKind = ({
  approvals,
  audit,
  depositOf,
  depositCorrected,
}: Pick<CorrectionsDependencies, 'approvals' | 'audit' | 'depositOf' | 'depositCorrected'>) =>
  votedKind(audit, {
    name: 'corrections.decide',
    accounts: ({ row: { kind, house, amount } }: CorrectionDecisionCommand) =>
      kind === 'reverse' ? [] : [houseAccount(correctionHouseOf(house), amount.asset)],
    lock: (transaction, { row }) => lockCorrection(transaction, row.id),

    async check(transaction, { version, operator }, row, funds): Promise<Decision<Found, CorrectionDecisionRefusal>> {
      if (!row) return refuse('correction_unknown', { field: 'id' });
      const pays = row.kind === 'reverse' ? null : accountsOf(row);
      const lost = row.deposit === null ? null : await depositOf(row.customer_id, row.deposit);
      const decided = decideCorrectionVote({
        step: row.step,
        isStale: row.version !== version,
        pays: pays && {
          amount: row.amount,
          available: money(row.amount.asset, funds.available(pays.debit)),
        },
        // Checks again under the lock, because the chain may have reversed the credit since the proposal.
        isUndone: row.transfer !== null && (await isTransferUndone(transaction, row.transfer, row.kind)),
        lost:
          row.deposit === null
            ? null
            : {
                isLost: lost?.isLost ?? false,
                isOwn: lost?.openedBy === operator.id,
                isTaken: lost !== null && (await isDepositTakenByOthers(transaction, lost.id)),
              },
        isWorth: row.kept === null || (await isKeptWorthAmount(transaction, row.kept, row.amount)),
      });
      if (!decided.ok) return decided;
      return accept({ row, pays });
    },

    async vote(transaction, { operator, fingerprint }, { row }) {
      const vote = { id: row.approval, operator, fingerprint, decision: 'approve' as const };
      return approvals.vote(transaction, vote);
    },

    transfers: ({ found: { row, pays }, cast: { isDecided } }) =>
      pays && isDecided ? [{ kind: 'single', ...pays, units: row.amount.units }] : [],

    advance(transaction, { command: { at }, found: { row, pays }, cast: { isDecided }, journal }) {
      if (!isDecided) return [];
      return pays
        ? [
            finishCorrection(transaction, row.id, { moved: row.amount, journal, at }),
            ...(row.deposit !== null ? [depositCorrected(transaction, row.deposit, row.amount, at)] : []),
          ]
        : [announceCorrection(transaction, row.id, new Date(at.getTime() + DEBIT_NOTICE_MS))];
    },

    entry: ({ found: { row, pays }, cast: { isDecided }, journal }) => ({
      what: !isDecided ? 'correction.approved' : pays ? 'correction.posted' : 'correction.announced',
      on: { kind: 'correction', id: row.id },
      customer: row.customer_id,
      reason: row.reason,
      after: {
        kind: row.kind,
        asset: row.amount.asset,
        units: String(row.amount.units),
        house: String(row.house),
        journal: pays && isDecided ? journal : null,
      },
    }),
  });
