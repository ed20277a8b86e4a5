import { type ReactNode, Suspense, useState } from 'react';
import { Rescue } from '../../shell/rescue.tsx';

/** Around a sheet whose code comes with its first opening; it stays, so that it can sink away and give the focus back. */
export function Opened({ is, children }: { is: boolean; children: ReactNode }) {
  const [wasOpened, setOpened] = useState(is);
  if (is && !wasOpened) setOpened(true);
  if (!wasOpened) return null;
  return (
    <Rescue instead={null}>
      <Suspense fallback={null}>{children}</Suspense>
    </Rescue>
  );
}
