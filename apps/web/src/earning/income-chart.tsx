import type { LiquidityBalance } from '@sathorn/api';
import { useText } from '@sathorn/ui';
import { useState } from 'react';
import { DaySlider } from '../parts/chart/day-slider.tsx';
import { dayText, formatIncome, usdtUnitsOf } from './figures.ts';

const [WIDTH, HEIGHT, GAP] = [326, 72, 2];

/** Daily income as bars, oldest on the left in every language. */
export function IncomeChart({ days }: { days: LiquidityBalance['days'] }) {
  const { t, presentation } = useText<'earning'>();
  const [chosen, setChosen] = useState<number | null>(null);
  const units = days.map((day) => usdtUnitsOf(day.income));
  const [most = 1n] = [...units, 1n].sort((a, b) => (a < b ? 1 : -1));
  const step = WIDTH / Math.max(1, days.length);
  const shown = days[chosen ?? days.length - 1];
  const [first, last] = [days[0], days.at(-1)];
  if (shown === undefined || first === undefined || last === undefined) return null;
  const said = t(shown.state === 'waiting' ? 'earning.chart_waiting' : 'earning.chart_day', {
    day: dayText(shown.day, 'weekday', presentation),
    amount: formatIncome(shown.income, presentation),
  });
  const at = chosen ?? days.length - 1;
  return (
    <div className="earning-chart">
      <p className="cap num" aria-hidden="true">
        {said}
      </p>
      <DaySlider
        className="earning-chart-drawing"
        count={days.length}
        at={at}
        onAt={setChosen}
        label={t('earning.chart_label')}
        said={said}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="earning-chart-line" />
          {days.map(({ day, state }, n) => {
            const height = Math.max(1, Number(((units[n] ?? 0n) * BigInt(HEIGHT - 4)) / most));
            return (
              <rect
                key={day}
                x={n * step + GAP / 2}
                y={HEIGHT - height}
                width={step - GAP}
                height={height}
                rx={1.5}
                data-chosen={n === at ? '' : undefined}
                data-waiting={state === 'waiting' ? '' : undefined}
              />
            );
          })}
        </svg>
        <div className="earning-chart-ends cap num">
          <span dir="auto">{dayText(first.day, 'day', presentation)}</span>
          <span dir="auto">{dayText(last.day, 'day', presentation)}</span>
        </div>
      </DaySlider>
    </div>
  );
}
