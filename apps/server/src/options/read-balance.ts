import { readBalance } from '@sathorn/api';
import { type AssetCode, formatMoney, money } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/handle.ts';
import type { Ledger } from '../ledger/index.ts';

export function readBalanceHandler(ledger: Ledger): Handler {
  return handle(readBalance, async ({ customer, request: { code } }) => {
    const balances = await ledger.balances(customer.id);
    // An account that was never used has nothing in it.
    const amounts = (asset: AssetCode): [string, string] => {
      const spot = balances.find(({ account }) => account.name === 'spot' && account.asset === asset);
      return [formatMoney(money(asset, spot?.available ?? 0n)), formatMoney(money(asset, spot?.held ?? 0n))];
    };
    const [available, held] = amounts(code);
    const [usdtAvailable, usdtHeld] = amounts('USDT');
    return accept({ code, available, held, usdt_available: usdtAvailable, usdt_held: usdtHeld });
  });
}
