import { formatDate } from '@sathorn/text';
import { Change, Skeleton, StaleMark, useText } from '@sathorn/ui';
import { serverNow } from '../../stream/live.ts';
import { PriceFlash } from '../market/price-flash.tsx';
import { priceFigure } from './contract-figures.ts';
import { useContractText } from './contract-texts.tsx';
import { useTapes } from './use-book.ts';
import type { ContractMarket } from './use-contract-market.ts';
import './market-head.css';

/** The price of the last trade, large, and the index beside it; before the first trade the index alone. */
export function MarketHead({ market }: { market: ContractMarket }) {
  const { t, presentation } = useContractText();
  const { t: say } = useText();
  const tape = useTapes((tapes) => tapes[market.code]);
  const last = tape?.[0];
  const isOld = market.isStale || market.isSilent;
  const price = last?.price ?? market.index;
  const tone = last && (last.side === 'buy' ? 'rise' : 'fall');
  return (
    <div className="market-head">
      <div>
        <p className={`market-head-price num ${tone ?? ''}`}>
          {tape === undefined && market.index === null ? (
            <Skeleton height={36} width={170} />
          ) : (
            <PriceFlash key={last?.id} price={price} isStale={isOld} />
          )}
        </p>
        <p className="cap num">
          {isOld ? (
            <StaleMark>{say(market.isStale ? 'price.stale' : 'price.reconnecting')}</StaleMark>
          ) : market.index === null ? (
            '\u00a0'
          ) : tape?.length === 0 ? (
            t('contracts.no_trades')
          ) : (
            t('contracts.index', { price: priceFigure(market.code, market.index, presentation) })
          )}
        </p>
        {/* A price that nobody has traded at for long is not the market's. */}
        <p className="cap num">
          {last
            ? t('contracts.last_trade', {
                time: formatDate(last.at, isRecent(last.at) ? 'seconds' : 'dayTime', presentation),
              })
            : '\u00a0'}
        </p>
      </div>
      <div className="market-head-change">
        <Change rate={market.change} look="badge" />
        <span className="cap">{t('contracts.change_of_index')}</span>
      </div>
    </div>
  );
}

const DAY_MS = 86_400_000;
const isRecent = (at: string): boolean => serverNow() - Date.parse(at) < DAY_MS;
