import type { KeyObject } from 'node:crypto';
import { type Money, money, zero } from '@sathorn/money';
import type { SignedText } from '@sathorn/proof';
import {
  type AskedWithdrawalRefusal,
  accept,
  decideWithdrawal,
  type PeopleThresholds,
  refuse,
} from '@sathorn/settlement';
import { customerAccount, type HoldRef, houseAccount, type LoadedKind, type Transfer } from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import { houseAddressesAmong } from '../chain/index.ts';
import { type PaidByHand, storePaidByHandBlock } from './foreign-store.ts';
import {
  advanceStep,
  insertAuthorisation,
  insertWithdrawal,
  lockWithdrawal,
  netAmountOf,
  type RequestedWithdrawal,
  readUsedQuotes,
  STEPS_IN_REVIEW,
  sealRefusal,
  sumWithdrawnSince,
  type WithdrawalReason,
  type WithdrawalRow,
  type WithdrawalStep,
} from './withdrawal-store.ts';

const OUTBOUND = houseAccount('outbound_clearing', 'USDT');
const FEES = houseAccount('fee_income', 'USDT');
const HOT = houseAccount('reserve_hot', 'USDT');
const CAPITAL = houseAccount('house_capital', 'USDT');
const [BANK, BAHT_CAPITAL] = [houseAccount('reserve_bank', 'THB'), houseAccount('house_capital', 'THB')];

type Asked = Omit<RequestedWithdrawal, 'id' | 'hold' | 'fee_hold'>;
export interface RequestWithdrawalCommand {
  readonly withdrawal: Asked;
  readonly dailyMax: Money<'USDT'>;
  /** The channel's minimum. */
  readonly min: Money<'USDT'>;
  readonly dayBegan: Date;
  readonly thresholds: PeopleThresholds;
  /** Signed by the edge after it verified the payment password and the second factor. */
  readonly authorisation: SignedText;
}
interface RequestContext {
  readonly used: Map<bigint, Money<'USDT'>>;
  readonly quotes: Set<string>;
  readonly frozen: ReadonlySet<bigint>;
  /** Those of the receiving addresses that belong to the house. */
  readonly house: ReadonlySet<string>;
}
/** Locks these customers and returns the frozen ones. The lock prevents further freezes until the commit. */
export type LockFrozenCustomers = (transaction: Queries, customers: readonly bigint[]) => Promise<ReadonlySet<bigint>>;
/**
 * Holds the amount and the fee. Today's total and used quotes are read under the ledger's lock, so concurrent requests
 * are decided one after the other.
 */
