import { formatPercent } from '@sathorn/text';
import { useText } from '../texts.tsx';
import './price-change.css';

/** A change over 24 hours, shown by sign, arrow and colour, so that it never depends on colour alone. */
export function PriceChange({ rate, look = 'text' }: { rate: string | null; look?: 'text' | 'badge' }) {
  const { presentation } = useText();
  if (rate === null) return <span className="ui-change num">–</span>;
  const isZero = !/[1-9]/.test(rate);
  const tone = isZero ? 'flat' : rate.startsWith('-') ? 'fall' : 'rise';
  return (
    <bdi className="ui-change num" dir="ltr" data-tone={tone} data-look={look}>
      {!isZero && (
        <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden="true">
          <path d={tone === 'rise' ? 'M4 1l3.5 6h-7z' : 'M4 7l3.5-6h-7z'} fill="currentColor" />
        </svg>
      )}
      {formatPercent(rate, presentation, { minDecimals: 2, maxDecimals: 2, signed: true })}
    </bdi>
  );
}
