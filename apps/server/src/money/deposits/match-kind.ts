import { type DecisionRefusal, matchedText } from '@sathorn/api';
import { sha256, toHex, utf8 } from '@sathorn/proof';
import type { Decision } from '@sathorn/settlement';
import { accept, type MatchRuleRefusal, refuse } from '@sathorn/settlement';
import { customerAccount, type HotKind, houseAccount } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { Approvals, Audit, StepUps } from '../../staff/operators/index.ts';
import { type BankLineRow, isLineOfAnother, readBankLine } from './bank-lines.ts';
import { type DepositRow, isInCorrection, isMatchable, lockDeposit, writeMatch } from './deposit-store.ts';
import { type Earlier, factsOf, lockMatches, readMatchProof } from './match-rule.ts';

const CAPITAL = houseAccount('house_capital', 'USDT');
const [BANK, BAHT] = [houseAccount('reserve_bank', 'THB'), houseAccount('house_capital', 'THB')];

/** The confirmation under which the matcher signed, and the version of the deposit that they saw. */
export interface SignedMatch {
  readonly stepUp: string;
  readonly version: number;
}

/** What the matcher signs: the digest of this line for this deposit. */
export const matchConfirmed = (id: string, line: string, version: number) => ({
  act: 'deposit.match',
  subject: id,
  fingerprint: toHex(sha256(utf8(matchedText({ id, line, version: String(version) })))),
});

export interface MatchCommand {
  readonly id: string;
  readonly version: number;
  readonly line: string;
  /** Units of USDT for what came; `rate` in units of 10^-6 THB per USDT: the order's, or today's for late money. */
  readonly amount: bigint;
  readonly rate: bigint;
  readonly operator: OperatorSession;
  readonly note: string | undefined;
  /** The second operator's approval, where one is needed, with what the first one signed. */
  readonly approval:
    | ({ readonly id: string; readonly fingerprint: string; readonly madeBy: bigint } & SignedMatch)
    | null;
  readonly at: Date;
}
export type MatchRefusal =
  | DecisionRefusal
  | MatchRuleRefusal
  | 'deposit_finished'
  | 'version_stale'
  | 'line_unknown'
  | 'line_used'
  | 'line_of_another'
  | 'house_short';
/** An order with the line that pays it. */
interface Pair {
  readonly row: DepositRow;
  readonly line: BankLineRow;
  readonly signed: SignedMatch;
}
interface MatchContext {
  readonly found: Map<MatchCommand, Decision<Pair, MatchRefusal>>;
}
interface Used {
  readonly ids: Set<string>;
  readonly earlier: Earlier[];
}

/**
 * Turns bank money into USDT: the house takes the THB that came and pays out USDT for exactly that. The bank line, the
 * vote, the transfers and the log entry are one transaction. The database allows each line to be used once.
 */
export function matchKind({
  approvals,
  audit,
  stepUps,
}: {
  readonly approvals: Approvals;
  readonly audit: Audit;
  readonly stepUps: StepUps;
}): HotKind<MatchCommand, MatchContext, null, MatchRefusal> {
  const look = async (
    transaction: Queries,
    command: MatchCommand,
    { ids, earlier }: Used,
  ): Promise<Decision<Pair, MatchRefusal>> => {
    const { id, line: lineId, version, approval, operator } = command;
    const row = await lockDeposit(transaction, id);
    if (!row || !isMatchable(row)) return refuse('deposit_finished');
    if (row.version !== version) return refuse('version_stale');
    const line = await readBankLine(transaction, lineId);
    if (!line) return refuse('line_unknown', { field: 'line' });
    if (line.used_by !== null || ids.has(line.id) || ids.has(id)) return refuse('line_used', { field: 'line' });
    if (await isLineOfAnother(transaction, line.id, id)) return refuse('line_of_another', { field: 'line' });
    // Paid by a correction, from when those paid bank orders.
    if (await isInCorrection(transaction, id)) return refuse('deposit_finished');
    const facts = factsOf(row, line, operator.id);
    const proof = await readMatchProof(transaction, facts, earlier, line.statement);
    if (!proof.ok) return proof;
    let signed: SignedMatch;
    if (approval !== null) {
      signed = approval;
      const { id: approvalId, fingerprint } = approval;
      const voted = await approvals.vote(transaction, { id: approvalId, operator, fingerprint, decision: 'approve' });
      if (!voted.ok) return voted;
    } else {
      // It was below the sum when the operator was asked, and another match came first.
      if (proof.effect === 'two_people') return refuse('version_stale');
      const confirmed = await stepUps.sign(transaction, operator, matchConfirmed(id, line.id, version));
      if (!confirmed.ok) return confirmed;
      signed = { stepUp: confirmed.effect, version };
    }
    ids.add(line.id).add(id);
    earlier.push({
      ...facts,
      line: line.id,
      matcher: operator.id,
      isAlone: approval === null,
      statement: line.statement,
    });
    return accept({ row, line, signed });
  };

  return {
    name: 'deposits.match',
    customer: (() => null) as HotKind<MatchCommand, MatchContext, null, MatchRefusal>['customer'],
    accounts: () => [CAPITAL],
    async load(transaction, commands, turn) {
      await turn;
      const found: MatchContext['found'] = new Map();
      const used: Used = { ids: new Set(), earlier: [] };
      await lockMatches(transaction);
      for (const command of commands) found.set(command, await look(transaction, command, used));
      return { found };
    },
    decide(command, funds, { context }) {
      const found = context.found.get(command);
      if (!found) throw new Error('a match was not looked at');
      if (!found.ok) return found;
      const { amount } = command;
      if (amount > funds.available(CAPITAL)) return refuse('house_short');
      const { row, line } = found.effect;
      return accept({
        transfers: [
          { kind: 'single', debit: BANK, credit: BAHT, units: line.amount, code: 'bank_received' },
          {
            kind: 'single',
            debit: CAPITAL,
            credit: customerAccount(row.customer_id, 'USDT'),
            units: amount,
            code: 'deposit',
          },
        ],
        answer: null,
      });
    },
    write: (transaction, { accepted, context }) =>
      accepted.flatMap(({ command, intent }) => {
        const found = context.found.get(command);
        if (!found?.ok) throw new Error('a match was accepted that was refused');
        return [
          writeMatch(transaction, command, {
            line: command.line,
            amount: command.amount,
            rate: command.rate,
            journal: intent.id,
            at: command.at,
            by: command.approval?.madeBy ?? command.operator.id,
            approval: command.approval && { id: command.approval.id, by: command.operator.id },
            signed: found.effect.signed,
          }),
          audit.append(transaction, {
            operator: command.operator,
            what: 'deposit.matched',
            on: { kind: 'deposit', id: command.id },
            customer: found.effect.row.customer_id,
            after: {
              line: command.line,
              amount: String(command.amount),
              rate: String(command.rate),
              baht: String(found.effect.line.amount),
              ordered: String(found.effect.row.baht),
            },
            ...(command.note !== undefined && { note: command.note }),
          }),
        ];
      }),
  };
}
