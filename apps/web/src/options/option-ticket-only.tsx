import { Card } from '@sathorn/ui';
import { OptionDesk } from './option-desk.tsx';
import { PriceHead } from './price-head.tsx';

/** `#/pages/Option/Option_old`: the same ticket without the chart, for slow devices and connections. */
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