export const requestWithdrawalKind = (
  lockFrozen: LockFrozenCustomers,
): LoadedKind<RequestWithdrawalCommand, RequestContext, null, AskedWithdrawalRefusal> => ({
  name: 'withdrawals.request',
  customer: ({ withdrawal }) => withdrawal.customer_id,
  accounts: ({ withdrawal }) => [customerAccount(withdrawal.customer_id, 'USDT'), OUTBOUND, FEES],

  async load(transaction, commands, turn) {
    await turn;
    const customers = [...new Set(commands.map(({ withdrawal }) => withdrawal.customer_id))];
    const since = new Date(Math.min(...commands.map(({ dayBegan }) => dayBegan.getTime())));
    const quotes = commands.flatMap(({ withdrawal }) => withdrawal.quote ?? []);
    const wallets = commands.flatMap(({ withdrawal: { chain, address } }) =>
      chain === null || address === null ? [] : [{ chain, address }],
    );
    const [used, spent, frozen, ...houses] = await Promise.all([
      sumWithdrawnSince(transaction, customers, since),
      readUsedQuotes(transaction, quotes),
      lockFrozen(transaction, customers),
      ...[...new Set(wallets.map(({ chain }) => chain))].map((chain) =>
        houseAddressesAmong(
          transaction,
          chain,
          wallets.filter((one) => one.chain === chain).map(({ address }) => address),
        ),
      ),
    ]);
    return { used, quotes: spent, frozen, house: new Set(houses.flatMap((house) => [...house])) };
  },

  decide({ withdrawal, dailyMax, min, thresholds }, funds, { context: { used, quotes, frozen, house } }) {
    const { customer_id: customer, amount, fee, quote, address } = withdrawal;
    const spot = customerAccount(customer, 'USDT');
    const decided = decideWithdrawal(
      {
        amount,
        received: withdrawal.baht ?? netAmountOf(withdrawal),
        people: withdrawal.people,
        isFrozen: frozen.has(customer),
        isHouse: address !== null && house.has(address),
        isQuoteUsed: quote !== null && quotes.has(quote),
        today: used.get(customer) ?? zero('USDT'),
        dailyMax,
        min,
        available: money('USDT', funds.available(spot)),
      },
      thresholds,
    );
    if (!decided.ok) return decided;
    used.set(customer, decided.effect);
    if (quote !== null) quotes.add(quote);
    const transfers: Transfer[] = [
      { kind: 'hold', debit: spot, credit: OUTBOUND, units: netAmountOf(withdrawal).units, code: 'withdrawal' },
    ];
    if (fee.units > 0n)
      transfers.push({ kind: 'hold', debit: spot, credit: FEES, units: fee.units, code: 'withdrawal_fee' });
    return accept({ transfers, answer: null });
  },

  write: (transaction, { accepted }) =>
    accepted.flatMap(({ command: { withdrawal, authorisation }, intent, sequences: [hold, fee_hold = null] }) => {
      if (hold === undefined) throw new Error('a withdrawal lost its hold');
      return [
        insertWithdrawal(transaction, { ...withdrawal, id: intent.id, hold, fee_hold }),
        insertAuthorisation(transaction, intent.id, authorisation),
      ];
    }),
});

/** The holds of a withdrawal: one for the amount and one for the fee, if there is a fee. */
function holdsOf(row: WithdrawalRow): [HoldRef, 'withdrawal' | 'withdrawal_fee'][] {
  const { customer_id, fee, hold, fee_hold } = row;
  const debit = customerAccount(customer_id, 'USDT');
  const holds: [HoldRef, 'withdrawal' | 'withdrawal_fee'][] = [
    [{ sequence: hold, debit, credit: OUTBOUND, units: netAmountOf(row).units }, 'withdrawal'],
  ];
  if (fee_hold !== null) holds.push([{ sequence: fee_hold, debit, credit: FEES, units: fee.units }, 'withdrawal_fee']);
  return holds;
}
const ended = (row: WithdrawalRow, kind: 'post' | 'void'): Transfer[] =>
  holdsOf(row).map(([hold, code]) =>
    kind === 'post' ? { kind, hold, units: hold.units, code } : { kind, hold, code },
  );

export interface WithdrawalMoveCommand {
  readonly id: string;
  readonly at: Date;
}
interface MoveContext {
  /** Rows as read under the lock, updated by the commands that this batch accepts. */
  readonly rows: Map<string, WithdrawalRow>;
  /** The frozen owners; empty for a kind without `lockFrozen`. */
  readonly frozen?: ReadonlySet<bigint>;
}

/** Locks rows after the ledger's head. Every transaction that takes both uses this order, so none deadlock. */
async function loadRows(
  transaction: Queries,
  commands: readonly { readonly id: string }[],
  turn: Promise<unknown>,
): Promise<MoveContext> {
  await turn;
  const rows = new Map<string, WithdrawalRow>();
  for (const id of [...new Set(commands.map((command) => command.id))].sort()) {
    const row = await lockWithdrawal(transaction, id);
    if (row) rows.set(id, row);
  }
  return { rows };
}

const moved = ({ rows }: MoveContext, row: WithdrawalRow, step: WithdrawalStep): void => {
  rows.set(row.id, { ...row, step });
};

