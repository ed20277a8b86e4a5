import { listOperators } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { viewAllOperators } from './operator-view.ts';
import type { OperatorsModule } from './operators.ts';

export function listOperatorsHandler({ database, attempts }: OperatorsModule): Handler {
  return handle(listOperators, async ({ now }) => {
    const everybody = await viewAllOperators(database);
    const delays = await attempts.delaysOf(
      everybody.map(({ work_name: name }) => name),
      now,
    );
    return accept(
      everybody.map((one) => ({ ...one, delayed_until: delays.get(one.work_name)?.toISOString() ?? null })),
    );
  });
}
