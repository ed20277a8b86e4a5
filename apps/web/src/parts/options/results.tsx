import { lazy, Suspense } from 'react';
import { Rescue } from '../../shell/rescue.tsx';
import { useHeld } from '../../stream/holding-orders.ts';

const ResultSheet = lazy(() => import('./result-sheet.tsx'));

/** The sheet of results. Its code comes while an order is open, so that it is there when the order ends. */
export function Results() {
  const isNeeded = useHeld(({ byId, results }) => results.length > 0 || Object.keys(byId).length > 0);
  if (!isNeeded) return null;
  return (
    <Rescue instead={null}>
      <Suspense fallback={null}>
        <ResultSheet />
      </Suspense>
    </Rescue>
  );
}
