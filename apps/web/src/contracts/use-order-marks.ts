import { useText } from '@sathorn/ui';
import { useMemo } from 'react';
import type { ChartMark } from '../parts/chart/chart-mark.ts';
import { quantityFigure } from './contract-figures.ts';
import { orderMarks } from './order-marks.ts';
import { useOwnOrderStore } from './own-order-store.ts';
import { openContractOrdersOf } from './own-orders.ts';

/** The customer's open orders on a coin's book, as marks for its chart. */
export function useOrderMarks(code: string): readonly ChartMark[] {
  const { t, presentation } = useText<'contracts'>();
  const own = useOwnOrderStore();
  return useMemo(
    () =>
      orderMarks(openContractOrdersOf(own, code), (side, quantity) =>
        t(side === 'buy' ? 'contracts.chart_buy' : 'contracts.chart_sell', {
          quantity: quantityFigure(code, quantity, presentation),
        }),
      ),
    [own, code, t, presentation],
  );
}
