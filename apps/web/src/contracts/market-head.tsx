import { PriceChange, Skeleton, StaleMark, useText } from '@sathorn/ui';
import { AlertBell } from '../parts/market/alert-bell.tsx';
import { RollingPrice } from '../parts/market/rolling-price.tsx';
import type { ContractMarket } from './use-contract-market.ts';
import './market-head.css';

/** The index price and its change, as one pair. The last trade is in the middle of the book. */
export function MarketHead({ market }: { market: ContractMarket }) {
  const { t } = useText<'contracts'>();
  const isOld = market.isStale || market.isSilent;
  const { change } = market;
  const tone = change === null || !/[1-9]/.test(change) ? '' : change.startsWith('-') ? 'fall' : 'rise';
  return (
    <div className="market-head">
      <div>
        <p className={`market-head-price num ${tone}`}>
          {market.index === null ? (
            <Skeleton height={36} width={170} />
          ) : (
            <RollingPrice price={market.index} isStale={isOld} />
          )}
        </p>
        <p className="cap">
          {isOld ? (
            <StaleMark>{t(market.isStale ? 'price.stale' : 'price.reconnecting')}</StaleMark>
          ) : (
            t('contracts.index_price')
          )}
        </p>
      </div>
      <div className="market-head-change">
        <PriceChange rate={market.change} look="badge" />
        <span className="cap">{t('contracts.change_of_index')}</span>
      </div>
      <AlertBell code={market.code} />
    </div>
  );
}
