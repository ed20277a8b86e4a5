import { listLevels } from '@sathorn/api';
import { formatMoney } from '@sathorn/money';
import { accept, VIP_LEVELS, vipValueOf } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { viewBenefits } from './view-benefits.ts';

export function listLevelsHandler(): Handler {
  const levels = VIP_LEVELS.map(({ level, name }) => ({
    level,
    name,
    value: formatMoney(vipValueOf(level)),
    benefits: viewBenefits(level),
  }));
  return handle(listLevels, async () => accept(levels));
}
