import { formatDecimal } from '@sathorn/money';
import { accept, refuse } from '@sathorn/settlement';
import type { Queries } from '../database/index.ts';
import { customerAccount, type HoldRef, type HotKind, houseAccount, type Transfer } from '../ledger/index.ts';
import { peopleFor } from './withdrawal-settings.ts';
import {
  advance,
  IN_REVIEW,
  insertWithdrawal,
  lockWithdrawal,
  type RequestedWithdrawal,
  type Thresholds,
  usedQuotes,
  usedSince,
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
export interface RequestCommand {
  readonly withdrawal: Asked;
  /** Units of USDT a day, and when the day began. */
  readonly dailyMax: bigint;
  readonly dayBegan: Date;
  readonly thresholds: Thresholds;
}
interface RequestContext {
  readonly used: Map<bigint, bigint>;
  readonly quotes: Set<string>;
  readonly frozen: ReadonlySet<bigint>;
}
/** Who may not withdraw; nobody is frozen between this and the commit. */
export type LockFrozen = (transaction: Queries, customers: readonly bigint[]) => Promise<ReadonlySet<bigint>>;
export type RequestRefusal = 'exceeds_balance' | 'exceeds_daily_limit' | 'quote_expired' | 'account_frozen';

/**
 * Holds amount and fee. What others took today, and which quotes were used, is read under the ledger's lock: requests
 * that come together are decided one after the other.
 */
export const requestKind = (lockFrozen: LockFrozen): HotKind<RequestCommand, RequestContext, null, RequestRefusal> => ({
  name: 'withdrawals.request',
  customer: ({ withdrawal }) => withdrawal.customer_id,
  accounts: ({ withdrawal }) => [customerAccount(withdrawal.customer_id, 'USDT'), OUTBOUND, FEES],

  async load(transaction, commands, turn) {
    await turn;
    const customers = [...new Set(commands.map(({ withdrawal }) => withdrawal.customer_id))];
    const since = new Date(Math.min(...commands.map(({ dayBegan }) => dayBegan.getTime())));
    const quotes = commands.flatMap(({ withdrawal }) => withdrawal.quote ?? []);
    const [used, spent, frozen] = await Promise.all([
      usedSince(transaction, customers, since),
      usedQuotes(transaction, quotes),
      lockFrozen(transaction, customers),
    ]);
    return { used, quotes: spent, frozen };
  },

  decide({ withdrawal, dailyMax, thresholds }, funds, { context: { used, quotes, frozen }, isFrozen }) {
    const { customer_id: customer, amount, fee, quote } = withdrawal;
    const field = 'amount';
    const spot = customerAccount(customer, 'USDT');
    if (isFrozen || frozen.has(customer)) return refuse('account_frozen');
    if (quote !== null && quotes.has(quote)) return refuse('quote_expired', { field: 'quote' });
    const today = used.get(customer) ?? 0n;
    if (today + amount > dailyMax)
      return refuse('exceeds_daily_limit', {
        field,
        params: { left: formatDecimal(dailyMax > today ? dailyMax - today : 0n, 6) },
      });
    if (amount > funds.available(spot)) return refuse('exceeds_balance', { field });
    // Another of today's came first, and with it this one needs more people than was shown.
    if (peopleFor(today + amount, thresholds) > withdrawal.people) return refuse('quote_expired', { field: 'quote' });
    used.set(customer, today + amount);
    if (quote !== null) quotes.add(quote);
    const transfers: Transfer[] = [
      { kind: 'hold', debit: spot, credit: OUTBOUND, units: amount - fee, code: 'withdrawal' },
    ];
    if (fee > 0n) transfers.push({ kind: 'hold', debit: spot, credit: FEES, units: fee, code: 'withdrawal_fee' });
    return accept({ transfers, answer: null });
  },

  write: (transaction, { accepted }) =>
    accepted.map(({ command: { withdrawal }, intent, sequences: [hold, fee_hold = null] }) => {
      if (hold === undefined) throw new Error('a withdrawal lost its hold');
      return insertWithdrawal(transaction, { ...withdrawal, id: intent.id, hold, fee_hold });
    }),
});

/** The two holds of a withdrawal; one where there is no fee. */
function holdsOf({
  customer_id,
  amount,
  fee,
  hold,
  fee_hold,
}: WithdrawalRow): [HoldRef, 'withdrawal' | 'withdrawal_fee'][] {
  const debit = customerAccount(customer_id, 'USDT');
  const holds: [HoldRef, 'withdrawal' | 'withdrawal_fee'][] = [
    [{ sequence: hold, debit, credit: OUTBOUND, units: amount - fee }, 'withdrawal'],
  ];
  if (fee_hold !== null) holds.push([{ sequence: fee_hold, debit, credit: FEES, units: fee }, 'withdrawal_fee']);
  return holds;
}
const ended = (row: WithdrawalRow, kind: 'post' | 'void'): Transfer[] =>
  holdsOf(row).map(([hold, code]) =>
    kind === 'post' ? { kind, hold, units: hold.units, code } : { kind, hold, code },
  );

export interface MoveCommand {
  readonly id: string;
  readonly at: Date;
}
interface MoveContext {
  /** As they are under the lock; changed by what this batch accepts. */
  readonly rows: Map<string, WithdrawalRow>;
  /** Of their owners; empty for a kind that doesn't ask. */
  readonly frozen?: ReadonlySet<bigint>;
}

/** Rows are locked behind the ledger's head, always: whoever takes both takes them in this order. */
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

/** A withdrawal that was made for nothing leaves a trace in the log only; one that was refused moves nothing. */
function moveKind<Command extends MoveCommand, Refusal extends string>(
  name: string,
  {
    from,
    to,
    transfers,
    refusal,
    reason = () => null,
    also = () => [],
    lockFrozen = null,
  }: {
    readonly from: readonly WithdrawalStep[];
    readonly to: WithdrawalStep;
    readonly transfers: (row: WithdrawalRow, command: Command) => readonly Transfer[];
    /** Null when this one may move. */
    readonly refusal: (row: WithdrawalRow | undefined, command: Command, frozen: ReadonlySet<bigint>) => Refusal | null;
    /** Where owners who are frozen matter. */
    readonly lockFrozen?: LockFrozen | null;
    readonly reason?: (command: Command) => WithdrawalReason | null;
    readonly also?: (transaction: Queries, command: Command, row: WithdrawalRow) => readonly Promise<unknown>[];
  },
): HotKind<Command, MoveContext, null, Refusal> {
  return {
    name,
    customer: (() => null) as HotKind<Command, MoveContext, null, Refusal>['customer'],
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
          advance(transaction, command.id, from, to, reason(command), intent.id, command.at),
        ];
      }),
  };
}

