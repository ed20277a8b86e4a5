import { type CoinQuote, type DurationTerms, readQuote } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useArePricesSilent } from '@sathorn/app/stream';
import { isCoinCode } from '@sathorn/money';
import { useCoins, useLiveQuote } from '../parts/market/tickers.ts';

export interface OptionMarket {
  readonly code: string;
  readonly coin: CoinQuote | undefined;
  /** The coins that have options. */
  readonly coins: readonly CoinQuote[];
  readonly price: string | null;
  readonly change: string | null;
  readonly at: string | null;
  /** True while the index has stopped, so that nothing is sold. */
  readonly isStale: boolean;
  /** True while this device receives no data. */
  readonly isSilent: boolean;
  readonly durations: readonly DurationTerms[] | undefined;
  readonly sourceCount: number | undefined;
  /** True if the address names a coin without options. */
  readonly isUnknown: boolean;
  readonly isFailed: boolean;
  readonly refetch: () => void;
}

const NO_COIN = { code: '', price: null, change_24h: null, stale: true, at: null } as const;

/** One coin's option market, live. */
export function useOptionMarket(wanted: string | null): OptionMarket {
  const list = useCoins();
  const coins = list.data?.filter((coin) => coin.options) ?? [];
  const coin = wanted === null ? coins[0] : coins.find(({ code }) => code === wanted);
  const code = coin?.code ?? wanted ?? 'BTC';
  // If no coin has options, the page says that instead.
  const isUnknown = wanted !== null && (list.data ? coins.length > 0 && !coin : !isCoinCode(wanted));
  const quote = useRead(readQuote, { code }, { freshForMs: 10_000, everyMs: 20_000, enabled: !isUnknown });
  const live = useLiveQuote(coin ?? NO_COIN);
  const isSilent = useArePricesSilent();
  return {
    code,
    coin,
    coins,
    price: live.price,
    change: live.change_24h,
    at: live.at,
    isStale: coin !== undefined && live.stale,
    isSilent: coin !== undefined && isSilent,
    durations: quote.data?.durations,
    sourceCount: quote.data?.sources.filter((source) => source.used).length,
    isUnknown: isUnknown && list.data !== undefined,
    isFailed: (list.isError && !list.data) || (quote.isError && !quote.data),
    refetch: () => {
      void list.refetch();
      void quote.refetch();
    },
  };
}
