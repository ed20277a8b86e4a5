import type { ResultOf, readDashboard } from '@sathorn/api';
import { useDashboardTexts } from './texts.ts';

type Times = NonNullable<ResultOf<typeof readDashboard>['times']>;
const HOURS = 24;
const HOUR_MS = 3_600_000;
const RADIUS = 3;
const [WIDTH, HEIGHT, BASE, TOP] = [460, 128, 104, 10] as const;

/** The duration of withdrawals in the last day, per hour, compared with the published time. */
export function PaymentTimes({ times, at }: { times: Times; at: string }) {
  const { say } = useDashboardTexts();
  const { promised_minutes: promised, median_minutes: median, slow_minutes: slow, hours } = times;
  const spanOf = (minutes: number | null): string => {
    if (minutes === null) return '–';
    return minutes % 60 === 0 ? say('hours', { n: minutes / 60 }) : say('minutes', { n: minutes });
  };
  const startMs = Date.parse(at) - HOURS * HOUR_MS;
  const most = Math.max(promised, ...hours.map(({ slow_minutes: minutes }) => minutes));
  const x = (from: string): number => {
    const share = (Date.parse(from) + HOUR_MS / 2 - startMs) / (HOURS * HOUR_MS);
    return RADIUS + Math.min(Math.max(share, 0), 1) * (WIDTH - 2 * RADIUS);
  };
  const y = (minutes: number): number => BASE - (minutes / most) * (BASE - TOP);
  const line = (of: 'median_minutes' | 'slow_minutes'): string =>
    hours.map((hour) => `${x(hour.from).toFixed(1)},${y(hour[of]).toFixed(1)}`).join(' ');
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('times')}</h2>
        {median !== null && (
          <span className="r">
            <b className="ink">{say('median', { span: spanOf(median) })}</b> · {say('slow', { span: spanOf(slow) })}
          </span>
        )}
      </div>
      {hours.length === 0 ? (
        <p className="empty">{say('no_times')}</p>
      ) : (
        <svg
          className="times"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          role="img"
          aria-label={say('chart', { median: spanOf(median), slow: spanOf(slow) })}
        >
          <line className="axis" x1={0} x2={WIDTH} y1={BASE} y2={BASE} />
          <line className="promise" x1={0} x2={WIDTH} y1={y(promised)} y2={y(promised)} />
          <text className="promise" x={WIDTH} y={y(promised) + 12} textAnchor="end">
            {say('published', { span: spanOf(promised) })}
          </text>
          <polyline className="slow" points={line('slow_minutes')} />
          <polyline className="median" points={line('median_minutes')} />
          {hours.map((hour) => (
            <circle key={hour.from} cx={x(hour.from)} cy={y(hour.median_minutes)} r={RADIUS} />
          ))}
          <text x={0} y={HEIGHT - 6}>
            {say('yesterday')}
          </text>
          <text x={WIDTH} y={HEIGHT - 6} textAnchor="end">
            {say('now')}
          </text>
        </svg>
      )}
      <p className="foot c">
        {say('paid', { count: times.automatic + times.checked, automatic: times.automatic, checked: times.checked })}
      </p>
    </section>
  );
}
