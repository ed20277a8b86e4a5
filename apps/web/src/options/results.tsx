import { Late, nothing } from '@sathorn/app/late';
import { useEffect } from 'react';
import { resultSheets, useHeld } from '../parts/orders/holding-orders.ts';

const loadSheet = () => import('./result-sheet.tsx');

/**
 * The result sheet. `path` is the path of a page with a ticket, which then buys again. The code loads while an order is
 * open, so that it is ready when the order ends.
 */
export function Results({ path }: { path?: string }) {
  const isNeeded = useHeld(({ byId, results }) => results.length > 0 || Object.keys(byId).length > 0);
  useEffect(() => {
    resultSheets.shown += 1;
    return () => {
      resultSheets.shown -= 1;
    };
  }, []);
  if (!isNeeded) return null;
  return (
    <Late load={loadSheet} failed={nothing}>
      {(Sheet) => <Sheet path={path} />}
    </Late>
  );
}
