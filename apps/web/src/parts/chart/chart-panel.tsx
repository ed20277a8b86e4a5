import { INTERVALS, type Interval } from '@sathorn/api';
import { COINS, isCoinCode } from '@sathorn/money';
import { inOwnDigits } from '@sathorn/text';
import { Button, Chip, Icon, useText } from '@sathorn/ui';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Rescue } from '../../shell/rescue.tsx';
import { onReturn } from '../../stream/live.ts';
import type { ChartMark } from './chart-mark.ts';
import './chart-panel.css';

const CandleChart = lazy(() => import('./candle-chart.tsx'));

interface ChartPanelProps {
  code: string;
  /** What the customer has open. */
  marks: readonly ChartMark[];
  /** Candles of the index, or of the trades on the coin's book. */
  of?: 'index' | 'trades';
  /** What the picture is; the index, unless said otherwise. */
  label?: string;
}

/** Intervals, and the chart in its own chunk: the page is usable before it is there, and without it. */
export function ChartPanel({ code, marks, of = 'index', label }: ChartPanelProps) {
  const { t, presentation } = useText();
  const [interval, setChosen] = useState<Interval>('1m');
  const [attempt, setAttempt] = useState(0);
  const [isFailed, setFailed] = useState(false);
  const decimals = isCoinCode(code) ? COINS[code].priceDecimals : 2;
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
            {inOwnDigits(t(`chart.interval.${name}`), presentation)}
          </Chip>
        ))}
      </fieldset>
      <div className="chart-place">
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
              <CandleChart
                key={`${of} ${attempt}`}
                code={code}
                of={of}
                priceDecimals={decimals}
                interval={interval}
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
