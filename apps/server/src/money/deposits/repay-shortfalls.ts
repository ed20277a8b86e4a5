import { uuidOfName } from '../../ledger/index.ts';
import type { repayKind } from './deposit-kinds.ts';
import type { DepositsModule } from './deposits.ts';
import { readShortfalls } from './shortfall-store.ts';

/**
 * Takes available money from customers who owe the house for a reversed deposit. The freeze ends with the last unit of
 * the debt.
 */
export async function repayShortfalls(
  { database, ledger, messages }: Pick<DepositsModule, 'database' | 'ledger' | 'messages'>,
  kind: ReturnType<typeof repayKind>,
  now: Date,
): Promise<void> {
  for (const { customer_id: customer, owed, paid } of await readShortfalls(database)) {
    const balances = await ledger.balances(customer);
    const spot = balances.find(({ account }) => account.name === 'spot' && account.asset === 'USDT');
    if ((spot?.available ?? 0n) <= 0n) continue;
    // The id contains the number of the repayment, so none is posted twice.
    const id = uuidOfName(`repay ${customer} ${paid} ${owed.units}`);
    const posted = await ledger.post(kind, { customer, owed, at: now }, { id, digest: kind.name });
    if (posted.ok && BigInt(posted.effect.units) === owed.units)
      await messages.send(customer, 'shortfall_repaid', {}, now, `repaid ${id}`);
  }
}
