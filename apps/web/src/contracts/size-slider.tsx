import { formatDecimal, parseDecimal } from '@sathorn/money';
import { formatPercent } from '@sathorn/text';
import { shareOfAmount, useText } from '@sathorn/ui';
import './size-slider.css';

const SCALE = 8;
/** Each mark as a percentage and as a fraction. */
const MARKS = [
  [0, '0'],
  [25, '0.25'],
  [50, '0.5'],
  [75, '0.75'],
  [100, '1'],
] as const;

interface SizeSliderProps {
  value: string;
  /** The size that uses everything available. */
  most: string;
  /** The largest size of one order. */
  cap: string | undefined;
  /** The number of decimals of a size. */
  scale: number;
  onChange: (value: string) => void;
}

/** Chooses a size in quarters of the available amount. A typed size moves the slider to the nearest quarter. */
export function SizeSlider({ value, most, cap, scale, onChange }: SizeSliderProps) {
  const { t, presentation } = useText<'contracts'>();
  const all = parseDecimal(most, SCALE) ?? 0n;
  const size = parseDecimal(value, SCALE) ?? 0n;
  // Tenths of a percent are precise enough for drawing and for screen readers.
  const share = all === 0n ? 0n : size >= all ? 1_000n : (size * 1_000n) / all;

  const choose = (percent: number) => {
    const wanted = shareOfAmount(most, percent, scale);
    const isOver = cap !== undefined && (parseDecimal(wanted, SCALE) ?? 0n) > (parseDecimal(cap, SCALE) ?? 0n);
    onChange(percent === 0 ? '' : isOver ? shareOfAmount(cap, 100, scale) : wanted);
  };
  return (
    <div className="size-slider num">
      <input
        type="range"
        min={0}
        max={100}
        step={25}
        disabled={all === 0n}
        aria-label={t('contracts.size_share')}
        aria-valuetext={formatPercent(formatDecimal(share, 3), presentation, { maxDecimals: 0 })}
        value={Math.round(Number(share) / 250) * 25}
        onChange={(event) => choose(Number(event.target.value))}
      />
      <div aria-hidden="true">
        {MARKS.map(([percent, fraction]) => (
          <span key={percent}>{formatPercent(fraction, presentation)}</span>
        ))}
      </div>
    </div>
  );
}
