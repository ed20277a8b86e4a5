import type { AssetCode } from '@sathorn/money';
import { ACCOUNTS } from './chart.ts';
import type { Balance } from './journal.ts';

/**
 * A customer's funds per asset: available, and held (for options on the spot account, for contracts on `in_orders`).
 */
export function spotFundsOf(
  balances: readonly Balance[],
): Map<AssetCode, { readonly available: bigint; readonly held: bigint }> {
  const funds = new Map<AssetCode, { available: bigint; held: bigint }>();
  for (const { account, available, held } of balances) {
    const { use } = ACCOUNTS[account.name];
    if (use === null) continue;
    const of = funds.get(account.asset) ?? { available: 0n, held: 0n };
    const isKept = use === 'in_orders';
    funds.set(account.asset, {
      available: of.available + (isKept ? 0n : available),
      held: of.held + held + (isKept ? available : 0n),
    });
  }
  return funds;
}
