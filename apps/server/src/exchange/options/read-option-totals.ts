import { readOptionTotals } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Options } from './options.ts';

export function readOptionTotalsHandler(options: Options): Handler {
  return handle(readOptionTotals, async ({ customer, now }) => accept(await options.totals(customer.id, now)));
}
