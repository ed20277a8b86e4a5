import { type LockupTerms, lockupEarned } from '@sathorn/settlement';
import { useText } from '@sathorn/ui';
import { useState } from 'react';
import { addDays, amountText, dayText, usdtTextOf } from './figures.ts';

const [WIDTH, HEIGHT, TOP] = [326, 96, 10];

/** The cumulative payments of a lock-up, shown before subscribing. `firstDay` is when the first one is credited. */
export function PaymentsChart({ terms, firstDay }: { terms: LockupTerms; firstDay: string }) {
  const { t, presentation } = useText<'earning'>();
  const [chosen, setChosen] = useState<number | null>(null);
  const { days } = terms;
  const at = chosen ?? days;
  const all = lockupEarned(terms, days);
  const step = WIDTH / days;
  const heightOf = (n: number): number =>
    all === 0n ? 0 : Number((lockupEarned(terms, n) * BigInt((HEIGHT - TOP) * 100)) / all) / 100;
  const line = Array.from({ length: days }, (_, n) => `H${(n + 1) * step}`)
    .map((across, n) => `V${HEIGHT - heightOf(n + 1)}${across}`)
    .join('');
  const said = t('earning.payments_day', {
    nth: at,
    day: dayText(addDays(firstDay, at - 1), 'weekday', presentation),
    amount: amountText(usdtTextOf(lockupEarned(terms, at)), presentation),
  });
  return (
    <div className="earning-chart">
      <p className="cap num" aria-hidden="true">
        {said}
      </p>
      <div
        className="earning-chart-drawing"
        dir="ltr"
        role="slider"
        tabIndex={0}
        aria-label={t('earning.payments_label')}
        aria-valuemin={1}
        aria-valuemax={days}
        aria-valuenow={at}
        aria-valuetext={said}
        onKeyDown={({ key }) => {
          const move = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0;
          if (move !== 0) setChosen(Math.min(days, Math.max(1, at + move)));
        }}
        onPointerMove={({ clientX, currentTarget }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          const day = 1 + Math.floor(((clientX - left) / Math.max(1, width)) * days);
          setChosen(Math.min(days, Math.max(1, day)));
        }}
        onPointerLeave={() => setChosen(null)}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path
            d={`M0 ${TOP}H${WIDTH}M0 ${(HEIGHT + TOP) / 2}H${WIDTH}M0 ${HEIGHT - 0.5}H${WIDTH}`}
            className="earning-chart-line"
          />
          <path d={`M0 ${HEIGHT}${line}V${HEIGHT}Z`} className="earning-steps-area" />
          <path d={`M0 ${HEIGHT}${line}`} className="earning-steps-line" />
          {chosen !== null && <path d={`M${(at - 0.5) * step} ${TOP}V${HEIGHT}`} className="earning-steps-mark" />}
        </svg>
        <div className="earning-chart-ends cap num">
          <span dir="auto">{dayText(firstDay, 'day', presentation)}</span>
          <span dir="auto">{dayText(addDays(firstDay, days - 1), 'day', presentation)}</span>
        </div>
      </div>
    </div>
  );
}