/** A movement that changes a withdrawal's step. A refused one moves nothing. */
function moveKind<Command extends WithdrawalMoveCommand, Refusal extends string>(
  name: string,
  {
    from,
    to,
    transfers,
    refusal,
    reason = () => null,
    also = () => [],
    lockFrozen = null,
    isRepeated,
  }: {
    /** Set for kinds that only jobs of the platform post. */
    readonly isRepeated?: true;
    readonly from: readonly WithdrawalStep[];
    readonly to: WithdrawalStep;
    readonly transfers: (row: WithdrawalRow, command: Command) => readonly Transfer[];
    /** Why the withdrawal may not move; null if it may. */
    readonly refusal: (row: WithdrawalRow | undefined, command: Command, frozen: ReadonlySet<bigint>) => Refusal | null;
    /** Set for kinds that are refused when the owner is frozen. Locks the owners and returns the frozen ones. */
    readonly lockFrozen?: LockFrozenCustomers | null;
    readonly reason?: (command: Command) => WithdrawalReason | null;
    readonly also?: (transaction: Queries, command: Command, row: WithdrawalRow) => readonly Promise<unknown>[];
  },
): LoadedKind<Command, MoveContext, null, Refusal> {
  return {
    name,
    ...(isRepeated && { isRepeated }),
    customer: () => null,
    accounts: () => [OUTBOUND, FEES],
    async load(transaction, commands, turn) {
      const { rows } = await loadRows(transaction, commands, turn);
      const owners = [...new Set([...rows.values()].map(({ customer_id: owner }) => owner))];
      return { rows, frozen: (await lockFrozen?.(transaction, owners)) ?? new Set() };
    },
    decide(command, _funds, { context }) {
      const row = context.rows.get(command.id);
      const refused = refusal(row, command, context.frozen ?? new Set());
      if (refused !== null || row === undefined) return refuse(refused as Refusal);
      moved(context, row, to);
      return accept({ transfers: transfers(row, command), answer: null });
    },
    write: (transaction, { accepted, context }) =>
      accepted.flatMap(({ command, intent }) => {
        const row = context.rows.get(command.id);
        if (!row) throw new Error('a withdrawal is lost');
        return [
          ...also(transaction, command, row),
          advanceStep(transaction, command.id, from, to, reason(command), intent.id, command.at),
        ];
      }),
  };
}

const unless =
  <Refusal extends string>(steps: readonly WithdrawalStep[], refusal: Refusal) =>
  (row: WithdrawalRow | undefined): Refusal | null =>
    row && steps.includes(row.step) ? null : refusal;

interface CancelCommand extends WithdrawalMoveCommand {
  readonly customer: bigint;
}
/** The owner cancels before the final decision, and the whole amount and fee are returned at once. */
export const CANCEL_KIND = moveKind<CancelCommand, 'withdrawal_unknown' | 'withdrawal_not_in_review'>(
  'withdrawals.cancel',
  {
    from: STEPS_IN_REVIEW,
    to: 'returned',
    transfers: (row) => ended(row, 'void'),
    refusal: (row, { customer }) =>
      row?.customer_id !== customer
        ? 'withdrawal_unknown'
        : STEPS_IN_REVIEW.includes(row.step)
          ? null
          : 'withdrawal_not_in_review',
    reason: () => 'cancelled',
  },
);

/** Approves a withdrawal that needs no operator, once its delay is over. */
export const approveUnattendedKind = (lockFrozen: LockFrozenCustomers) =>
  moveKind<WithdrawalMoveCommand, 'withdrawal_not_in_review'>('withdrawals.pass', {
    isRepeated: true,
    from: ['first_check'],
    to: 'approved',
    transfers: (row) => ended(row, 'post'),
    // While the account is frozen, nothing is approved automatically: somebody who took over an account could otherwise
    // wait for the end of the delay.
    refusal: (row, _command, frozen) =>
      row?.step === 'first_check' && row.people === 0 && !frozen.has(row.customer_id)
        ? null
        : 'withdrawal_not_in_review',
    lockFrozen,
  });

/** Pays to another customer's deposit address inside the ledger, without the chain. */
export const PAY_INSIDE_KIND = moveKind<WithdrawalMoveCommand, 'withdrawal_not_in_review'>('withdrawals.pay_inside', {
  isRepeated: true,
  from: ['approved'],
  to: 'done',
  transfers: (row) => [
    {
      kind: 'single',
      debit: OUTBOUND,
      credit: customerAccount(row.receiver ?? 0n, 'USDT'),
      units: netAmountOf(row).units,
      code: 'internal_transfer',
    },
  ],
  refusal: (row) => (row?.step === 'approved' && row.receiver !== null ? null : 'withdrawal_not_in_review'),
});

