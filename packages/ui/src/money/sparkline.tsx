import { sparkPath } from './spark-path.ts';
import './sparkline.css';

const WIDTH = 70;
const HEIGHT = 32;

/** A day's prices as a line: decoration beside a number with the same information. */
export function Sparkline({ prices, tone }: { prices: readonly string[]; tone: 'rise' | 'fall' | 'flat' }) {
  return (
    <svg
      className="ui-sparkline"
      data-tone={tone}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
      preserveAspectRatio="none"
    >
      <path d={sparkPath(prices, WIDTH, HEIGHT)} />
    </svg>
  );
}
