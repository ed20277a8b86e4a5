import { listWithdrawalRates } from '@sathorn/api';
import { formatMoney, zero } from '@sathorn/money';
import { accept, leftOfLimit } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { channelChainView, channelFeeView, channelRateView, dayStartOf, readChannels } from './channels.ts';
import { WITHDRAWAL_SETTINGS } from './withdrawal-settings.ts';
import { readMedianMinutes, readThresholds, sumWithdrawnSince } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

const { promiseMinutes } = WITHDRAWAL_SETTINGS;
const DAY_MS = 24 * 3_600_000;

export function listWithdrawalRatesHandler(module: WithdrawalsModule): Handler {
  const { database, timeZone, dailyMaxOf, chain } = module;
  return handle(listWithdrawalRates, async ({ customer: { id: customer }, now }) => {
    const [channels, thresholds, dailyMax, used] = await Promise.all([
      readChannels(module),
      readThresholds(database),
      dailyMaxOf(database, customer),
      sumWithdrawnSince(database, [customer], dayStartOf(now, timeZone)),
    ]);
    const left = leftOfLimit(dailyMax, used.get(customer) ?? zero('USDT'));
    return accept(
      await Promise.all(
        channels.map(async (channel) => ({
          channel: channel.name,
          kind: channel.kind,
          chain: channelChainView(module, channel),
          ...channelFeeView(channel),
          rate: channelRateView(channel),
          min: formatMoney(channel.min),
          max: formatMoney(channel.max),
          daily_max: formatMoney(dailyMax),
          left_today: formatMoney(left),
          one_person_from: formatMoney(thresholds.one_person_from),
          two_people_from: formatMoney(thresholds.two_people_from),
          expected_minutes: promiseMinutes,
          median_minutes: await readMedianMinutes(database, channel.name, new Date(now.getTime() - DAY_MS)),
          confirmations: channel.kind === 'crypto' ? (chain?.config.confirmations ?? null) : null,
          state: channel.paused === null ? ('open' as const) : ('paused' as const),
          reason: channel.paused,
        })),
      ),
    );
  });
}
