import { type ReactNode, Suspense } from 'react';
import { Rescue } from './rescue.tsx';

/** What may come late or not at all: nothing stands in its place. */
export function Extra({ children }: { children: ReactNode }) {
  return (
    <Rescue instead={null}>
      <Suspense fallback={null}>{children}</Suspense>
    </Rescue>
  );
}
