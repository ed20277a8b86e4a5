import { serverNowMs } from '@sathorn/app/stream';
import { PriceChange, StaleMark, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { AlertBell } from '../parts/market/alert-bell.tsx';
import { RollingPrice } from '../parts/market/rolling-price.tsx';
import type { OptionMarket } from './use-option-market.ts';
import './price-head.css';

/** The index price with its number of sources and its age. */
export function OptionPriceHead({ market }: { market: OptionMarket }) {
  const { t } = useText();
  const age = useAge(market.at);
  const isOld = market.isStale || market.isSilent;
  const tone =
    market.change === null || !/[1-9]/.test(market.change)
      ? undefined
      : market.change.startsWith('-')
        ? 'fall'
        : 'rise';
  return (
    <div className="price-head">
      <p className={`price-head-price num ${tone ?? ''}`}>
        <RollingPrice price={market.price} isStale={isOld} />
      </p>
      <span className="row">
        <PriceChange rate={market.change} look="badge" />
        <AlertBell code={market.code} />
      </span>
      <p className="cap num">
        {isOld ? (
          <StaleMark>{t(market.isStale ? 'price.stale' : 'price.reconnecting')}</StaleMark>
        ) : market.sourceCount === undefined || age === null ? (
          '\u00a0'
        ) : (
          `${t('price.index_of', { count: market.sourceCount })} · ${t('price.age', { count: age })}`
        )}
      </p>
    </div>
  );
}

/** Returns the whole seconds since a moment, by the server's clock. */
function useAge(at: string | null): number | null {
  const [now, setNow] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNowMs()), 500);
    return () => clearInterval(timer);
  }, []);
  return at === null ? null : Math.max(0, Math.floor((now - Date.parse(at)) / 1000));
}
