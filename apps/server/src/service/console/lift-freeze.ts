import { liftFreeze } from '@sathorn/api';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { askToChangeFreeze } from './change-freeze.ts';
import type { ConsoleModule } from './console.ts';

export function liftFreezeHandler(module: ConsoleModule): Handler {
  return handle(liftFreeze, async ({ operator, request: { id, freeze, reason }, now }) =>
    askToChangeFreeze(module, operator, { customer: id, freeze, reason, until: null }, now),
  );
}
