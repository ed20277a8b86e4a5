import { readLevel, type SignInState } from '@sathorn/api';
import { formatMoney } from '@sathorn/money';
import { accept, LEVEL_INFLOW_DAYS } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Levels, LevelsModule } from './levels.ts';
import { viewBenefits } from './view-benefits.ts';

export function readLevelHandler(
  levels: Levels,
  queries: Queries,
  module: LevelsModule,
  signInOf: (customer: bigint, now: Date) => Promise<SignInState | null>,
): Handler {
  return handle(readLevel, async ({ customer, now }) => {
    const [{ level, deposited, waiting }, sign] = await Promise.all([
      levels.standingOf(queries, customer.id),
      signInOf(customer.id, now),
    ]);
    const next = module.terms().levels.find((other) => other.level === level + 1);
    return accept({
      level,
      deposited: formatMoney(deposited),
      waiting: formatMoney(waiting),
      held_days: LEVEL_INFLOW_DAYS,
      next_value: next ? formatMoney(next.from) : null,
      benefits: viewBenefits(level, module),
      sign,
    });
  });
}
