import { type DecisionRefusal, matchedText } from '@sathorn/api';
import type { Money } from '@sathorn/money';
import { sha256, toHex, utf8Bytes } from '@sathorn/proof';
import type { Decision } from '@sathorn/settlement';
import { accept, type MatchProof, type MatchRuleRefusal, refuse } from '@sathorn/settlement';
import { customerAccount, houseAccount } from '../../ledger/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { votedKind } from '../../staff/operators/index.ts';
import { type BankLineRow, isLineOfAnotherOrder, readBankLine } from './bank-lines.ts';
import {
  type DepositRow,
  isDepositInCorrection,
  isMatchableDeposit,
  lockDeposit,
  writeDepositMatch,
} from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';
import { lockMatches, matchFactsOf, readMatchProof } from './match-rule.ts';

const CAPITAL = houseAccount('house_capital', 'USDT');
const [BANK, BAHT] = [houseAccount('reserve_bank', 'THB'), houseAccount('house_capital', 'THB')];

/** The confirmation under which the operator signed the match, and the version of the deposit that they saw. */
export interface SignedMatch {
  readonly stepUp: string;
  readonly version: number;
}

/** The content that the operator signs: the digest of this line for this deposit. */
export const matchActOf = (id: string, line: string, version: number) => ({
  act: 'deposit.match',
  subject: id,
  fingerprint: toHex(sha256(utf8Bytes(matchedText({ id, line, version: String(version) })))),
});

interface MatchCommand {
  readonly id: string;
  readonly version: number;
  readonly line: string;
  /** The credit, and its `rate` in 10^-6 THB per USDT: the order's, or today's for late money. */
  readonly amount: Money<'USDT'>;
  readonly rate: bigint;
  readonly operator: OperatorSession;
  readonly note: string | undefined;
  /** The second operator's approval, if one is needed, with the content that the first one signed. */
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
  readonly people: MatchProof;
}

/**
 * Turns bank money into USDT: the house takes the THB that came and pays out the matching USDT. The database allows
 * each line to be used once.
 */
export const matchKind = ({ approvals, audit, stepUps }: Pick<DepositsModule, 'approvals' | 'audit' | 'stepUps'>) =>
  votedKind(audit, {
    name: 'deposits.match',
    accounts: () => [CAPITAL],

    async lock(transaction, { id }: MatchCommand) {
      await lockMatches(transaction);
      return lockDeposit(transaction, id);
    },

    async check(transaction, command, row, funds): Promise<Decision<Pair, MatchRefusal>> {
      const { id, line: lineId, version, operator, amount } = command;
      if (!row || !isMatchableDeposit(row)) return refuse('deposit_finished');
      if (row.version !== version) return refuse('version_stale');
      const line = await readBankLine(transaction, lineId);
      if (!line) return refuse('line_unknown', { field: 'line' });
      if (line.used_by !== null) return refuse('line_used', { field: 'line' });
      if (await isLineOfAnotherOrder(transaction, line.id, id)) return refuse('line_of_another', { field: 'line' });
      // A correction has already paid the order.
      if (await isDepositInCorrection(transaction, id)) return refuse('deposit_finished');
      const proof = await readMatchProof(transaction, matchFactsOf(row, line, operator.id));
      if (!proof.ok) return proof;
      if (amount.units > funds.available(CAPITAL)) return refuse('house_short');
      return accept({ row, line, people: proof.effect });
    },

    /** Returns the signature of the match: the first person's proposal, or this one's own confirmation. */
    async vote(transaction, { approval, operator, version }, { row, line, people }) {
      if (approval !== null) {
        const { id, fingerprint } = approval;
        const voted = await approvals.vote(transaction, { id, operator, fingerprint, decision: 'approve' });
        return voted.ok ? accept<SignedMatch>(approval) : voted;
      }
      // Another match came first, so the sum now needs two people although it did not when the operator confirmed.
      if (people === 'two_people') return refuse('version_stale');
      const confirmed = await stepUps.sign(transaction, operator, matchActOf(row.id, line.id, version));
      return confirmed.ok ? accept<SignedMatch>({ stepUp: confirmed.effect, version }) : confirmed;
    },

    transfers: ({
      command: {
        amount: { units },
      },
      found: { row, line },
    }) => [
      { kind: 'single', debit: BANK, credit: BAHT, units: line.amount.units, code: 'bank_received' },
      { kind: 'single', debit: CAPITAL, credit: customerAccount(row.customer_id, 'USDT'), units, code: 'deposit' },
    ],

    advance: (transaction, { command, cast: signed, journal }) => {
      const { line, amount, rate, at, approval, operator } = command;
      const by = approval?.madeBy ?? operator.id;
      return [
        writeDepositMatch(transaction, command, {
          line,
          amount,
          rate,
          journal,
          at,
          by,
          approval: approval && { id: approval.id, by: operator.id },
          signed,
        }),
      ];
    },

    entry: ({ command: { id, amount, rate }, found: { row, line } }) => ({
      what: 'deposit.matched',
      on: { kind: 'deposit', id },
      customer: row.customer_id,
      after: {
        line: line.id,
        amount: String(amount.units),
        rate: String(rate),
        baht: String(line.amount.units),
        ordered: String(row.baht?.units ?? null),
      },
    }),
  });
