import { Late, preloadPart } from '@sathorn/app/late';
import { Skeleton } from '@sathorn/ui';
import type { ComponentProps } from 'react';
import type { PinSteps } from './pin-steps.tsx';

const load = async () => ({ default: (await import('./pin-steps.tsx')).PinSteps });

/** The height of the keypad with the text above it. */
const HEIGHT = 400;

/** Preloads the keypad. */
export const preloadPinSteps = (): void => preloadPart(load);

/** Keypads whose code loads with the tap that opens them. */
export function LatePinSteps(props: ComponentProps<typeof PinSteps>) {
  return (
    <Late load={load} waiting={<Skeleton height={HEIGHT} />}>
      {(PinSteps) => <PinSteps {...props} />}
    </Late>
  );
}
