import { readBalance } from '@sathorn/api';
import { type AssetCode, formatMoney, money } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../platform/edge/handle.ts';
import type { Ledger } from './ledger.ts';
import { spotFundsOf } from './spot-funds.ts';

export function readBalanceHandler(ledger: Ledger): Handler {
  return handle(readBalance, async ({ customer, now, request: { code } }) => {
    const funds = spotFundsOf(await ledger.balances(customer.id));
    // An account that does not exist yet counts as empty.
    const amounts = (asset: AssetCode): [string, string] => {
      const { available, held } = funds.get(asset) ?? { available: 0n, held: 0n };
      return [formatMoney(money(asset, available)), formatMoney(money(asset, held))];
    };
    const [available, held] = amounts(code);
    const [usdtAvailable, usdtHeld] = amounts('USDT');
    const statement = await ledger.chains?.recentStatementOf(customer.id, now);
    return accept({
      code,
      available,
      held,
      usdt_available: usdtAvailable,
      usdt_held: usdtHeld,
      ...(statement && { statement }),
    });
  });
}
