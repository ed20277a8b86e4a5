import { formatDecimalText } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { PriceFlash } from './price-flash.tsx';
import './rolling-price.css';

/** A large price in which only the changed digits move. Dimmed while it is stale. */
export function RollingPrice({ price, isStale }: { price: string | null; isStale: boolean }) {
  const { presentation } = useText();
  if (price === null || isStale) return <PriceFlash price={price} isStale={isStale} />;
  const text = formatDecimalText(price, presentation, { minDecimals: price.split('.')[1]?.length ?? 0 });
  // The keys count from the end, where the decimals keep their place.
  const figures = [...text].map((figure, place) => ({ figure, key: `${text.length - place} ${figure}` }));
  return (
    <bdi className="ui-money num rolling-price" dir="ltr">
      {figures.map(({ figure, key }) => (
        <span key={key}>{figure}</span>
      ))}
    </bdi>
  );
}
