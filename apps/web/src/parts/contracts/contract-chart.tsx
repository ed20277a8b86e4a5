import { useState } from 'react';
import { ChartPanel } from '../chart/chart-panel.tsx';
import { useContractText } from './contract-texts.tsx';
import { useTapes } from './use-book.ts';
import { useOrderMarks } from './use-order-marks.ts';
import './contract-chart.css';

const SOURCES = ['trades', 'index'] as const;
type Source = (typeof SOURCES)[number];
/** Fewer trades than this make no candles worth looking at. */
const TRADES_MIN = 2;

/** Candles of the trades on the book; of the index while hardly anything was traded, or when the customer prefers it. */
export default function ContractChart({ code }: { code: string }) {
  const { t } = useContractText();
  const tape = useTapes((tapes) => tapes[code]);
  const marks = useOrderMarks(code);
  const [source, setSource] = useState<Source | null>(null);
  // Decided once, by the tape as it was found: a chart that changes by itself would be looked at twice.
  if (source === null && tape) setSource(tape.length < TRADES_MIN ? 'index' : 'trades');
  return (
    <div className="contract-chart">
      {source ? (
        <ChartPanel
          code={code}
          of={source}
          marks={marks}
          {...(source === 'trades' ? { label: t('contracts.chart_label', { coin: code }) } : {})}
        />
      ) : (
        <div className="contract-chart-waiting">{t('chart.loading')}</div>
      )}
      <fieldset className="contract-chart-sources" aria-label={t('contracts.chart_source')}>
        {SOURCES.map((name) => (
          <button key={name} type="button" aria-pressed={name === source} onClick={() => setSource(name)}>
            {t(`contracts.chart_${name}`)}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
