import { Card } from '@sathorn/ui';
import { OptionChart } from './option-chart.tsx';
import { OptionDesk } from './option-desk.tsx';
import { PriceHead } from './price-head.tsx';

/** `#/pages/Option/Option`: price, chart with the open orders, and ticket. */
export default function OptionTrade() {
  return (
    <OptionDesk
      path="/pages/Option/Option"
      head={(market, orders) => (
        <Card>
          <PriceHead market={market} />
          <OptionChart code={market.code} orders={orders} />
        </Card>
      )}
    />
  );
}
