import { formatDecimal, formatMoney, formatRate, type Money } from '@sathorn/money';
import type { WithdrawalFee } from '@sathorn/settlement';
import { chainViewOf } from '../chain/index.ts';
import { type BahtRate, bahtForUsdt, payOutRate } from '../deposits/index.ts';
import { FIRST_CHANNEL_TERMS } from './withdrawal-settings.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

export interface WithdrawalChannel {
  readonly name: string;
  readonly kind: 'crypto' | 'bank';
  readonly fee: WithdrawalFee;
  /** Units of 10^-6 THB per USDT after the spread; null on a chain. */
  readonly rate: { readonly units: bigint; readonly known: BahtRate } | null;
  /** Why the channel is paused; null while it is open. */
  readonly paused: string | null;
  readonly min: Money<'USDT'>;
  readonly max: Money<'USDT'>;
  readonly spreadBps: bigint;
}

export async function readChannels({
  chain,
  hasBank,
  bahtRate,
  terms,
}: WithdrawalsModule): Promise<WithdrawalChannel[]> {
  const known = await bahtRate();
  const { chainFee, bankFee, ...common } = terms?.() ?? FIRST_CHANNEL_TERMS;
  const { spreadBps } = common;
  const channels: WithdrawalChannel[] = [];
  if (chain)
    channels.push({ ...common, name: chain.config.code, kind: 'crypto', fee: chainFee, rate: null, paused: null });
  channels.push({
    ...common,
    name: 'bank',
    kind: 'bank',
    fee: bankFee,
    rate: known && { units: payOutRate(known, spreadBps), known },
    paused: !hasBank ? 'no_account' : known ? null : 'rate_unknown',
  });
  return channels;
}

/** The baht that the bank pays to the payee; null on a chain. */
export const bahtOfNet = ({ rate }: WithdrawalChannel, net: Money<'USDT'>): Money<'THB'> | null =>
  rate && bahtForUsdt(net, rate.units);

export const channelRateView = ({ rate, spreadBps }: WithdrawalChannel) =>
  rate && {
    currency: 'THB',
    rate: formatDecimal(rate.units, 6),
    spread: formatDecimal(spreadBps, 4),
    source: rate.known.source,
    at: rate.known.at.toISOString(),
  };

export const channelFeeView = ({ fee }: WithdrawalChannel) => ({
  fee_fixed: formatMoney(fee.fixed),
  fee_rate: formatRate(fee.rate),
});

export const channelChainView = ({ chain }: WithdrawalsModule, { kind }: WithdrawalChannel) =>
  kind === 'crypto' && chain ? chainViewOf(chain.config) : null;

/** When the current day began in the brand's time zone. */
export function dayStartOf(now: Date, timeZone: string): Date {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(now);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const sinceMs = ((of('hour') * 60 + of('minute')) * 60 + of('second')) * 1_000 + now.getMilliseconds();
  return new Date(now.getTime() - sinceMs);
}
