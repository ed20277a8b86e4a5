import { formatMoney, formatRate, rateFromBasisPoints } from '@sathorn/money';
import { CONTRACT_FEES, VIP_LEVELS, WITHDRAWAL_DAILY_MAX } from '@sathorn/settlement';

const shareOf = (bps: number | undefined): string => formatRate(rateFromBasisPoints(BigInt(bps ?? 0)));

/** What a level grants: the contract fees, and the daily withdrawal limit with advanced certification. */
export function viewBenefits(level: number): { maker: string; taker: string; withdrawal_daily_max: string } {
  const fees = CONTRACT_FEES[level];
  const vip = VIP_LEVELS.find((other) => other.level === level);
  return {
    maker: shareOf(fees?.makerBps),
    taker: shareOf(fees?.takerBps),
    withdrawal_daily_max: formatMoney(vip?.withdrawalDailyMax ?? WITHDRAWAL_DAILY_MAX.advanced),
  };
}
