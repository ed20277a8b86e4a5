import { placeContract } from '@sathorn/api';
import { readContractTicket } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Contracts } from './contracts.ts';

export function placeContractHandler(contracts: Contracts): Handler {
  return handle(placeContract, async ({ customer, request, intent }) => {
    const { code: coin, side, type, price, quantity, amount, tif: timeInForce, post_only: postOnly } = request;
    const ticket = readContractTicket(
      { coin, side, type, price, quantity, amount, timeInForce, postOnly },
      contracts.terms().of(coin),
    );
    return ticket.ok ? contracts.place(customer.id, ticket.effect, intent) : ticket;
  });
}
