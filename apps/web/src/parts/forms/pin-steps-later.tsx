import { Skeleton } from '@sathorn/ui';
import { type ComponentProps, lazy, Suspense } from 'react';

const load = () => import('./pin-steps.tsx');
const PinSteps = lazy(async () => ({ default: (await load()).PinSteps }));

/** As tall as the keypad with what stands above it. */
const HEIGHT = 400;

/** Fetches the keypad before it is asked for. */
export const preloadPinSteps = (): void => void load();

/** The keypads where they come after a tap: their code comes with it. */
export function PinStepsLater(props: ComponentProps<typeof PinSteps>) {
  return (
    <Suspense fallback={<Skeleton height={HEIGHT} />}>
      <PinSteps {...props} />
    </Suspense>
  );
}
