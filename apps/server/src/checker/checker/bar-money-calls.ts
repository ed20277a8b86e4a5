import { refuse } from '@sathorn/settlement';
import type { Handler } from '../../platform/edge/handle.ts';

const HALTED = Promise.resolve(refuse('money_halted'));

/**
 * Refuses calls that move money while `isBarred`. The ledger refuses them too, but an attacker may have disabled that,
 * so this process decides without the database.
 */
export function barMoneyCalls(handlers: readonly Handler[], isBarred: () => boolean): Handler[] {
  return handlers.map((handler) =>
    handler.call.movesMoney ? { ...handler, run: (context) => (isBarred() ? HALTED : handler.run(context)) } : handler,
  );
}
