import { disputeOption } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Options } from './options.ts';

export function disputeOptionHandler(options: Options): Handler {
  return handle(disputeOption, ({ customer, request: { id, reason }, now, language }) =>
    options.dispute(customer.id, id, reason, now, language),
  );
}
