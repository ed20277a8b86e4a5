import type { OptionOrder } from '@sathorn/api';
import { formatAsset, formatDate } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { useMemo } from 'react';
import type { ChartMark } from '../parts/chart/chart-mark.ts';
import { ChartPanel } from '../parts/chart/chart-panel.tsx';
import { LiveLine } from './live-line.tsx';
import type { OptionMarket } from './use-option-market.ts';

interface OptionChartProps {
  market: Pick<OptionMarket, 'code' | 'isStale' | 'isSilent' | 'refetch'>;
  orders: readonly OptionOrder[] | undefined;
  /** The id of the bet that the strip below shows. */
  shown: string | undefined;
}

const NO_ORDERS: readonly OptionOrder[] = [];

/** The live line or candles of the index, with the customer's started options of this coin. */
export function OptionChart({ market, orders = NO_ORDERS, shown }: OptionChartProps) {
  const { code } = market;
  const { t, presentation } = useText();
  const marks = useMemo(
    () =>
      orders.flatMap(({ name, start_price, direction, quantity, start_time, end_time }): ChartMark[] => {
        if (name !== code || start_price === null) return [];
        const stake = formatAsset(quantity, 'USDT', presentation, { maxDecimals: 6 });
        return [
          {
            kind: 'option',
            direction,
            price: start_price,
            startsAt: start_time,
            endsAt: end_time,
            entry: t(direction === 'up' ? 'chart.entry_up' : 'chart.entry_down', { stake }),
            expiry: formatDate(end_time, 'seconds', presentation),
          },
        ];
      }),
    [code, orders, t, presentation],
  );
  return (
    <ChartPanel
      code={code}
      marks={marks}
      live={
        <LiveLine
          key={code}
          code={code}
          orders={orders}
          shown={shown}
          isOld={market.isStale || market.isSilent}
          onRetry={market.refetch}
        />
      }
    />
  );
}