const unless =
  <Refusal extends string>(steps: readonly WithdrawalStep[], refusal: Refusal) =>
  (row: WithdrawalRow | undefined): Refusal | null =>
    row && steps.includes(row.step) ? null : refusal;

export interface CancelCommand extends MoveCommand {
  readonly customer: bigint;
}
/** By its owner, while nobody has decided for good: all of it is back at once. */
export const CANCEL = moveKind<CancelCommand, 'withdrawal_unknown' | 'withdrawal_not_in_review'>('withdrawals.cancel', {
  from: IN_REVIEW,
  to: 'returned',
  transfers: (row) => ended(row, 'void'),
  refusal: (row, { customer }) =>
    row?.customer_id !== customer
      ? 'withdrawal_unknown'
      : IN_REVIEW.includes(row.step)
        ? null
        : 'withdrawal_not_in_review',
  reason: () => 'cancelled',
});

/** One that needs nobody: it passes by itself when its time has come. */
export const passKind = (lockFrozen: LockFrozen) =>
  moveKind<MoveCommand, 'withdrawal_not_in_review'>('withdrawals.pass', {
    from: ['first_check'],
    to: 'approved',
    transfers: (row) => ended(row, 'post'),
    // Whoever took over an account waits for exactly this: while it is frozen nothing passes by itself.
    refusal: (row, _command, frozen) =>
      row?.step === 'first_check' && row.people === 0 && !frozen.has(row.customer_id)
        ? null
        : 'withdrawal_not_in_review',
    lockFrozen,
  });

/** To another customer's deposit address: it never leaves, and needs no chain. */
export const PAY_INSIDE = moveKind<MoveCommand, 'withdrawal_not_in_review'>('withdrawals.pay_inside', {
  from: ['approved'],
  to: 'done',
  transfers: ({ receiver, amount, fee }) => [
    {
      kind: 'single',
      debit: OUTBOUND,
      credit: customerAccount(receiver ?? 0n, 'USDT'),
      units: amount - fee,
      code: 'internal_transfer',
    },
  ],
  refusal: (row) => (row?.step === 'approved' && row.receiver !== null ? null : 'withdrawal_not_in_review'),
});

/** The chain has it for good. */
export const SENT = moveKind<MoveCommand, 'withdrawal_not_in_review'>('withdrawals.sent', {
  from: ['confirming'],
  to: 'done',
  transfers: ({ amount, fee }) => [
    { kind: 'single', debit: OUTBOUND, credit: HOT, units: amount - fee, code: 'withdrawal_sent' },
  ],
  refusal: unless(['confirming'], 'withdrawal_not_in_review'),
});

export interface ReturnCommand extends MoveCommand {
  readonly reason: WithdrawalReason;
}
/** It was approved, and failed for good: amount and fee are the customer's again. */
const returned = ({ customer_id, amount, fee }: WithdrawalRow): Transfer[] => {
  const credit = customerAccount(customer_id, 'USDT');
  const back: Transfer[] = [
    { kind: 'single', debit: OUTBOUND, credit, units: amount - fee, code: 'withdrawal_returned' },
  ];
  if (fee > 0n) back.push({ kind: 'single', debit: FEES, credit, units: fee, code: 'withdrawal_returned' });
  return back;
};
export const RETURN = moveKind<ReturnCommand, 'withdrawal_not_in_review'>('withdrawals.return', {
  from: ['confirming'],
  to: 'returned',
  transfers: returned,
  refusal: unless(['confirming'], 'withdrawal_not_in_review'),
  reason: ({ reason }) => reason,
});
/** Two people said that no block will have it, and the chain shows it: the database looks for both. */
export const LOST = moveKind<ReturnCommand, 'withdrawal_not_in_review'>('withdrawals.lost', {
  from: ['sending', 'sent_unknown'],
  to: 'returned',
  transfers: returned,
  refusal: unless(['sending', 'sent_unknown'], 'withdrawal_not_in_review'),
  reason: ({ reason }) => reason,
});

/** The bank has paid: the house takes the USDT, and its THB went out. */
const paidByBank = ({ amount, fee, baht }: WithdrawalRow): Transfer[] => [
  { kind: 'single', debit: OUTBOUND, credit: CAPITAL, units: amount - fee, code: 'withdrawal_exchanged' },
  { kind: 'single', debit: BAHT_CAPITAL, credit: BANK, units: baht ?? 0n, code: 'bank_paid' },
];

export { ended, loadRows, type MoveContext, paidByBank, returned };
