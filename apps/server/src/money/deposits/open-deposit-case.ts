import { openDepositCase } from '@sathorn/api';
import { parseMoney } from '@sathorn/money';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { faultOfStaffText } from '../../staff/staff-text.ts';
import { viewDepositCase } from './deposit-case.ts';
import { findDeposit, openNetworkCase } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';
import { networkHashOf } from './network-hash.ts';
import { orderNumberOf } from './order-number.ts';

/**
 * Opens a case for a transfer on a network that the platform does not read. Its opener states all of it, so it changes
 * no balance, and the opener must not take part in a correction that pays it.
 */
export function openDepositCaseHandler(module: DepositsModule): Handler {
  const { database, audit, chain, timeZone, customers, changed } = module;
  return handle(openDepositCase, async ({ request, operator, intent, now }) => {
    const { customer, network, token, amount, words } = request;
    const before = await findDeposit(database, intent.id);
    if (before?.opened_by === operator.id) return accept(await viewDepositCase(module, before, operator));
    if (!(await customers.exists(customer))) return refuse('customer_unknown', { field: 'customer' });
    const fault = faultOfStaffText(words);
    if (fault) return refuse(fault, { field: 'words' });
    if (chain?.config.code === network) return refuse('network_is_read', { field: 'network' });
    const hash = networkHashOf(network, request.hash);
    // Only USDT has a value that a correction can pay.
    const units = token === 'USDT' ? (parseMoney('USDT', amount)?.units ?? null) : 0n;
    if (units === null) return refuse('malformed_request', { field: 'amount' });
    const isNew = await database.transaction(async (transaction) => {
      const opened = await openNetworkCase(transaction, {
        id: intent.id,
        orderNumber: orderNumberOf('D', intent.id, now, timeZone),
        customer,
        network,
        hash,
        token,
        amount,
        units,
        by: operator.id,
        words,
        at: now,
      });
      if (!opened) return false;
      await audit.append(transaction, {
        operator,
        what: 'deposit.case_opened',
        on: { kind: 'deposit', id: intent.id },
        customer,
        after: { network, token, amount, hash },
        note: words,
      });
      return true;
    });
    if (!isNew) return refuse('network_case_exists', { field: 'hash' });
    await changed([intent.id]);
    const row = await findDeposit(database, intent.id);
    if (!row) throw new Error(`case ${intent.id} is gone`);
    return accept(await viewDepositCase(module, row, operator));
  });
}
