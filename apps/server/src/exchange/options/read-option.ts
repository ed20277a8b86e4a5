import { readOption } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Options } from './options.ts';

export function readOptionHandler(options: Options): Handler {
  return handle(readOption, ({ customer, request }) => options.read(customer.id, request.id));
}
