import type { YieldFund as FundOnWire } from '@sathorn/api';
import { formatMoney, type Money, money } from '@sathorn/money';
import { FUND_COVER_DAYS, type LiquidityCost, type YieldFund } from '@sathorn/settlement';
import { type Balance, houseAccount } from '../../ledger/index.ts';
import { dateText } from '../../platform/local-day.ts';

export const YIELD_ACCOUNT = houseAccount('yield', 'USDT');
export const YIELD_RESERVED_ACCOUNT = houseAccount('yield_reserved', 'USDT');

export const usdtText = (units: bigint): string => formatMoney(money('USDT', units));

export const availableOfAccount = (balances: readonly Balance[], name: string): Money<'USDT'> =>
  money('USDT', balances.find(({ account }) => account.name === name && account.asset === 'USDT')?.available ?? 0n);

export function yieldFundOnWire(fund: YieldFund, reserved: Money<'USDT'>, { next }: LiquidityCost): FundOnWire {
  const { available, liquidityDaily, isWaiting } = fund;
  return {
    available: usdtText(available),
    reserved: formatMoney(reserved),
    liquidity_daily: usdtText(liquidityDaily),
    days: liquidityDaily === 0n ? null : Number(available / liquidityDaily),
    days_min: FUND_COVER_DAYS,
    waiting: isWaiting && next !== null ? dateText(next.day) : null,
  };
}
