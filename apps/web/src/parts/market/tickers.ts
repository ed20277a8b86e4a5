import { type CoinQuote, listCoins, type Ticker } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
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

/** How often the list is polled while the stream is down. */
const POLL_MS = 3_000;

/** All coins with their quotes. Rows read their live price from `useTickers`, so that a tick renders one row. */
export function useCoins() {
  useLiveTickers();
  const state = useStreamState();
  return useRead(listCoins, {}, { freshForMs: 30_000, everyMs: state === 'open' ? 60_000 : POLL_MS });
}

export type LiveQuote = Pick<CoinQuote, 'price' | 'change_24h' | 'stale' | 'at'>;

/** The newer one of the loaded and the streamed quote. */
export function useLiveQuote(coin: Pick<CoinQuote, 'code' | 'price' | 'change_24h' | 'stale' | 'at'>): LiveQuote {
  const ticker = useTickers((tickers) => tickers[coin.code]);
  return ticker !== undefined && (coin.at === null || ticker.at >= coin.at) ? ticker : coin;
}
