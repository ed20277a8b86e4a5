import type { ContractOrder } from '@sathorn/api';
import type { AnswerMemory } from '../../ledger/index.ts';
import { type ContractCommandResult, contractOrderOf, orderIdOf, readOrderId } from './contract-order.ts';
import { readContractOrders } from './contract-store.ts';

/** Fields of an order that may have changed when the same request is repeated. */
const CHANGING = [
  'id',
  'status',
  'reason',
  'dealt_quantity',
  'dealt_amount',
  'dealt_price',
  'fee',
  'held',
  'updated_at',
] as const satisfies readonly (keyof ContractOrder)[];

/** Fields that never change, stored for the checker, which compares a resting order with its original answer. */
const LASTING = ['side', 'price', 'quantity'] as const satisfies readonly (keyof ContractOrder)[];

/** Changing fields that answers of earlier versions lack, after the others. */
const LATER = ['cut_quantity'] as const satisfies readonly (keyof ContractOrder)[];

/** Rebuilds answers: the order's row has most of one, and its journal the former values of the changing fields. */
export const contractAnswerMemory: AnswerMemory<ContractCommandResult> = {
  keep: (answer) =>
    'dealt_quantity' in answer ? [...CHANGING, ...LASTING, ...LATER].map((name) => answer[name]) : answer,

  async recall(queries, kept) {
    const orders = [...kept].flatMap(([journal, value]) => {
      if (!Array.isArray(value)) return [];
      const names = value.length > CHANGING.length + LASTING.length ? [...CHANGING, ...LASTING, ...LATER] : CHANGING;
      const was = Object.fromEntries(names.map((name, n) => [name, value[n]])) as Partial<ContractOrder>;
      const named = readOrderId(was.id ?? '');
      return named === null ? [] : [{ journal, was, named }];
    });
    if (orders.length === 0) return new Map();
    const rows = await readContractOrders(
      queries,
      orders.map(({ named }) => named),
    );
    const now = new Map(rows.map((row) => [orderIdOf(row), row]));
    return new Map(
      orders.map(({ journal, was }) => {
        const row = now.get(was.id ?? '');
        if (row === undefined) throw new Error(`journal ${journal} names an order that is not there`);
        return [journal, { ...contractOrderOf(row), ...was }];
      }),
    );
  },
};
