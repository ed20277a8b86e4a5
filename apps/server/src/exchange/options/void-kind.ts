import { type Money, money } from '@sathorn/money';
import { accept, decideVoid, type SettledOption, type VoidRefusal } from '@sathorn/settlement';
import { customerAccount, houseAccount, type LoadedKind } from '../../ledger/index.ts';
import { insertVoidings, readVoidable } from './option-store.ts';

interface VoidCommand {
  readonly customer: bigint;
  readonly order: string;
}

interface VoidContext {
  /** The commands' own orders by id. One that this batch has voided counts as void for the commands after it. */
  readonly orders: Map<string, SettledOption & { readonly customer: bigint }>;
  /** What goes back, by intent. */
  readonly returned: Map<string, Money<'USDT'>>;
}

const POOL = houseAccount('options_pool', 'USDT');

/**
 * Returns the stake of a lost option that a late price settled, because its customer asks for it. Nobody's account may
 * stop this: it moves no money of the customer's.
 */
export const VOID_KIND: LoadedKind<VoidCommand, VoidContext, null, VoidRefusal> = {
  name: 'options.void',
  customer: () => null,
  accounts: ({ customer }) => [customerAccount(customer, 'USDT'), POOL],

  async load(transaction, commands) {
    const rows = await readVoidable(
      transaction,
      commands.map(({ order }) => order),
    );
    return { orders: new Map(rows.map(({ id, ...order }) => [id, order])), returned: new Map() };
  },

  decide({ customer, order: id }, funds, { context: { orders, returned }, now, intent }) {
    const found = orders.get(id);
    const order = found?.customer === customer ? found : undefined;
    const poolAvailable = money('USDT', funds.available(POOL));
    const decided = decideVoid({ order, nowMs: now.getTime(), poolAvailable });
    if (!decided.ok) return decided;
    if (found !== undefined) orders.set(id, { ...found, isVoided: true });
    returned.set(intent.id, decided.effect);
    const credit = customerAccount(customer, 'USDT');
    return accept({
      transfers: [{ kind: 'single', debit: POOL, credit, units: decided.effect.units, code: 'option_void' }],
      answer: null,
    });
  },

  write(transaction, { accepted, context: { returned } }) {
    const rows = accepted.map(({ command, intent, sequences: [transfer] }) => {
      const amount = returned.get(intent.id);
      if (amount === undefined || transfer === undefined) throw new Error(`order ${command.order} lost its repayment`);
      return { order_id: command.order, customer_id: command.customer, units: amount, journal: intent.id, transfer };
    });
    return rows.length === 0 ? [] : [insertVoidings(transaction, rows)];
  },
};
