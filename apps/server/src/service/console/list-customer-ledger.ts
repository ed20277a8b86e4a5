import { listCustomerLedger } from '@sathorn/api';
import { formatMoney, money } from '@sathorn/money';
import { accept, refuse } from '@sathorn/settlement';
import { customerAccount } from '../../ledger/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { ConsoleModule } from './console.ts';

const PAGE = 50;

export function listCustomerLedgerHandler({ customers, ledger }: ConsoleModule): Handler {
  return handle(listCustomerLedger, async ({ request: { id, asset, page } }) => {
    if (!(await customers.read(id))) return refuse('customer_unknown', { field: 'id' });
    // An unused account has no lines, and viewing it must not create it.
    const isUsed = (await ledger.balances(id)).some(({ account }) => account.asset === asset);
    if (!isUsed) return accept({ items: [], next: null });
    const before = page ? BigInt(page) || null : null;
    const lines = await ledger.statement(customerAccount(id, asset), 'all', before, PAGE);
    const last = lines.length === PAGE ? lines.at(-1) : undefined;
    return accept({
      items: lines.map(({ transfer, change, after }) => ({
        sequence: String(transfer.sequence),
        at: transfer.at.toISOString(),
        purpose: transfer.code,
        amount: formatMoney(money(asset, change)),
        after: formatMoney(money(asset, after)),
        journal: transfer.journal,
      })),
      next: last ? String(last.transfer.sequence) : null,
    });
  });
}
