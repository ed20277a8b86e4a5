import { Chip } from '@sathorn/ui';
import { useState } from 'react';
import { ChartPanel } from '../options/chart-panel.tsx';
import { useContractText } from './contract-texts.tsx';
import { useTapes } from './use-book.ts';
import './contract-chart.css';

const SOURCES = ['trades', 'index'] as const;

/** Candles of the trades on the book; of the index while nothing was traded, or when the customer prefers it. */
export default function ContractChart({ code }: { code: string }) {
  const { t } = useContractText();
  const [chosen, setChosen] = useState<(typeof SOURCES)[number] | null>(null);
  const tape = useTapes((tapes) => tapes[code]);
  const of = chosen ?? (tape?.length === 0 ? 'index' : 'trades');
  return (
    <div className="contract-chart">
      <ChartPanel
        code={code}
        of={of}
        {...(of === 'trades' ? { label: t('contracts.chart_label', { coin: code }) } : {})}
      />
      <fieldset className="contract-chart-sources" aria-label={t('contracts.chart_source')}>
        {SOURCES.map((source) => (
          <Chip key={source} pressed={source === of} onClick={() => setChosen(source)}>
            {t(`contracts.chart_${source}`)}
          </Chip>
        ))}
      </fieldset>
    </div>
  );
}
