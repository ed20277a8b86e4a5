import { formatMoney, formatRate, rateFromBasisPoints } from '@sathorn/money';
import type { LevelRoom } from './open-levels.ts';

const shareOf = (bps: number | undefined): string => formatRate(rateFromBasisPoints(BigInt(bps ?? 0)));

/** What a level brings: fees of contracts, and the daily limit of withdrawals with advanced certification. */
export function viewBenefits(
  level: number,
  room: LevelRoom,
): { maker: string; taker: string; withdrawal_daily_max: string } {
  const fees = room.fees()[level];
  const { levels, daily } = room.terms();
  const vip = levels.find((other) => other.level === level);
  return {
    maker: shareOf(fees?.makerBps),
    taker: shareOf(fees?.takerBps),
    withdrawal_daily_max: formatMoney(vip?.withdrawalDailyMax ?? daily.advanced),
  };
}
