import type { CoinQuote } from '@sathorn/api';
import { useArePricesSilent } from '@sathorn/app/stream';
import { CoinMark, PriceChange, RowButton, Sparkline } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { PriceFlash } from './price-flash.tsx';
import { useLiveQuote } from './tickers.ts';
import './coin-row.css';

/** A coin in a list: its mark, the day's sparkline, live price and change. */
export function CoinRow({
  coin,
  lead,
  note,
  onPress,
}: {
  coin: CoinQuote;
  /** An element before the coin's mark with its own press area. */
  lead?: ReactNode;
  note?: ReactNode;
  onPress?: (() => void) | undefined;
}) {
  const { price, change_24h: change, stale } = useLiveQuote(coin);
  const isSilent = useArePricesSilent();
  const tone = change === null || !/[1-9]/.test(change) ? 'flat' : change.startsWith('-') ? 'fall' : 'rise';
  const pair = (
    <>
      <b>{coin.code}</b>
      <span className="cap"> /USDT</span>
    </>
  );
  return (
    <li className="coin-row">
      {lead}
      <CoinMark code={coin.code} />
      <span className="coin-row-name">
        {onPress ? (
          <RowButton className="coin-row-pair" onClick={onPress}>
            {pair}
          </RowButton>
        ) : (
          <span className="coin-row-pair">{pair}</span>
        )}
        <span className="cap">{note ?? coin.name}</span>
      </span>
      <Sparkline prices={coin.spark} tone={tone} />
      <span className="coin-row-price num">
        <b>
          <PriceFlash price={price} isStale={stale || isSilent} />
        </b>
        <PriceChange rate={change} />
      </span>
    </li>
  );
}
