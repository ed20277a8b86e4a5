import type { ContractOrder, Fill } from '@sathorn/api';
import { isCoinCode, isMore, parseMoney, parseRate } from '@sathorn/money';
import { contractFee } from '@sathorn/settlement';

export interface ChargeFinding {
  readonly kind: 'charge';
  /** The order. */
  readonly id: string;
  /** `rate`: the order's fee rates are above the published ones. `fee`: a fill's fee is above its order's rate. */
  readonly fault: 'rate' | 'fee';
  readonly foundAt: number;
}

export interface FeeRates {
  readonly maker: string;
  readonly taker: string;
}

const isAbove = (charged: string, published: string): boolean => {
  const [rate, limit] = [parseRate(charged), parseRate(published)];
  return rate !== undefined && limit !== undefined && rate > limit;
};

/** True if an order was accepted with a fee rate above one that the platform publishes. */
export const isRateAbove = (order: ContractOrder, { maker, taker }: FeeRates): boolean =>
  isAbove(order.maker_fee_rate, maker) || isAbove(order.taker_fee_rate, taker);

/** True if a fill cost more than the rate that its order was accepted with. */
export function isFeeAbove(fill: Fill, order: ContractOrder): boolean {
  const { role, side, quantity, amount, code, fee } = fill;
  const rate = parseRate(role === 'maker' ? order.maker_fee_rate : order.taker_fee_rate);
  if (rate === undefined || !isCoinCode(code)) return true;
  const asset = side === 'buy' ? code : 'USDT';
  const [received, charged] = [parseMoney(asset, side === 'buy' ? quantity : amount), parseMoney(asset, fee)];
  if (!received || !charged || fill.fee_asset !== asset) return true;
  return isMore<typeof asset>(charged, contractFee(received, rate));
}
