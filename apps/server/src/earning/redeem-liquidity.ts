import { redeemLiquidity } from '@sathorn/api';
import { type Handler, handle } from '../edge/handle.ts';
import type { Earning } from './open-earning.ts';

export function redeemLiquidityHandler(earning: Earning): Handler {
  return handle(redeemLiquidity, ({ customer, request: { amount, speed, quote = null }, intent }) =>
    earning.redeem({ customer: customer.id, amount, speed, quote }, intent),
  );
}
