import { PriceText } from '@sathorn/ui';
import './price-flash.css';

/** A price that flashes for 200 ms when it changes, and is dimmed while it is stale. */
export function PriceFlash({ price, isStale }: { price: string | null; isStale: boolean }) {
  return (
    <span key={price} className="price-flash" data-stale={isStale ? '' : undefined}>
      <PriceText price={price} />
    </span>
  );
}
