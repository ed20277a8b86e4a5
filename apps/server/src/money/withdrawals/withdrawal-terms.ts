import { looksLikeAddress, maskedNumber } from '@sathorn/identity';
import { add, formatMoney, isMore, type Money, money, zero } from '@sathorn/money';
import {
  accept,
  type Decision,
  isBelowMinimum,
  leftOfLimit,
  longestWait,
  type PeopleThresholds,
  payeeRefusal,
  peopleNeededFor,
  refuse,
  withdrawalFee,
} from '@sathorn/settlement';
import { houseAddressesAmong } from '../chain/index.ts';
import type { PayeeSnapshot } from '../payees/index.ts';
import { bahtOfNet, dayStartOf, readChannels, type WithdrawalChannel } from './channels.ts';
import { credentialsDelayUntil } from './credentials-delay-until.ts';
import { WITHDRAWAL_SETTINGS } from './withdrawal-settings.ts';
import { type DelayReason, readThresholds, sumWithdrawnSince } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

const { promiseMinutes } = WITHDRAWAL_SETTINGS;

export interface WithdrawalOrder {
  readonly channel: string;
  readonly target: string;
  readonly amount: Money<'USDT'>;
}

/** The terms that a withdrawal would have if it were requested now. */
export interface WithdrawalTerms {
  readonly channel: WithdrawalChannel;
  readonly payee: PayeeSnapshot;
  readonly amount: Money<'USDT'>;
  readonly fee: Money<'USDT'>;
  readonly baht: Money<'THB'> | null;
  readonly people: number;
  readonly thresholds: PeopleThresholds;
  readonly delayedUntil: Date | null;
  readonly delayReason: DelayReason | null;
  readonly promisedAt: Date;
  /** The customer who owns the destination address, if it is one of our deposit addresses. */
  readonly receiver: bigint | null;
  readonly looksLike: string | null;
  readonly dailyMax: Money<'USDT'>;
  readonly dayBegan: Date;
}

type TermsRefusal =
  | 'channel_unknown'
  | 'channel_paused'
  | 'payee_unknown'
  | 'payee_of_another_channel'
  | 'below_minimum'
  | 'above_maximum'
  | 'exceeds_daily_limit'
  | 'exceeds_balance'
  | 'address_of_house';

/** Another payee with a similar address, which an attacker may have created to be confused with it. */
async function lookAlikeOf(
  { payees, database }: WithdrawalsModule,
  customer: bigint,
  payee: PayeeSnapshot,
): Promise<string | null> {
  if (payee.kind !== 'wallet') return null;
  for (const other of await payees.listOf(database, customer))
    if (other.kind === 'wallet' && other.id !== payee.id && looksLikeAddress(other.address, payee.address))
      return other.name;
  return null;
}

/** Returns the current terms of a withdrawal, or refuses. The balance is checked again when it is held. */
export async function withdrawalTermsOf(
  module: WithdrawalsModule,
  customer: bigint,
  { amount, channel: name, target }: WithdrawalOrder,
  now: Date,
): Promise<Decision<WithdrawalTerms, TermsRefusal>> {
  const { database, payees, chain, timeZone, credentialsChangedAt, dailyMaxOf } = module;
  const field = 'amount';
  const channel = (await readChannels(module)).find((one) => one.name === name);
  if (!channel) return refuse('channel_unknown', { field: 'channel' });
  if (channel.paused !== null) return refuse('channel_paused', { field: 'channel' });
  const payee = await payees.snapshotFor(database, customer, target);
  if (!payee) return refuse('payee_unknown', { field: 'target' });
  const { min, max } = channel;
  const isRight =
    channel.kind === 'bank' ? payee.kind === 'card' : payee.kind === 'wallet' && payee.chain === channel.name;
  if (!isRight) return refuse('payee_of_another_channel', { field: 'target' });
  if (isMore(amount, max)) return refuse('above_maximum', { field, params: { max: formatMoney(max) } });

  const began = dayStartOf(now, timeZone);
  const wallet = payee.kind === 'wallet' ? payee.address.toLowerCase() : null;
  const [thresholds, dailyMax, used, changedAt, owners, house, balances] = await Promise.all([
    readThresholds(database),
    dailyMaxOf(database, customer),
    sumWithdrawnSince(database, [customer], began),
    credentialsChangedAt(database, customer),
    wallet !== null && chain ? chain.addresses.ownersOf([wallet]) : new Map<string, bigint>(),
    wallet === null ? new Set<string>() : houseAddressesAmong(database, channel.name, [wallet]),
    module.ledger.balances(customer),
  ]);
  const spot = balances.find(({ account }) => account.name === 'spot' && account.asset === 'USDT');
  const available = money('USDT', spot?.available ?? 0n);
  const [owner] = [...owners.values()];
  const receiver = owner ?? null;
  const fee = receiver === null ? withdrawalFee(channel.fee, amount) : zero('USDT');
  const net = leftOfLimit(amount, fee);
  const baht = bahtOfNet(channel, net);
  if (isBelowMinimum({ amount, min, available, received: baht ?? net }))
    return refuse('below_minimum', { field, params: { min: formatMoney(min) } });
  const before = used.get(customer) ?? zero('USDT');
  const left = leftOfLimit(dailyMax, before);
  if (isMore(amount, left)) return refuse('exceeds_daily_limit', { field, params: { left: formatMoney(left) } });
  if (isMore(amount, available)) return refuse('exceeds_balance', { field });

  const refusal = payeeRefusal({ customer, owner: receiver, isHouse: house.size > 0, isContract: false });
  // A customer cannot save their own deposit address. A saved address that became theirs later is treated as unknown.
  if (refusal !== null) return refuse(refusal === 'address_of_house' ? refusal : 'payee_unknown', { field: 'target' });
  const wait = longestWait<DelayReason>(
    [
      ['new_payee', payee.usableFrom],
      ['credentials_changed', credentialsDelayUntil(changedAt, now)],
    ],
    now,
  );
  const delayedUntil = wait?.until ?? null;
  return accept({
    channel,
    payee,
    amount,
    fee,
    baht,
    people: peopleNeededFor(add(before, amount), thresholds),
    thresholds,
    delayedUntil,
    delayReason: wait?.reason ?? null,
    promisedAt: new Date((delayedUntil ?? now).getTime() + promiseMinutes * 60_000),
    receiver,
    looksLike: await lookAlikeOf(module, customer, payee),
    dailyMax,
    dayBegan: began,
  });
}

/** Shows a wallet in full, and only as much of a card as its owner needs to recognise it. */
export const payeeViewOf = (payee: PayeeSnapshot) =>
  payee.kind === 'wallet'
    ? {
        kind: 'wallet' as const,
        name: payee.name,
        chain: payee.chain,
        address: payee.address,
        bank: null,
        number: null,
        real_name: null,
      }
    : {
        kind: 'card' as const,
        name: payee.name,
        chain: null,
        address: null,
        bank: payee.bank,
        number: maskedNumber(payee.number),
        real_name: payee.realName,
      };
