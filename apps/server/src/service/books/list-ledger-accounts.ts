import { listLedgerAccounts } from '@sathorn/api';
import { formatMoney, money } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { ACCOUNTS } from '../../ledger/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { BooksDependencies } from './books.ts';

export function listLedgerAccountsHandler({ ledger }: BooksDependencies): Handler {
  return handle(listLedgerAccounts, async ({ request: { asset: wanted } }) => {
    const rows = (await ledger.accountSums()).filter(({ asset }) => wanted === undefined || asset === wanted);
    const assets = [...new Set(rows.map(({ asset }) => asset))];
    return accept({
      items: rows.map(({ account, asset, accounts, units, held }) => ({
        code: ACCOUNTS[account].code,
        name: account,
        asset,
        is_house: ACCOUNTS[account].isHouse,
        rule: ACCOUNTS[account].rule,
        accounts,
        total: formatMoney(money(asset, units)),
        held: formatMoney(money(asset, held)),
      })),
      sums: assets.map((asset) => ({
        asset,
        sum: formatMoney(
          money(
            asset,
            rows.filter((one) => one.asset === asset).reduce((sum, { units }) => sum + units, 0n),
          ),
        ),
      })),
    });
  });
}
