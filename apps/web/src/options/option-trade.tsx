import { OptionChart } from './option-chart.tsx';
import { OptionDesk } from './option-desk.tsx';

/** `#/pages/Option/Option`: price, chart with the open orders, and ticket. */
export default function OptionTrade() {
  return (
    <OptionDesk
      path="/pages/Option/Option"
      chart={(market, orders, shown) => <OptionChart market={market} orders={orders} shown={shown} />}
    />
  );
}
