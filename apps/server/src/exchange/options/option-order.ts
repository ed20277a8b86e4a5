import type { OptionOrder } from '@sathorn/api';
import {
  COINS,
  formatMoney,
  formatPrice,
  formatRate,
  type Money,
  type Price,
  rateFromBasisPoints,
} from '@sathorn/money';
import { type OptionSettlement, optionWinOf } from '@sathorn/settlement';
import type { BoughtOption, OptionResult } from './option-store.ts';

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
};

export function optionResultOf({ outcome, reason, start, end, profit, fee, credited }: OptionSettlement): OptionResult {
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
  };
}
