import type { CoinQuote } from '@sathorn/api';
import { Change, CoinMark, Sparkline } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { useIsSilent } from '../../stream/live.ts';
import { useLiveQuote } from '../../stream/tickers.ts';
import { PriceFlash } from './price-flash.tsx';
import './coin-row.css';

/** One coin: mark, day's line, live price and change. */
export function CoinRow({
  coin,
  note,
  onPress,
}: {
  coin: CoinQuote;
  note?: ReactNode;
  onPress?: (() => void) | undefined;
}) {
  const { price, change_24h: change, stale } = useLiveQuote(coin);
  const isSilent = useIsSilent();
  const tone = change === null || !/[1-9]/.test(change) ? 'flat' : change.startsWith('-') ? 'fall' : 'rise';
  const content = (
    <>
      <CoinMark code={coin.code} />
      <span className="coin-row-name">
        <span className="coin-row-pair">
          <b>{coin.code}</b>
          <span className="cap"> /USDT</span>
        </span>
        <span className="cap">{note ?? coin.name}</span>
      </span>
      <Sparkline prices={coin.spark} tone={tone} />
      <span className="coin-row-price num">
        <b>
          <PriceFlash price={price} isStale={stale || isSilent} />
        </b>
        <Change rate={change} />
      </span>
    </>
  );
  return onPress ? (
    <button type="button" className="coin-row" onClick={onPress}>
      {content}
    </button>
  ) : (
    <div className="coin-row">{content}</div>
  );
}
