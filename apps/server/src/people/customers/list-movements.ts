import type { listAccountRecords, ResultOf } from '@sathorn/api';
import { formatDecimal } from '@sathorn/money';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import { customerAccount } from '../../ledger/index.ts';
import type { CustomersModule, MoneyMovement, MovementLists, MovementPlace } from './customers.ts';

const PAGE_SIZE = 20;
const PAGE_NUMBER_MAX = 50;

type Item = ResultOf<typeof listAccountRecords>['items'][number];
interface Asked {
  readonly setup: 'recharge' | 'withdraw';
  readonly status?: 'all' | 'completed' | 'undone' | undefined;
  readonly id?: string | undefined;
  readonly page?: string | undefined;
}

/** Encodes a uuid in the format of a page's `next`. */
const sealed = (id: string): string => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
function opened(page: string): string {
  const hex = Buffer.from(page, 'base64url').toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

/** The balance after the last transfer of a deposit or withdrawal; null if it has not moved money. */
async function balanceAfter(
  { ledger }: Pick<CustomersModule, 'ledger'>,
  customer: bigint,
  { journal, hold }: MoneyMovement<unknown>,
): Promise<string | null> {
  const transfers = journal !== null ? await ledger.transfersOf([journal]) : [];
  const ends = hold !== null ? await ledger.transfersOfHolds([hold]) : [];
  const moved = [...transfers, ...ends.filter(({ kind }) => kind === 'post')];
  const last = moved.at(-1);
  if (last === undefined) return null;
  const [line] = await ledger.statement(customerAccount(customer, 'USDT'), 'all', last.sequence + 1n, 1);
  return line ? formatDecimal(line.after, 6) : null;
}

/** Deposits or withdrawals as a list, including pending ones. */
export async function listMovements(
  module: Pick<CustomersModule, 'ledger'>,
  { deposits, withdrawals }: MovementLists,
  customer: bigint,
  { setup, status = 'all', id, page = '' }: Asked,
): Promise<Decision<ResultOf<typeof listAccountRecords>, 'malformed_request'>> {
  const of = setup === 'recharge' ? deposits : withdrawals;
  const itemOf = async (
    movement: MoneyMovement<{ id: string; amount: string; order_number: string }>,
  ): Promise<Item> => ({
    id: movement.record.id,
    kind: setup === 'recharge' ? 'deposit' : 'withdrawal',
    asset: 'USDT',
    amount: setup === 'recharge' ? movement.record.amount : `-${movement.record.amount}`,
    balance_after: await balanceAfter(module, customer, movement),
    ref: movement.record.order_number,
    at: movement.at.toISOString(),
    ...(setup === 'recharge'
      ? { deposit: movement.record as NonNullable<Item['deposit']> }
      : { withdrawal: movement.record as NonNullable<Item['withdrawal']> }),
  });
  if (id !== undefined) {
    const found = isUuid(id) ? await of.read(customer, id) : null;
    return accept({ items: found ? [await itemOf(found)] : [], next: null });
  }
  const isNumber = /^[0-9]{0,9}$/.test(page);
  const number = isNumber ? Math.max(Number(page), 1) : 1;
  if (number > PAGE_NUMBER_MAX) return accept({ items: [], next: null });
  let after: MovementPlace | null = null;
  if (!isNumber) {
    const last = await of.read(customer, opened(page));
    if (last === null) return refuse('malformed_request', { field: 'page' });
    after = { at: last.at, id: last.record.id };
  }
  const found = await of.list(customer, status, after, (number - 1) * PAGE_SIZE, PAGE_SIZE + 1);
  const shown = found.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  return accept({
    items: await Promise.all(shown.map(itemOf)),
    next: found.length > PAGE_SIZE && last ? sealed(last.record.id) : null,
  });
}
