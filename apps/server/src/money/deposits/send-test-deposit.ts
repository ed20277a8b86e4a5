import { sendTestDeposit } from '@sathorn/api';
import { formatDecimal, parseMoney } from '@sathorn/money';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { Semaphore } from '../../platform/semaphore.ts';
import { openLocalToken, RpcFault } from '../chain/index.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import { readOwnDeposit } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';
import { payByTestBank } from './test-bank.ts';

/** Sends a customer test money in a demo. A live deployment does not have this call. */
export function sendTestDepositHandler(module: DepositsModule): Handler {
  const { chain, database } = module;
  /** Only one transfer is sent at a time: the node gives simultaneous ones the same nonce, and refuses the second. */
  const sending = new Semaphore(1);
  return handle(sendTestDeposit, async ({ customer, request }) => {
    const { channel, amount: text, id } = request;
    if (chain?.config.code === channel && chain.config.isLocal) {
      const units = parseMoney('USDT', text ?? '')?.units;
      if (units === undefined) return refuse('malformed_request', { field: 'amount' });
      if (units <= 0n) return refuse('amount_not_positive', { field: 'amount' });
      if (units > DEPOSIT_SETTINGS.demoMax.units)
        return refuse('exceeds_demo_limit', {
          field: 'amount',
          params: { max: formatDecimal(DEPOSIT_SETTINGS.demoMax.units / 1_000_000n, 0), asset: 'USDT' },
        });
      try {
        const to = await chain.addresses.of(customer.id);
        return accept({
          hash: await sending.run(() => openLocalToken(chain.readers[0].rpc).send(to, units)),
          reference: null,
        });
      } catch (error) {
        if (error instanceof RpcFault) return refuse('chain_unavailable');
        throw error;
      }
    }
    if (channel !== 'bank' && channel !== 'promptpay') return refuse('channel_unknown', { field: 'channel' });
    const row = /^[0-9a-f-]{36}$/.test(id ?? '') ? await readOwnDeposit(database, id ?? '', customer.id) : undefined;
    if (!row || row.channel !== channel || row.baht === null || row.reference === null)
      return refuse('deposit_unknown', { field: 'id' });
    if (row.step !== 'awaiting_slip' && row.step !== 'in_review') return refuse('deposit_finished', { field: 'id' });
    await payByTestBank(database, row.baht, row.reference);
    return accept({ hash: null, reference: row.reference });
  });
}
