import type { DurationTerms, OptionOrder } from '@sathorn/api';
import {
  COINS,
  formatMoney,
  formatPrice,
  formatRate,
  type Money,
  type Price,
  rateFromBasisPoints,
  subtract,
  zero,
} from '@sathorn/money';
import {
  type OptionSaleTerms,
  type OptionSettlement,
  optionWinOf,
  type SoldOption,
  voidUntilOf,
} from '@sathorn/settlement';
import type { BoughtOption, OptionResult } from './option-store.ts';

export type SaleColumns = Pick<BoughtOption, 'sell_vol_bps' | 'sell_band_bps' | 'sell_spread_bps' | 'sell_closed_ms'>;

/** The terms of selling as the rules read them; null for an option that can't be sold. */
export function saleTermsOf(order: SaleColumns): OptionSaleTerms | null {
  const { sell_vol_bps, sell_band_bps, sell_spread_bps, sell_closed_ms } = order;
  if (sell_vol_bps === null || sell_band_bps === null || sell_spread_bps === null || sell_closed_ms === null)
    return null;
  return {
    volatilityBasisPoints: BigInt(sell_vol_bps),
    bandBasisPoints: BigInt(sell_band_bps),
    spreadBasisPoints: BigInt(sell_spread_bps),
    closedMs: sell_closed_ms,
  };
}

/** The same in the app's format. */
export function saleTermsText(order: SaleColumns): DurationTerms['sale'] | null {
  const sale = saleTermsOf(order);
  return (
    sale && {
      volatility: formatRate(rateFromBasisPoints(sale.volatilityBasisPoints)),
      band: formatRate(rateFromBasisPoints(sale.bandBasisPoints)),
      spread: formatRate(rateFromBasisPoints(sale.spreadBasisPoints)),
      closed_seconds: sale.closedMs / 1_000,
    }
  );
}

/** Absent from an order that can't be sold. */
function saleOf(order: BoughtOption & OptionResult): Pick<OptionOrder, 'sale'> {
  const terms = saleTermsText(order);
  const soldMs = order.status === 'sold' ? order.settled_ms : null;
  return terms ? { sale: { ...terms, sold_at: soldMs === null ? null : new Date(Number(soldMs)).toISOString() } } : {};
}

/** An order in the app's format. */
export function optionOrderOf(order: BoughtOption & OptionResult, isDisputed: boolean): OptionOrder {
  const payout = rateFromBasisPoints(BigInt(order.payout_bps));
  const feeRate = rateFromBasisPoints(BigInt(order.fee_bps));
  const { indexDecimals } = COINS[order.coin];
  const priceText = (price: Price | null): string | null => (price === null ? null : formatPrice(price, indexDecimals));
  const amountText = (amount: Money | null): string | null => amount && formatMoney(amount);
  return {
    id: order.id,
    name: order.coin,
    direction: order.direction,
    quantity: formatMoney(order.stake),
    buy_price: formatMoney(order.stake),
    sell_price: amountText(order.credited),
    start_price: priceText(order.start_price),
    end_price: priceText(order.end_price),
    start_sequence: order.start_sequence?.toString() ?? null,
    end_sequence: order.end_sequence?.toString() ?? null,
    duration: order.duration_ms / 1_000,
    payout: formatRate(payout),
    fee_rate: formatRate(feeRate),
    profit: amountText(order.profit),
    fee: amountText(order.fee),
    win_credit: formatMoney(optionWinOf(order.stake, payout, feeRate).credited),
    start_time: new Date(Number(order.accepted_ms)).toISOString(),
    end_time: new Date(Number(order.ends_ms)).toISOString(),
    status: order.status,
    reason: order.reason,
    disputed: isDisputed,
    origin: order.origin,
    ...saleOf(order),
    ...lateOf(order),
  };
}

/** Says of an order that a late price settled how late it was, and whether its customer may have it void. */
function lateOf(order: OptionResult): Pick<OptionOrder, 'late'> {
  const { start_late_ms: startLateMs, end_late_ms: endLateMs, voided_at: voidedAt } = order;
  if (startLateMs === 0 && endLateMs === 0) return {};
  const until = voidUntilOf({
    status: order.status,
    startLateMs,
    endLateMs,
    settledMs: order.settled_ms === null ? null : Number(order.settled_ms),
    isVoided: voidedAt !== null,
  });
  return {
    late: {
      start_ms: startLateMs,
      end_ms: endLateMs,
      void_until: until === null ? null : new Date(until).toISOString(),
      voided_at: voidedAt?.toISOString() ?? null,
    },
  };
}

export const HOLDING_RESULT: OptionResult = {
  status: 'holding',
  reason: null,
  start_sequence: null,
  start_price: null,
  end_sequence: null,
  end_price: null,
  profit: null,
  fee: null,
  credited: null,
  start_late_ms: 0,
  end_late_ms: 0,
  settled_ms: null,
  voided_at: null,
};

export function optionResultOf(settlement: OptionSettlement, now: Date): OptionResult {
  const { outcome, reason, start, end, profit, fee, credited } = settlement;
  return {
    status: outcome,
    reason,
    start_sequence: start?.sequence ?? null,
    start_price: start?.price ?? null,
    end_sequence: end?.sequence ?? null,
    end_price: end?.price ?? null,
    profit,
    fee,
    credited,
    start_late_ms: start?.lateMs ?? 0,
    end_late_ms: end?.lateMs ?? 0,
    settled_ms: BigInt(now.getTime()),
    voided_at: null,
  };
}

export function soldResultOf({ start, end, credited }: SoldOption, stake: Money<'USDT'>, now: Date): OptionResult {
  return {
    status: 'sold',
    reason: null,
    start_sequence: start.sequence,
    start_price: start.price,
    end_sequence: end.sequence,
    end_price: end.price,
    profit: subtract(credited, stake),
    fee: zero('USDT'),
    credited,
    start_late_ms: start.lateMs ?? 0,
    end_late_ms: end.lateMs ?? 0,
    settled_ms: BigInt(now.getTime()),
    voided_at: null,
  };
}
