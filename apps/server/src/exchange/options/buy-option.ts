import { buyOption } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Options } from './options.ts';

export function buyOptionHandler(options: Options): Handler {
  return handle(buyOption, ({ customer, request, now, intent }) => {
    const { code: coin, direction, quantity: stake, duration: seconds, nonce = '' } = request;
    return options.buy(
      { customer: customer.id, coin, direction, stake, seconds, nonce, arrivedMs: now.getTime() },
      intent,
    );
  });
}
