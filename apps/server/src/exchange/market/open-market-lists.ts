import { allowOnAnyClock } from '../../platform/edge/index.ts';
import type { Module } from '../../platform/module.ts';
import { listCandlesHandler } from './list-candles.ts';
import { listCoinsHandler } from './list-coins.ts';
import type { MarketListsDependencies } from './market.ts';
import { readQuoteHandler } from './read-quote.ts';

/** The calls that show prices with the products traded on them. Products need the market, so this opens later. */
export function openMarketLists({ market, optionTerms, tradeBars, contracts }: MarketListsDependencies): Module<null> {
  return {
    api: null,
    handlers: allowOnAnyClock(
      listCoinsHandler(market, { optionTerms, contracts }),
      listCandlesHandler(market, tradeBars),
      readQuoteHandler(market, optionTerms),
    ),
  };
}
