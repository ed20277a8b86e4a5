import { readLevel } from '@sathorn/api';
import { formatMoney } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import type { Queries } from '../database/index.ts';
import { type Handler, handle } from '../edge/index.ts';
import type { LevelRoom, Levels } from './open-levels.ts';
import { viewBenefits } from './view-benefits.ts';

export function readLevelHandler(levels: Levels, queries: Queries, room: LevelRoom): Handler {
  return handle(readLevel, async ({ customer }) => {
    const { level, deposited } = await levels.standingOf(queries, customer.id);
    const next = room.terms().levels.find((other) => other.level === level + 1);
    return accept({
      level,
      deposited: formatMoney(deposited),
      next_value: next ? formatMoney(next.from) : null,
      benefits: viewBenefits(level, room),
      sign: null,
    });
  });
}
