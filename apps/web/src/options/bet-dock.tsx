import type { OptionOrder } from '@sathorn/api';
import { useNavigation } from '@sathorn/app/navigation';
import { usePreferences } from '@sathorn/app/preferences';
import { Card } from '@sathorn/ui';
import { HoldingOrders } from './holding-orders.tsx';
import './bet-dock.css';

/** Shows the open bets in a corner of other pages on a desktop. A press opens the coin's option page. */
export default function BetDock({ orders }: { orders: readonly OptionOrder[] }) {
  const { navigate } = useNavigation();
  const areAmountsHidden = usePreferences((preferences) => preferences.hideBalances);
  return (
    <Card tight className="bet-dock">
      <HoldingOrders
        isStrip
        orders={orders}
        areAmountsHidden={areAmountsHidden}
        onPress={({ name }) => navigate('/pages/Option/Option', { code: name })}
      />
    </Card>
  );
}
