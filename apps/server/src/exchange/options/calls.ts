import {
  buyOption,
  disputeOption,
  listOptions,
  readOption,
  readOptionBid,
  readOptionTotals,
  sellOption,
  voidOption,
} from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { allowOnAnyClock, type Handler, handle } from '../../platform/edge/handle.ts';
import type { Options } from './options.ts';

export const optionCalls = (options: Options): Handler[] => [
  handle(buyOption, ({ customer, request, now, intent }) => {
    const { code: coin, direction, quantity: stake, duration: seconds, nonce = '', latest = null } = request;
    return options.buy(
      { customer: customer.id, coin, direction, stake, seconds, nonce, latestMs: latest, arrivedMs: now.getTime() },
      intent,
    );
  }),
  handle(sellOption, ({ customer, request: { id, price, tick }, now, intent }) =>
    options.sell({ customer: customer.id, id, price, sequence: BigInt(tick) }, now.getTime(), intent),
  ),
  handle(voidOption, ({ customer, request, intent }) => options.haveVoid(customer.id, request.id, intent)),
  handle(disputeOption, ({ customer, request: { id, reason }, now, language }) =>
    options.dispute(customer.id, id, reason, now, language),
  ),
  ...allowOnAnyClock(
    handle(readOptionBid, ({ customer, request }) => options.bid(customer.id, request.id)),
    handle(readOption, ({ customer, request }) => options.read(customer.id, request.id)),
    handle(listOptions, async ({ customer, request: { status, code, page } }) =>
      accept(await options.list(customer.id, { status, coin: code ?? null, page: page ?? null })),
    ),
    handle(readOptionTotals, async ({ customer, now }) => accept(await options.totals(customer.id, now))),
  ),
];
