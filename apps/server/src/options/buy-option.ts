import { buyOption } from '@sathorn/api';
import { type Handler, handle } from '../edge/handle.ts';
import type { Options } from './open-options.ts';

export function buyOptionHandler(options: Options): Handler {
  return handle(buyOption, ({ customer, request: { code, direction, quantity, duration }, intent }) =>
    options.buy({ customer: customer.id, coin: code, direction, stake: quantity, seconds: duration }, intent),
  );
}
