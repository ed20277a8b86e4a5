import { refuse } from '@sathorn/settlement';
import type { Handler } from '../../platform/edge/handle.ts';

/**
 * Refuses calls that move money while `isBarred`. The ledger refuses them too, but an attacker may have disabled that,
 * so this process decides without asking the database.
 */
export function barMoney(handlers: readonly Handler[], isBarred: () => boolean): Handler[] {
  return handlers.map((handler) =>
    handler.call.movesMoney
      ? { ...handler, run: async (context) => (isBarred() ? refuse('money_halted') : handler.run(context)) }
      : handler,
  );
}
