import { Late, renderNothing } from '@sathorn/app/late';
import { useEffect } from 'react';
import { openResultSheets, useHeldOrderStore } from '../parts/orders/held-order-store.ts';

const loadSheet = () => import('./result-sheet.tsx');

/**
 * The result sheet. `path` is the path of a page with a ticket, which then buys again. The code loads while an order is
 * open, so that it is ready when the order ends.
 */
export function OptionResults({ path }: { path?: string }) {
  const isNeeded = useHeldOrderStore(({ byId, results }) => results.length > 0 || Object.keys(byId).length > 0);
  useEffect(() => {
    openResultSheets.shown += 1;
    return () => {
      openResultSheets.shown -= 1;
    };
  }, []);
  if (!isNeeded) return null;
  return (
    <Late load={loadSheet} failed={renderNothing}>
      {(Sheet) => <Sheet path={path} />}
    </Late>
  );
}
