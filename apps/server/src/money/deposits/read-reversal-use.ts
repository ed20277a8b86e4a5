import { formatMoney, type Money } from '@sathorn/money';
import { type ReversalMovement, type ReversalUse, type ReversalUseKind, reversalUseOf } from '@sathorn/settlement';
import { type AvailableChange, customerAccount, type Ledger, type PurposeName } from '../../ledger/index.ts';
import { column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';
import type { DepositRow } from './deposit-store.ts';

/** All other purposes bring money in. */
const CHANGES: Partial<Record<PurposeName, ReversalUseKind>> = {
  option_stake: 'options',
  option_payout: 'options',
  option_fee: 'options',
  contract_hold: 'contracts',
  contract_release: 'contracts',
  contract_trade: 'contracts',
  contract_fee: 'contracts',
  lockup_subscribed: 'earning',
  lockup_matured: 'earning',
  lockup_income: 'earning',
  liquidity_subscribed: 'earning',
  liquidity_redeemed: 'earning',
  liquidity_income: 'earning',
  box_price: 'rewards',
  box_prize: 'rewards',
  withdrawal: 'out',
  withdrawal_fee: 'out',
  withdrawal_returned: 'out',
  withdrawal_found: 'out',
};

/** Groups the steps of one event into one movement: a fee must not look like money that was paid in before. */
function movementsOf(changes: readonly AvailableChange[]): ReversalMovement[] {
  const movements: { readonly journal: string; readonly of: ReversalUseKind; units: bigint }[] = [];
  for (const { journal, code, units } of changes) {
    const of = CHANGES[code] ?? 'in';
    const last = movements.at(-1);
    if (last?.journal === journal && last.of === of) last.units += units;
    else movements.push({ journal, of, units });
  }
  return movements;
}

const LAST = statement(
  'deposits.read_last_reversal',
  'SELECT credit, journal, amount::text AS amount FROM deposits.reversal WHERE deposit_id = $1 ORDER BY round DESC LIMIT 1',
);

/** The customer's gain from a reversed deposit; null if none was reversed, or after too many changes. */
export async function readReversalUse(
  { database, ledger }: { readonly database: Queries; readonly ledger: Pick<Ledger, 'availableBetween'> },
  { id, round, customer_id: customer }: Pick<DepositRow, 'id' | 'round' | 'customer_id'>,
): Promise<ReversalUse | null> {
  if (round === 0) return null;
  const [last] = await database.query<{ credit: string; journal: string; amount: string }>(LAST, [id]);
  if (!last) return null;
  const { credit, journal, amount } = last;
  const found = await ledger.availableBetween(customerAccount(customer, 'USDT'), credit, journal);
  return (
    found && reversalUseOf({ before: found.before, deposit: BigInt(amount), movements: movementsOf(found.changes) })
  );
}

export const usdtText = (amount: Money<'USDT'>): string => `${formatMoney(amount)} USDT`;

const REVERSAL = {
  at: column.time,
  channel: column.computed(
    '(SELECT d.channel FROM deposits.deposit d WHERE d.id = r.deposit_id)',
    column.text<string>(),
  ),
  amount: column.money('USDT'),
  /** The part that the house paid. */
  shortfall: column.money('USDT'),
};
export type PublicReversal = RowOf<typeof REVERSAL>;
const REVERSALS = table<PublicReversal>(REVERSAL);
const SINCE = statement(
  'deposits.read_reversals',
  `SELECT ${REVERSALS.names} FROM deposits.reversal r WHERE at >= $1 ORDER BY at DESC, journal LIMIT 50`,
);
/** The reversals since then, newest first. They are published, so they name no customers. */
export const readReversals = (queries: Queries, since: Date): Promise<PublicReversal[]> =>
  REVERSALS.query(queries, SINCE, [since]);
