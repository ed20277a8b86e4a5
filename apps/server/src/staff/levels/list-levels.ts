import { listLevels } from '@sathorn/api';
import { formatMoney } from '@sathorn/money';
import { accept, vipValueOf } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { LevelsModule } from './levels.ts';
import { viewBenefits } from './view-benefits.ts';

export function listLevelsHandler(module: LevelsModule): Handler {
  return handle(listLevels, async () => {
    const { levels } = module.terms();
    return accept(
      levels.map(({ level, name }) => ({
        level,
        name,
        value: formatMoney(vipValueOf(level, levels)),
        benefits: viewBenefits(level, module),
      })),
    );
  });
}
