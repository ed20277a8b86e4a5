import type { Box } from '@sathorn/api';
import type { Presentation } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { amountText, pointsCountOf } from './reward-figures.ts';

type Prize = Pick<Box['prizes'][number], 'kind' | 'amount'>;

/** A prize in words: "1.00 USDT", "20 points". */
export function usePrizeText(): (prize: Prize) => string {
  const { t, presentation } = useText<'rewards'>();
  return ({ kind, amount }) => prizeText(kind, amount, presentation, t);
}

function prizeText(
  kind: Prize['kind'],
  amount: string,
  presentation: Presentation,
  t: ReturnType<typeof useText<'rewards'>>['t'],
): string {
  if (kind === 'points') return t('rewards.points_count', { count: pointsCountOf(amount) });
  return `${amountText(amount, presentation)} USDT`;
}
