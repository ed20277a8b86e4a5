import { readEarningBalance } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Earning } from './earning.ts';

export function readEarningBalanceHandler({ balance }: Earning): Handler {
  return handle(readEarningBalance, async ({ customer, request: { type }, now }) =>
    accept(await balance(customer.id, type, now)),
  );
}
