import { Card } from '@sathorn/ui';
import { OptionDesk } from '../../parts/options/option-desk.tsx';
import { PriceHead } from '../../parts/options/price-head.tsx';

/** `#/pages/Option/Option_old`: the same ticket without the chart, for weak devices and lines. */
export default function OptionTicketOnly() {
  return (
    <OptionDesk
      path="/pages/Option/Option_old"
      head={(market) => (
        <Card>
          <PriceHead market={market} />
        </Card>
      )}
    />
  );
}
