import { type BookView, listTrades, readBook, type TradeView } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useStreamState, useTopic } from '@sathorn/app/stream';
import { useCallback, useEffect } from 'react';
import { create } from 'zustand';
import { mergeTrades } from './merge-trades.ts';

/** The latest book and tape of each coin. Screens select only what they show, so that few components render again. */
export const useBookStore = create<Readonly<Record<string, BookView>>>(() => ({}));
export const useTapeStore = create<Readonly<Record<string, readonly TradeView[]>>>(() => ({}));

/** The number of levels per side that the stream sends. */
export const BOOK_DEPTH = 50;
const POLL_MS = 2_000;
const TAPE_LENGTH = 50;

function holdBook(book: BookView): void {
  const known = useBookStore.getState()[book.code];
  if (known && BigInt(known.sequence) > BigInt(book.sequence)) return;
  useBookStore.setState({ [book.code]: book });
}

/** Keeps a coin's book and tape up to date while a screen shows them. Polls while the stream is down. */
export function useLiveBook(code: string, isOffered: boolean) {
  const state = useStreamState();
  const everyMs = state === 'open' ? false : POLL_MS;
  const book = useRead(readBook, { code, depth: String(BOOK_DEPTH) }, { freshForMs: 0, everyMs, enabled: isOffered });
  const tape = useRead(
    listTrades,
    { code, limit: String(TAPE_LENGTH) },
    { freshForMs: 0, everyMs, enabled: isOffered },
  );
  const holdTrades = useCallback(
    (trades: readonly TradeView[], isSnapshot: boolean) => {
      const newestFirst = isSnapshot ? trades : trades.toReversed();
      const known = useTapeStore.getState()[code] ?? [];
      useTapeStore.setState({ [code]: mergeTrades(known, newestFirst, TAPE_LENGTH) });
    },
    [code],
  );

  useEffect(() => {
    if (book.data) holdBook(book.data);
  }, [book.data]);
  useEffect(() => {
    if (tape.data) holdTrades(tape.data.items, true);
  }, [tape.data, holdTrades]);
  useTopic(isOffered ? `book:${code}` : null, holdBook);
  useTopic(isOffered ? `trades:${code}` : null, holdTrades);

  return {
    isFailed: book.isError && !book.data,
    refetch: () => {
      void book.refetch();
      void tape.refetch();
    },
  };
}
