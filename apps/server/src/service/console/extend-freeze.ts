import { extendFreeze } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { askToChangeFreeze } from './change-freeze.ts';
import type { ConsoleModule } from './console.ts';

export function extendFreezeHandler(module: ConsoleModule): Handler {
  return handle(extendFreeze, async ({ operator, request: { id, freeze, reason, until }, now }) =>
    askToChangeFreeze(module, operator, { customer: id, freeze, reason, until: new Date(until) }, now),
  );
}
