import { Card } from '@sathorn/ui';
import { OptionChart } from '../../parts/options/option-chart.tsx';
import { OptionDesk } from '../../parts/options/option-desk.tsx';
import { PriceHead } from '../../parts/options/price-head.tsx';

/** `#/pages/Option/Option`: price, chart with the open orders, ticket. */
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
