import { INTERVALS, type Interval } from '@sathorn/api';
import { Late, renderNothing } from '@sathorn/app/late';
import { onStreamReturn } from '@sathorn/app/stream';
import { COINS, isCoinCode } from '@sathorn/money';
import { toOwnDigits } from '@sathorn/text';
import { Button, Chip, Icon, useText } from '@sathorn/ui';
import type { Chart } from 'klinecharts';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { ChartMark } from './chart-mark.ts';
import type { ChartFill } from './fills-drawing.ts';
import './chart-panel.css';

const loadChart = () => import('./candle-chart.tsx');
const loadTools = () => import('./chart-tools.tsx');

interface ChartPanelProps {
  code: string;
  /** Marks of the customer's open orders. */
  marks: readonly ChartMark[];
  /** The customer's own fills. */
  fills?: readonly ChartFill[];
  /** Candles of the index, or of the trades on the coin's book. */
  of?: 'index' | 'trades';
  /** Describes the chart for screen readers; by default as a chart of the index. */
  label?: string;
  /** A live line, which becomes the first and initial interval. */
  live?: ReactNode;
}

/** The intervals, and the chart in its own chunk: the page works before the chart has loaded, and without it. */
export function ChartPanel({ code, marks, fills, of = 'index', label, live }: ChartPanelProps) {
  const { t, presentation } = useText();
  const [interval, setChosen] = useState<Interval | 'live'>(live ? 'live' : '1m');
  const [isFailed, setFailed] = useState(false);
  const [chart, setChart] = useState<Chart | null>(null);
  const [panel, setPanel] = useState<HTMLElement | null>(null);
  const decimals = isCoinCode(code) ? COINS[code][of === 'index' ? 'indexDecimals' : 'priceDecimals'] : 2;
  const [tries, setTries] = useState(0);
  const tryAgain = useCallback(() => {
    setFailed(false);
    setTries((tries) => tries + 1);
  }, []);
  const choose = (name: Interval | 'live') => {
    setChosen(name);
    setFailed(false);
  };
  return (
    <div className="chart-panel" ref={setPanel}>
      <fieldset className="chart-intervals" aria-label={t('chart.interval')}>
        {(live ? (['live', ...INTERVALS] as const) : INTERVALS).map((name) => (
          <Chip key={name} pressed={name === interval} onClick={() => choose(name)}>
            {toOwnDigits(t(`chart.interval.${name}`), presentation)}
          </Chip>
        ))}
      </fieldset>
      <Late load={loadTools} failed={renderNothing}>
        {(Tools) => (
          <Tools panel={panel} chart={chart} code={code} decimals={decimals} interval={interval} fills={fills} />
        )}
      </Late>
      <div className="chart-place">
        {interval === 'live' ? (
          live
        ) : (
          <Late
            load={loadChart}
            waiting={<div className="chart-waiting">{t('chart.loading')}</div>}
            failed={(retry) => <ChartFailed onRetry={retry} />}
          >
            {(Chart) => (
              <Chart
                key={`${of} ${tries}`}
                code={code}
                of={of}
                priceDecimals={decimals}
                interval={interval}
                marks={marks}
                onFailed={setFailed}
                onChart={setChart}
                label={label ?? t('chart.label', { coin: code })}
              />
            )}
          </Late>
        )}
        {/* Covers the chart, which may still get its candles. */}
        {isFailed && <ChartFailed onRetry={tryAgain} />}
      </div>
    </div>
  );
}

/** A button that loads the chart again. It also loads by itself when the connection returns. */
export function ChartFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useText();
  useEffect(() => onStreamReturn(onRetry), [onRetry]);
  return (
    <div className="chart-failed">
      <Icon name="warning" />
      <p className="muted">{t('chart.failed')}</p>
      <Button look="soft" size="small" onClick={onRetry}>
        {t('shell.try_again')}
      </Button>
    </div>
  );
}
