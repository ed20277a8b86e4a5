import { formatMoney, formatRate, rateFromBasisPoints } from '@sathorn/money';
import type { LevelsModule } from './levels.ts';

const shareOf = (bps: number | undefined): string => formatRate(rateFromBasisPoints(BigInt(bps ?? 0)));

/** The benefits of a level: the fees of contracts, and the daily withdrawal limit with advanced certification. */
export function viewBenefits(
  level: number,
  module: LevelsModule,
): { maker: string; taker: string; withdrawal_daily_max: string } {
  const fees = module.fees()[level];
  const { levels, daily } = module.terms();
  const vip = levels.find((other) => other.level === level);
  return {
    maker: shareOf(fees?.makerBps),
    taker: shareOf(fees?.takerBps),
    withdrawal_daily_max: formatMoney(vip?.withdrawalDailyMax ?? daily.advanced),
  };
}
