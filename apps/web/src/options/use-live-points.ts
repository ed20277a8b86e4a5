import { useIsOnline } from '@sathorn/app/stream';
import { isCoinCode } from '@sathorn/money';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTickers } from '../parts/market/tickers.ts';
import { keepPoints, keptPoints } from './kept-points.ts';
import { type LivePoint, missingFrom, POINTS_MAX, pointOf, withPoints } from './live-points.ts';

/**
 * The newest ticks of a coin: those that the stream brings, and those before and in gaps from the public chain. Without
 * a connection, those that were shown last.
 */
export function useLivePoints(code: string): readonly LivePoint[] {
  const ticker = useTickers((tickers) => tickers[code]);
  const [points, setPoints] = useState<readonly LivePoint[]>([]);
  useEffect(() => {
    if (ticker) setPoints((known) => withPoints(known, [pointOf(ticker)]));
  }, [ticker]);

  const from = missingFrom(points);
  const isGapped = from !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each gap; each tick moves where it begins.
  useEffect(() => {
    if (from === undefined || !isCoinCode(code)) return;
    let isOver = false;
    import('../parts/orders/chain-ticks.ts')
      .then(({ readChainTicks }) => readChainTicks(code, BigInt(from), POINTS_MAX))
      // Without them the line grows with the stream.
      .then((ticks) => !isOver && ticks && setPoints((known) => withPoints(known, ticks.map(pointOf))))
      .catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [code, isGapped]);

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
  const kept = useMemo(() => (isOnline ? [] : keptPoints(code)), [isOnline, code]);
  return points.length > 0 ? points : kept;
}
