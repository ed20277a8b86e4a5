import type { DecisionRefusal } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { HotKind } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
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
  readonly id: string;
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

interface Outcome {
  readonly row: CorrectionRow;
  /** Null for a debit: it is announced, and moves nothing yet. */
  readonly pays: ReturnType<typeof movesOf> | null;
}
interface DecideContext {
  readonly outcomes: Map<DecideCommand, Decision<Outcome, DecideRefusal>>;
}

const accountsOf = (row: CorrectionRow) =>
  movesOf({ kind: row.kind, customer: row.customer_id, asset: row.asset, house: houseOf(row.house) });

/**
 * The second person's vote, the transfer and the log entry are one transaction, under the ledger's lock. The database
 * refuses the row's new step unless two people agreed to exactly its content.
 */
export function decideKind({
  approvals,
  audit,
  ledger,
  depositOf,
  depositCorrected,
}: Pick<CorrectionsDependencies, 'approvals' | 'audit' | 'ledger' | 'depositOf' | 'depositCorrected'>): HotKind<
  DecideCommand,
  DecideContext,
  null,
  DecideRefusal
> {
  const look = async (
    transaction: Queries,
    { id, version, fingerprint, operator }: DecideCommand,
    decidedHere: Set<string>,
  ): Promise<Decision<Outcome, DecideRefusal>> => {
    const row = await lockCorrection(transaction, id);
    if (!row) return refuse('correction_unknown', { field: 'id' });
    if (row.step !== 'proposed' || decidedHere.has(id)) return refuse('correction_decided');
    if (row.version !== version) return refuse('version_stale');
    const pays = row.kind === 'reverse' ? null : accountsOf(row);
    if (pays) {
      // Read before the vote is cast: a vote cannot be taken back. Nobody else posts while the lock is held.
      const house = (await ledger.balances(0n)).find(
        ({ account }) => account.name === pays.debit.name && account.asset === row.asset,
      );
      if ((house?.available ?? 0n) < row.units) return refuse('account_short');
    }
    // Looked at again under the lock: since the proposal the chain may have taken the credit back.
    if (row.transfer !== null && (await isUndone(transaction, row.transfer, row.kind)))
      return refuse('already_corrected');
    if (row.deposit !== null) {
      const lost = await depositOf(row.customer_id, row.deposit);
      if (!lost?.isLost) return refuse('deposit_not_lost');
      if (lost.openedBy === operator.id) return refuse('conflict_of_interest');
      if (await isTakenByOthers(transaction, lost.id)) return refuse('already_corrected');
    }
    if (row.kept !== null && !(await isKeptWorth(transaction, row.kept, row.units))) return refuse('kept_nothing_due');
    const voted = await approvals.vote(transaction, { id: row.approval, operator, fingerprint, decision: 'approve' });
    if (!voted.ok) return voted;
    if (!voted.effect.isDecided) throw new Error(`correction ${id} needs more than one vote`);
    decidedHere.add(id);
    return accept({ row, pays });
  };

  return {
    name: 'corrections.decide',
    customer: (() => null) as HotKind<DecideCommand, DecideContext, null, DecideRefusal>['customer'],
    accounts: () => [],
    async load(transaction, commands, turn) {
      await turn;
      const outcomes: DecideContext['outcomes'] = new Map();
      const decided = new Set<string>();
      for (const command of commands) outcomes.set(command, await look(transaction, command, decided));
      return { outcomes };
    },
    decide(command, _funds, { context }) {
      const outcome = context.outcomes.get(command);
      if (!outcome) throw new Error('a decision was not looked at');
      if (!outcome.ok) return outcome;
      const { row, pays } = outcome.effect;
      return accept({ transfers: pays ? [{ kind: 'single', ...pays, units: row.units }] : [], answer: null });
    },
    write: (transaction, { accepted, context }) =>
      accepted.flatMap(({ command, intent }) => {
        const { id, operator, at, note } = command;
        const outcome = context.outcomes.get(command);
        if (!outcome?.ok) throw new Error('a decision is lost');
        const { row, pays } = outcome.effect;
        return [
          pays
            ? finishCorrection(transaction, id, { moved: row.units, journal: intent.id, at })
            : announceCorrection(transaction, id, new Date(at.getTime() + ANNOUNCED_MS)),
          ...(pays && row.deposit !== null ? [depositCorrected(transaction, row.deposit, row.units, at)] : []),
          audit.append(transaction, {
            operator,
            what: pays ? 'correction.posted' : 'correction.announced',
            on: { kind: 'correction', id },
            customer: row.customer_id,
            reason: row.reason,
            after: {
              kind: row.kind,
              asset: row.asset,
              units: String(row.units),
              house: String(row.house),
              journal: pays ? intent.id : null,
            },
            ...(note !== undefined && { note }),
          }),
        ];
      }),
  };
}
