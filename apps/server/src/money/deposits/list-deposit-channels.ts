import { type DepositChannel, listDepositChannels } from '@sathorn/api';
import { formatDecimal, formatMoney } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { chainViewOf, checksumAddressOf, RpcFault } from '../chain/index.ts';
import { payInRate } from './bank-rails.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import { bankViewOf } from './deposit-view.ts';
import type { DepositsModule } from './deposits.ts';

const { chainMin, chainMax, bahtMin, bahtMax, spreadBps, chainMinutes, bankMinutes } = DEPOSIT_SETTINGS;

export function listDepositChannelsHandler({ chain, banks, bahtRate }: DepositsModule): Handler {
  return handle(listDepositChannels, async ({ customer }) => {
    const channels: DepositChannel[] = [];
    if (chain) {
      // Null after a restoration, when a new address may be another customer's, or without an answer of the chain.
      const address = await chain.addresses.find(customer.id).catch((error: unknown) => {
        if (error instanceof RpcFault) return null;
        throw error;
      });
      channels.push({
        channel: chain.config.code,
        kind: 'crypto',
        chain: chainViewOf(chain.config),
        address: address && checksumAddressOf(address),
        bank: null,
        min: formatMoney(chainMin),
        max: formatMoney(chainMax),
        rate: null,
        confirmations: chain.config.confirmations,
        expected_minutes: chainMinutes,
        state: address === null ? 'paused' : 'open',
        reason: address === null ? 'no_address' : null,
      });
    }
    const rate = await bahtRate();
    await banks.refresh();
    const bank = banks.forCustomer(customer.id);
    for (const kind of ['promptpay', 'bank'] as const)
      channels.push({
        channel: kind,
        kind,
        chain: null,
        address: null,
        bank: kind === 'bank' && bank ? bankViewOf(bank) : null,
        min: formatMoney(bahtMin),
        max: formatMoney(bahtMax),
        rate: rate && {
          currency: 'THB',
          rate: formatDecimal(payInRate(rate, spreadBps), 6),
          spread: formatDecimal(spreadBps, 4),
          source: rate.source,
          at: rate.at.toISOString(),
        },
        confirmations: null,
        expected_minutes: bankMinutes,
        state: rate && bank ? 'open' : 'paused',
        reason: rate && bank ? null : bank ? 'rate_unknown' : 'no_account',
      });
    return accept(channels);
  });
}
