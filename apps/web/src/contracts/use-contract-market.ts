import { type CoinQuote, type ResultOf, readContractTerms } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useArePricesSilent } from '@sathorn/app/stream';
import { type CoinCode, isCoinCode } from '@sathorn/money';
import { useCoins, useLiveQuote } from '../parts/market/tickers.ts';

export interface ContractMarket {
  readonly code: CoinCode;
  readonly coin: CoinQuote | undefined;
  /** The coins that can be traded here. */
  readonly coins: readonly CoinQuote[];
  readonly index: string | null;
  readonly change: string | null;
  /** True while the index has stopped, which refuses market orders. */
  readonly isStale: boolean;
  /** True while this device receives no data. */
  readonly isSilent: boolean;
  readonly terms: ResultOf<typeof readContractTerms> | undefined;
  /** The smallest steps of price and quantity. */
  readonly tick: string;
  readonly lot: string;
  /** True if the server offers no coin, or not this one; false until that is known. */
  readonly isClosed: boolean;
  /** True if the address names a coin that cannot be traded here. */
  readonly isUnknown: boolean;
  readonly isFailed: boolean;
  readonly refetch: () => void;
}

const NO_COIN = { code: '', price: null, change_24h: null, stale: true, at: null } as const;

/** One coin's market, live: index, price steps, terms. */
export function useContractMarket(wanted: string | null): ContractMarket {
  const list = useCoins();
  const coins = list.data?.filter((coin) => coin.contracts) ?? [];
  const coin = wanted === null ? coins[0] : coins.find(({ code }) => code === wanted);
  const isUnknown = wanted !== null && (list.data ? coins.length > 0 && !coin : !isCoinCode(wanted));
  const code = coin?.code ?? wanted ?? '';
  const known: CoinCode = isCoinCode(code) ? code : 'BTC';
  const terms = useRead(
    readContractTerms,
    { code: known },
    { freshForMs: 60_000, everyMs: 120_000, enabled: !isUnknown },
  );
  const live = useLiveQuote(coin ?? NO_COIN);
  const isSilent = useArePricesSilent();
  return {
    code: known,
    coin,
    coins,
    index: live.price,
    change: live.change_24h,
    isStale: coin !== undefined && live.stale,
    isSilent: coin !== undefined && isSilent,
    terms: terms.data,
    tick: terms.data?.tick ?? coin?.tick ?? '0.01',
    lot: terms.data?.lot ?? coin?.lot ?? '0.00001',
    isClosed: (list.data !== undefined && coins.length === 0) || terms.data?.offered === false,
    isUnknown: isUnknown && list.data !== undefined,
    isFailed: (list.isError && !list.data) || (terms.isError && !terms.data),
    refetch: () => {
      void list.refetch();
      void terms.refetch();
    },
  };
}
