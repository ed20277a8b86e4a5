import { listCandles } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useText } from '@sathorn/ui';
import { useState } from 'react';
import { ChartPanel } from '../parts/chart/chart-panel.tsx';
import { areTradesDense, DENSITY_WINDOW_MINUTES } from './are-trades-dense.ts';
import { useFills } from './use-fills.ts';
import { useOrderMarks } from './use-order-marks.ts';
import './contract-chart.css';

const SOURCES = ['index', 'trades'] as const;
type Source = (typeof SOURCES)[number];

/** Candles of the index, or of the book's trades when the customer chooses them and there are enough. */
export default function ContractChart({ code }: { code: string }) {
  const { t } = useText<'contracts'>();
  const marks = useOrderMarks(code);
  const fills = useFills(code);
  const [source, setSource] = useState<Source>('index');
  const { data } = useRead(
    listCandles,
    { code, interval: '1m', limit: String(DENSITY_WINDOW_MINUTES), of: 'trades' },
    { freshForMs: 60_000, everyMs: 60_000 },
  );
  const areDense = data !== undefined && areTradesDense(data.items);
  return (
    <div className="contract-chart">
      <ChartPanel
        code={code}
        of={source}
        marks={marks}
        fills={fills}
        {...(source === 'trades' ? { label: t('contracts.chart_label', { coin: code }) } : {})}
      />
      <fieldset className="contract-chart-sources" aria-label={t('contracts.chart_source')}>
        {SOURCES.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === source}
            disabled={name === 'trades' && source === 'index' && !areDense}
            title={name === 'trades' && !areDense ? t('contracts.chart_trades_few') : undefined}
            onClick={() => setSource(name)}
          >
            {t(`contracts.chart_${name}`)}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
