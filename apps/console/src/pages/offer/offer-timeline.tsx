import type { OfferHistory } from '@sathorn/api';
import { useTexts } from '../../parts/texts/index.ts';

const DAY_MS = 86_400_000;
const WIDTH = 560;
const HEIGHT = 76;

/** Past, current and scheduled versions. Nothing is overwritten. */
export function OfferTimeline({ items }: { items: OfferHistory['items'] }) {
  const { t, dateTime } = useTexts();
  const now = Date.now();
  const shown = items.filter(({ status }) => status !== 'stopped').toReversed();
  const starts = shown.map(({ effective_from: from }) => Date.parse(from)).filter((ms) => ms > 0);
  const begin = Math.min(now - 14 * DAY_MS, ...starts.map((ms) => ms - 3 * DAY_MS));
  const end = Math.max(now + 14 * DAY_MS, ...starts.map((ms) => ms + 7 * DAY_MS));
  const x = (ms: number): number => ((Math.max(ms, begin) - begin) / (end - begin)) * WIDTH;
  return (
    <svg
      className="offer-line"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={shown
        .map(({ version, effective_from: from }) => `v${version} ${Date.parse(from) > 0 ? dateTime(from) : ''}`)
        .join(', ')}
    >
      {shown.map((item, n) => {
        const next = shown[n + 1];
        const from = x(Date.parse(item.effective_from));
        const to = next ? x(Date.parse(next.effective_from)) : WIDTH;
        const isNow = item.status !== 'scheduled' && item.to === null;
        return (
          <g key={item.version} data-look={item.status === 'scheduled' ? 'later' : isNow ? 'now' : undefined}>
            <rect x={from + 1} y={22} width={Math.max(to - from - 2, 4)} height={26} rx={4} />
            {to - from > 30 && (
              <text x={from + 8} y={39}>
                v{item.version}
              </text>
            )}
          </g>
        );
      })}
      <line x1={x(now)} x2={x(now)} y1={14} y2={54} />
      <text className="now" x={x(now)} y={10} textAnchor="middle">
        {t('terms.now')}
      </text>
      {[0, 1, 2, 3].map((n) => {
        const at = begin + ((end - begin) * (n + 0.5)) / 4;
        return (
          <text key={n} className="tick" x={x(at)} y={70} textAnchor="middle">
            {dateTime(new Date(at).toISOString()).split(',')[0]}
          </text>
        );
      })}
    </svg>
  );
}
