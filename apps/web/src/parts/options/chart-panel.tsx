import { INTERVALS, type Interval, type OptionOrder } from '@sathorn/api';
import { COINS, isCoinCode } from '@sathorn/money';
import { formatAsset, formatDate } from '@sathorn/text';
import { Button, Chip, Icon, useText } from '@sathorn/ui';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Rescue } from '../../shell/rescue.tsx';
import { onReturn } from '../../stream/live.ts';
import './chart-panel.css';

const OptionChart = lazy(() => import('./option-chart.tsx'));

const NO_ORDERS: readonly OptionOrder[] = [];

interface ChartPanelProps {
  code: string;
  /** Open options, to be marked. */
  orders?: readonly OptionOrder[];
  /** Candles of the index, or of the trades on the coin's book. */
  of?: 'index' | 'trades';
  /** What the picture is; the index, unless said otherwise. */
  label?: string;
}

/** Intervals, and the chart in its own chunk: the page is usable before it is there, and without it. */
export function ChartPanel({ code, orders = NO_ORDERS, of = 'index', label }: ChartPanelProps) {
  const { t, presentation } = useText();
  const [interval, setChosen] = useState<Interval>('1m');
  const [attempt, setAttempt] = useState(0);
  const [isFailed, setFailed] = useState(false);
  const decimals = isCoinCode(code) ? COINS[code].priceDecimals : 2;
  const marks = useCallback(
    (order: OptionOrder) => ({
      entry: t(order.direction === 'up' ? 'chart.entry_up' : 'chart.entry_down', {
        stake: formatAsset(order.quantity, 'USDT', presentation, { maxDecimals: 2 }),
      }),
      expiry: formatDate(order.end_time, 'seconds', presentation),
    }),
    [t, presentation],
  );
  const onFailed = useCallback(() => setFailed(true), []);
  const tryAgain = useCallback(() => {
    setFailed(false);
    setAttempt((attempts) => attempts + 1);
  }, []);
  useEffect(() => (isFailed ? onReturn(tryAgain) : undefined), [isFailed, tryAgain]);
  return (
    <div className="chart-panel">
      <fieldset className="chart-intervals" aria-label={t('chart.interval')}>
        {INTERVALS.map((name) => (
          <Chip key={name} pressed={name === interval} onClick={() => setChosen(name)}>
            {t(`chart.interval.${name}`)}
          </Chip>
        ))}
      </fieldset>
      <div className="option-chart">
        {isFailed ? (
          <div className="chart-failed">
            <Icon name="warning" />
            <p className="muted">{t('chart.failed')}</p>
            <Button look="soft" size="small" onClick={tryAgain}>
              {t('shell.try_again')}
            </Button>
          </div>
        ) : (
          <Rescue instead={<p className="chart-waiting">{t('chart.failed')}</p>}>
            <Suspense fallback={<div className="chart-waiting">{t('chart.loading')}</div>}>
              <OptionChart
                key={`${of} ${attempt}`}
                code={code}
                of={of}
                priceDecimals={decimals}
                interval={interval}
                orders={orders}
                marks={marks}
                onFailed={onFailed}
                label={label ?? t('chart.label', { coin: code })}
              />
            </Suspense>
          </Rescue>
        )}
      </div>
    </div>
  );
}
