import { refuse } from '@sathorn/settlement';
import type { Handler } from '../edge/handle.ts';

/**
 * Calls that move money are refused while `isBarred`. The ledger refuses them too, unless whoever broke it has seen to
 * that first: so this process does not ask the database whether it may.
 */
export function barMoney(handlers: readonly Handler[], isBarred: () => boolean): Handler[] {
  return handlers.map((handler) =>
    handler.call.movesMoney
      ? { ...handler, run: async (context) => (isBarred() ? refuse('money_halted') : handler.run(context)) }
      : handler,
  );
}
