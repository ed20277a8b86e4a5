import { Card, Skeleton } from '@sathorn/ui';
import { type ComponentProps, lazy, Suspense } from 'react';

const load = () => import('./holding-orders.tsx');
const HoldingOrders = lazy(async () => ({ default: (await load()).HoldingOrders }));

const CARD_HEIGHT = 52;

/** Fetches the list before there is an order to show in it. */
export const preloadHoldingOrders = (): void => void load();

/** Open orders, whose code comes when there are any. */
export function HoldingOrdersLater(props: ComponentProps<typeof HoldingOrders>) {
  if (props.orders.length === 0) return null;
  return (
    <Suspense
      fallback={props.orders.map(({ id }) => (
        <Card key={id} className="holding-card">
          <Skeleton height={CARD_HEIGHT} />
        </Card>
      ))}
    >
      <HoldingOrders {...props} />
    </Suspense>
  );
}
