import { Late, preload } from '@sathorn/app/late';
import { Skeleton } from '@sathorn/ui';
import type { ComponentProps } from 'react';
import type { PinSteps } from './pin-steps.tsx';

const load = async () => ({ default: (await import('./pin-steps.tsx')).PinSteps });

/** As tall as the keypad with the text above it. */
const HEIGHT = 400;

/** Loads the keypad before it is needed. */
export const preloadPinSteps = (): void => preload(load);

/** Keypads that open after a tap, which also loads their code. */
export function LatePinSteps(props: ComponentProps<typeof PinSteps>) {
  return (
    <Late load={load} waiting={<Skeleton height={HEIGHT} />}>
      {(PinSteps) => <PinSteps {...props} />}
    </Late>
  );
}
