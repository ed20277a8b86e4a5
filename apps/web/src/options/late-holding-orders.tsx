import { Late, preloadPart } from '@sathorn/app/late';
import { Card, Skeleton } from '@sathorn/ui';
import type { ComponentProps } from 'react';
import type { HoldingOrders } from './holding-orders.tsx';

const load = async () => ({ default: (await import('./holding-orders.tsx')).HoldingOrders });

const CARD_HEIGHT = 52;

/** Preloads the list's code before there is an order to show. */
export const preloadHoldingOrders = (): void => preloadPart(load);

/** Shows open orders. Its code loads when there are any. */
export function LateHoldingOrders(props: ComponentProps<typeof HoldingOrders>) {
  if (props.orders.length === 0) return null;
  return (
    <Late
      load={load}
      waiting={
        props.isStrip ? (
          <div className="bet-strip">
            <Skeleton height={CARD_HEIGHT} />
          </div>
        ) : (
          props.orders.map(({ id }) => (
            <Card key={id} className="holding-card">
              <Skeleton height={CARD_HEIGHT} />
            </Card>
          ))
        )
      }
    >
      {(HoldingOrders) => <HoldingOrders {...props} />}
    </Late>
  );
}
