import { listOptions } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Options } from './options.ts';

export function listOptionsHandler(options: Options): Handler {
  return handle(listOptions, async ({ customer, request: { status, code, page } }) =>
    accept(await options.list(customer.id, { status, coin: code ?? null, page: page ?? null })),
  );
}
