import { useIsOnline } from '@sathorn/app/stream';
import { isCoinCode } from '@sathorn/money';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTickers } from '../parts/market/tickers.ts';
import { keepPoints, readKeptPoints } from './kept-points.ts';
import { firstMissingSequence, LIVE_POINTS_MAX, type LivePoint, livePointOf, mergePoints } from './live-points.ts';

/**
 * The newest ticks of a coin. The stream brings new ticks; the public chain has earlier ones and fills gaps. Without a
 * connection, these are the points shown last. Another number of `tries` asks for missing ticks again.
 */
export function useLivePoints(code: string, tries: number): readonly LivePoint[] {
  const ticker = useTickers((tickers) => tickers[code]);
  const [points, setPoints] = useState<readonly LivePoint[]>([]);
  useEffect(() => {
    if (ticker) setPoints((known) => mergePoints(known, [livePointOf(ticker)]));
  }, [ticker]);

  const from = firstMissingSequence(points);
  const isGapped = from !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per gap, whose beginning each tick moves.
  useEffect(() => {
    if (from === undefined || !isCoinCode(code)) return;
    let isOver = false;
    import('../parts/orders/chain-ticks.ts')
      .then(({ readChainTicks }) => readChainTicks(code, BigInt(from), LIVE_POINTS_MAX))
      // If the ticks cannot be loaded, the line grows with the stream.
      .then((ticks) => !isOver && ticks && setPoints((known) => mergePoints(known, ticks.map(livePointOf))))
      .catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [code, isGapped, tries]);

  const newest = useRef(points);
  newest.current = points;
  useEffect(() => {
    const keep = () => keepPoints(code, newest.current);
    addEventListener('pagehide', keep);
    return () => {
      keep();
      removeEventListener('pagehide', keep);
    };
  }, [code]);
  const isOnline = useIsOnline();
  const kept = useMemo(() => (isOnline ? [] : readKeptPoints(code)), [isOnline, code]);
  return points.length > 0 ? points : kept;
}
