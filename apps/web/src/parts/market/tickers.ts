import { type CoinQuote, listCoins, type Ticker } from '@sathorn/api';
import { isServerInReach, useRead } from '@sathorn/app/client';
import { stream, useStreamState } from '@sathorn/app/stream';
import { useEffect } from 'react';
import { create } from 'zustand';

/** The newest ticker of each coin. */
export const useTickers = create<Readonly<Record<string, Ticker>>>(() => ({}));

let listeners = 0;
let stop: (() => void) | undefined;

/** Subscribes to the tickers while a screen shows prices. */
export function useLiveTickers(): void {
  useEffect(() => {
    listeners += 1;
    stop ??= stream.on('tickers', (tickers) => {
      useTickers.setState(Object.fromEntries(tickers.map((ticker) => [ticker.code, ticker])));
    });
    return () => {
      listeners -= 1;
      if (listeners > 0) return;
      stop?.();
      stop = undefined;
    };
  }, []);
}

/** Short, because the server sells nothing at prices older than three seconds. Used while the stream is down. */
const POLL_MS = 1_500;

/** On networks that block the stream, polled prices serve start prices, clocks and tickets instead. */
function takePolled(coins: readonly CoinQuote[], receivedAt: number): void {
  const tickers = coins.flatMap(({ code, price, change_24h, sequence, at, stale }): Ticker[] =>
    price === null || sequence === null || at === null
      ? []
      : [{ code, price, change_24h: change_24h ?? '0', sequence, at, stale }],
  );
  const newest = tickers
    .map(({ at }) => at)
    .toSorted()
    .at(-1);
  if (newest === undefined) return;
  stream.heard(newest, receivedAt);
  useTickers.setState(Object.fromEntries(tickers.map((ticker) => [ticker.code, ticker])));
}

/** All coins with their quotes. Rows read their live price from `useTickers`, so that a tick renders one row. */
export function useCoins() {
  useLiveTickers();
  const state = useStreamState();
  const list = useRead(listCoins, {}, { freshForMs: 30_000, everyMs: state === 'open' ? 60_000 : POLL_MS });
  const { data, dataUpdatedAt } = list;
  useEffect(() => {
    // Without a connection the list comes from this device's storage and is not current.
    if (data && state !== 'open' && isServerInReach()) takePolled(data, dataUpdatedAt);
  }, [data, dataUpdatedAt, state]);
  return list;
}

type LiveQuote = Pick<CoinQuote, 'price' | 'change_24h' | 'stale' | 'at'>;

/** Returns the newer one of the loaded and the streamed quote. */
export function useLiveQuote(coin: Pick<CoinQuote, 'code' | 'price' | 'change_24h' | 'stale' | 'at'>): LiveQuote {
  const ticker = useTickers((tickers) => tickers[coin.code]);
  return ticker !== undefined && (coin.at === null || ticker.at >= coin.at) ? ticker : coin;
}
