import type { DisputeCase } from '@sathorn/api';
import { useTexts } from '../../parts/texts/index.ts';

const WIDTH = 640;
const HEIGHT = 150;
const EDGE = 26;

/** Plots the ticks of the order and marks the two that decided it. The table beside it has the same figures. */
export function TickPicture({ shown }: { shown: Pick<DisputeCase, 'ticks' | 'option'> }) {
  const { t } = useTexts();
  const { ticks, option } = shown;
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (!first || !last) return null;
  const prices = ticks.map(({ price }) => Number(price));
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const [from, to] = [Date.parse(first.at), Date.parse(last.at)];
  const x = (at: string) => EDGE + ((Date.parse(at) - from) / Math.max(1, to - from)) * (WIDTH - EDGE * 2);
  const y = (price: string | number) =>
    HEIGHT - EDGE - ((Number(price) - low) / (high - low || 1)) * (HEIGHT - EDGE * 2);
  const points = ticks.map(({ at, price }) => `${x(at).toFixed(1)},${y(price).toFixed(1)}`).join(' ');
  const marks = [
    { tick: ticks.find(({ sequence }) => sequence === option.start_sequence), label: t('disputes.start'), isUp: true },
    { tick: ticks.find(({ sequence }) => sequence === option.end_sequence), label: t('disputes.end'), isUp: false },
  ];
  return (
    <svg
      className="tick-picture"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={t('disputes.picture', { count: ticks.length, from: first.price, to: last.price })}
    >
      {option.start_price && (
        <line className="dotted" x1={EDGE} x2={WIDTH - EDGE} y1={y(option.start_price)} y2={y(option.start_price)} />
      )}
      <polyline points={points} />
      {marks.map(
        ({ tick, label, isUp }) =>
          tick && (
            <g key={label}>
              <line className="mark" x1={x(tick.at)} x2={x(tick.at)} y1={14} y2={HEIGHT - 14} />
              <circle cx={x(tick.at)} cy={y(tick.price)} r={4} />
              <text
                x={isUp ? x(tick.at) + 6 : x(tick.at) - 6}
                y={isUp ? 12 : HEIGHT - 4}
                textAnchor={isUp ? 'start' : 'end'}
              >
                {label}
              </text>
            </g>
          ),
      )}
    </svg>
  );
}
