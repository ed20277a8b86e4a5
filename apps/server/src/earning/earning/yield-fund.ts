import type { YieldFund as FundOnWire } from '@sathorn/api';
import { formatMoney, money } from '@sathorn/money';
import { COVER_DAYS, mostDaily, type Stage, type YieldFund } from '@sathorn/settlement';
import { type Balance, houseAccount } from '../../ledger/index.ts';
import { dateText } from '../../platform/local-day.ts';
import type { LiquidityCost } from './earning-store.ts';

export const YIELD = houseAccount('yield', 'USDT');
export const YIELD_RESERVED = houseAccount('yield_reserved', 'USDT');

export const usdtText = (units: bigint): string => formatMoney(money('USDT', units));

/** What liquidity costs per day: the last day's income plus an upper bound for later subscriptions. */
export const fundOf = (available: bigint, cost: LiquidityCost, stages: readonly Stage[]): YieldFund => ({
  available,
  liquidityDaily: cost.lastDay + mostDaily(cost.subscribed, stages),
  isWaiting: cost.next !== null && cost.next.units > available,
});

export const availableOf = (balances: readonly Balance[], name: string): bigint =>
  balances.find(({ account }) => account.name === name && account.asset === 'USDT')?.available ?? 0n;

export function fundOnWire(fund: YieldFund, reserved: bigint, { next }: LiquidityCost): FundOnWire {
  const { available, liquidityDaily, isWaiting } = fund;
  return {
    available: usdtText(available),
    reserved: usdtText(reserved),
    liquidity_daily: usdtText(liquidityDaily),
    days: liquidityDaily === 0n ? null : Number(available / liquidityDaily),
    days_min: COVER_DAYS,
    waiting: isWaiting && next !== null ? dateText(next.day) : null,
  };
}
