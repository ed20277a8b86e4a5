import type { DecisionRefusal } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { houseAccount } from '../../ledger/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { votedKind } from '../../staff/operators/index.ts';
import {
  announceCorrection,
  type CorrectionRow,
  finishCorrection,
  isTakenByOthers,
  isUndone,
  lockCorrection,
} from './correction-store.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { isKeptWorth } from './kept-store.ts';
import { houseOf, movesOf } from './prepare.ts';

/** How long before it is taken a debit is announced. */
export const ANNOUNCED_MS = 24 * 3_600_000;

export interface DecideCommand {
  /** As it was read before the lock. What it pays and from where never changes. */
  readonly row: CorrectionRow;
  readonly version: number;
  readonly fingerprint: string;
  readonly note: string | undefined;
  readonly operator: OperatorSession;
  readonly at: Date;
}
export type DecideRefusal =
  | DecisionRefusal
  | 'correction_unknown'
  | 'correction_decided'
  | 'version_stale'
  | 'account_short'
  | 'deposit_not_lost'
  | 'already_corrected'
  | 'kept_nothing_due'
  | 'conflict_of_interest';

interface Found {
  readonly row: CorrectionRow;
  /** Null for a debit: it is announced, and moves nothing yet. */
  readonly pays: ReturnType<typeof movesOf> | null;
}

const accountsOf = (row: CorrectionRow) =>
  movesOf({ kind: row.kind, customer: row.customer_id, asset: row.asset, house: houseOf(row.house) });

/** The second person's vote. The database refuses the new step unless two people agreed to exactly its content. */
export const decideKind = ({
  approvals,
  audit,
  depositOf,
  depositCorrected,
}: Pick<CorrectionsDependencies, 'approvals' | 'audit' | 'depositOf' | 'depositCorrected'>) =>
  votedKind(audit, {
    name: 'corrections.decide',
    accounts: ({ row: { kind, house, asset } }: DecideCommand) =>
      kind === 'reverse' ? [] : [houseAccount(houseOf(house), asset)],
    lock: (transaction, { row }) => lockCorrection(transaction, row.id),

    async check(transaction, { version, operator }, row, funds): Promise<Decision<Found, DecideRefusal>> {
      if (!row) return refuse('correction_unknown', { field: 'id' });
      if (row.step !== 'proposed') return refuse('correction_decided');
      if (row.version !== version) return refuse('version_stale');
      const pays = row.kind === 'reverse' ? null : accountsOf(row);
      if (pays && funds.available(pays.debit) < row.units) return refuse('account_short');
      // Looked at again under the lock: since the proposal the chain may have taken the credit back.
      if (row.transfer !== null && (await isUndone(transaction, row.transfer, row.kind)))
        return refuse('already_corrected');
      if (row.deposit !== null) {
        const lost = await depositOf(row.customer_id, row.deposit);
        if (!lost?.isLost) return refuse('deposit_not_lost');
        if (lost.openedBy === operator.id) return refuse('conflict_of_interest');
        if (await isTakenByOthers(transaction, lost.id)) return refuse('already_corrected');
      }
      if (row.kept !== null && !(await isKeptWorth(transaction, row.kept, row.units)))
        return refuse('kept_nothing_due');
      return accept({ row, pays });
    },

    async vote(transaction, { operator, fingerprint }, { row }) {
      const vote = { id: row.approval, operator, fingerprint, decision: 'approve' as const };
      const counted = await approvals.vote(transaction, vote);
      if (counted.ok && !counted.effect.isDecided) throw new Error(`correction ${row.id} needs more than one vote`);
      return counted;
    },

    transfers: ({ found: { row, pays } }) => (pays ? [{ kind: 'single', ...pays, units: row.units }] : []),

    advance: (transaction, { command: { at }, found: { row, pays }, journal }) =>
      pays
        ? [
            finishCorrection(transaction, row.id, { moved: row.units, journal, at }),
            ...(row.deposit !== null ? [depositCorrected(transaction, row.deposit, row.units, at)] : []),
          ]
        : [announceCorrection(transaction, row.id, new Date(at.getTime() + ANNOUNCED_MS))],

    entry: ({ found: { row, pays }, journal }) => ({
      what: pays ? 'correction.posted' : 'correction.announced',
      on: { kind: 'correction', id: row.id },
      customer: row.customer_id,
      reason: row.reason,
      after: {
        kind: row.kind,
        asset: row.asset,
        units: String(row.units),
        house: String(row.house),
        journal: pays ? journal : null,
      },
    }),
  });