/** The payout is final on the chain. */
export const SENT_KIND = moveKind<WithdrawalMoveCommand, 'withdrawal_not_in_review'>('withdrawals.sent', {
  isRepeated: true,
  from: ['confirming'],
  to: 'done',
  transfers: (row) => [
    { kind: 'single', debit: OUTBOUND, credit: HOT, units: netAmountOf(row).units, code: 'withdrawal_sent' },
  ],
  refusal: unless(['confirming'], 'withdrawal_not_in_review'),
});

const OPEN: readonly WithdrawalStep[] = [...STEPS_IN_REVIEW, 'approved', 'sending', 'sent_unknown', 'confirming'];
/**
 * Completes a withdrawal that was paid on the chain without this database's signer, and posts its remaining hold. The
 * database requires the transaction on the chain and the approval of two people.
 */
export const PAID_BY_HAND_KIND = moveKind<WithdrawalMoveCommand & PaidByHand, 'withdrawal_not_in_review'>(
  'withdrawals.paid_by_hand',
  {
    isRepeated: true,
    from: OPEN,
    to: 'done',
    transfers: (row) => [
      ...(STEPS_IN_REVIEW.includes(row.step) ? ended(row, 'post') : []),
      { kind: 'single', debit: OUTBOUND, credit: HOT, units: netAmountOf(row).units, code: 'withdrawal_sent' },
    ],
    refusal: unless(OPEN, 'withdrawal_not_in_review'),
    also: (transaction, paid) => [storePaidByHandBlock(transaction, paid)],
  },
);

interface ReturnCommand extends WithdrawalMoveCommand {
  readonly reason: WithdrawalReason;
}
/** The transfers of a payout that failed for good after its approval: amount and fee go back to the customer. */
const returned = (row: WithdrawalRow): Transfer[] => {
  const [credit, fee] = [customerAccount(row.customer_id, 'USDT'), row.fee.units];
  const back: Transfer[] = [
    { kind: 'single', debit: OUTBOUND, credit, units: netAmountOf(row).units, code: 'withdrawal_returned' },
  ];
  if (fee > 0n) back.push({ kind: 'single', debit: FEES, credit, units: fee, code: 'withdrawal_returned' });
  return back;
};
interface RefusedCommand extends WithdrawalMoveCommand {
  /** The key of the seals on refusals. */
  readonly key: KeyObject;
}
/** The chain refused its transaction, as all nodes say. */
export const RETURN_KIND = moveKind<RefusedCommand, 'withdrawal_not_in_review'>('withdrawals.return', {
  isRepeated: true,
  from: ['confirming'],
  to: 'returned',
  transfers: returned,
  refusal: unless(['confirming'], 'withdrawal_not_in_review'),
  reason: () => 'chain_refused',
  also: (transaction, { key }, row) => [sealRefusal(transaction, row, key)],
});
/** Two people decided that no block will include it, and the chain confirms that. The database requires both. */
export const LOST_KIND = moveKind<ReturnCommand, 'withdrawal_not_in_review'>('withdrawals.lost', {
  isRepeated: true,
  from: ['sending', 'sent_unknown'],
  to: 'returned',
  transfers: returned,
  refusal: unless(['sending', 'sent_unknown'], 'withdrawal_not_in_review'),
  reason: ({ reason }) => reason,
});

/** The bank has paid: the house takes the USDT and gives up the THB. */
const paidByBank = (row: WithdrawalRow): Transfer[] => [
  { kind: 'single', debit: OUTBOUND, credit: CAPITAL, units: netAmountOf(row).units, code: 'withdrawal_exchanged' },
  { kind: 'single', debit: BAHT_CAPITAL, credit: BANK, units: row.baht?.units ?? 0n, code: 'bank_paid' },
];

export { ended, paidByBank, returned };
