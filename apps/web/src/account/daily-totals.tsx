import { listDailyTotals, type User } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { usePreferences } from '@sathorn/app/preferences';
import { serverNowMs } from '@sathorn/app/stream';
import { formatAsset, formatDate } from '@sathorn/text';
import { Card, useText } from '@sathorn/ui';
import { useState } from 'react';
import { DaySlider } from '../parts/chart/day-slider.tsx';
import './daily-totals.css';

const [WIDTH, HEIGHT] = [326, 72];

/** The total at the end of each of the last 30 days, and now. Hidden before the first day with money ends. */
export default function DailyTotals({ user }: { user: User }) {
  const { t, presentation } = useText();
  const isHidden = usePreferences((preferences) => preferences.hideBalances);
  const { data } = useRead(listDailyTotals, {}, { freshForMs: 600_000 });
  const [chosen, setChosen] = useState<number | null>(null);
  const first = data?.findIndex(({ total }) => /[1-9]/.test(total)) ?? -1;
  const days =
    first < 0 ? [] : [...(data ?? []).slice(first), { at: new Date(serverNowMs()).toISOString(), total: user.total }];
  const [oldest, newest] = [days[0], days.at(-1)];
  if (isHidden || days.length < 2 || !oldest || !newest) return null;

  const at = Math.min(chosen ?? days.length - 1, days.length - 1);
  const shown = days[at] ?? newest;
  // Numbers are precise enough for drawing.
  const totals = days.map(({ total }) => Number(total));
  const [low, high] = [Math.min(...totals), Math.max(...totals)];
  const x = (n: number) => (n / (days.length - 1)) * WIDTH;
  const y = (total: number) => HEIGHT - 4 - ((total - low) / (high - low || 1)) * (HEIGHT - 8);
  const line = totals.map((total, n) => `${n === 0 ? 'M' : 'L'}${x(n).toFixed(1)} ${y(total).toFixed(1)}`).join('');
  // A day ends at midnight UTC, which already belongs to the next day.
  const dayOf = (end: string) => formatDate(Date.parse(end) - 1, 'day', presentation, 'UTC');
  const said = t('mine.days_at', {
    day: dayOf(shown.at),
    amount: formatAsset(shown.total, 'USDT', presentation, { minDecimals: 2, maxDecimals: 2 }),
  });
  return (
    <Card className="mine-days">
      <div className="row">
        <h2 className="muted">{t('mine.days')}</h2>
        <p className="cap num" aria-hidden="true">
          {said}
        </p>
      </div>
      <DaySlider
        className="mine-days-drawing"
        count={days.length}
        at={at}
        onAt={setChosen}
        label={t('mine.days_label')}
        said={said}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path className="mine-days-area" d={`${line}V${HEIGHT}H0Z`} />
          <path className="mine-days-line" d={line} />
          <path className="mine-days-mark" d={`M${x(at).toFixed(1)} 0V${HEIGHT}`} />
        </svg>
        <div className="row cap num">
          <span dir="auto">{dayOf(oldest.at)}</span>
          <span dir="auto">{dayOf(newest.at)}</span>
        </div>
      </DaySlider>
    </Card>
  );
}
