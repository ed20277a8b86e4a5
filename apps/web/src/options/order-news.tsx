import { type OptionOrder, readOption } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { Late, renderNothing } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { formatAsset } from '@sathorn/text';
import { DESK_MEDIA_QUERY, useMediaQuery, useText } from '@sathorn/ui';
import { useEffect, useRef } from 'react';
import {
  dismissResult,
  openResultSheets,
  useHeldOrderStore,
  useHoldingOrders,
} from '../parts/orders/held-order-store.ts';
import { isSettledOrder } from '../parts/orders/held-orders.ts';
import { useOpenOrderCount } from '../parts/orders/open-order-count.ts';
import { durationLabel } from './duration-label.ts';
import { netResult } from './net-result.ts';

const loadBetDock = () => import('./bet-dock.tsx');
/** Pages that show the open bets themselves, so that the dock is hidden there. */
const SHOWS_BETS = /^\/pages\/(?:Option\/(?:Option|orderRecord\/orderRecord)|optionRule)/;
const RECEIPT = '/pages/Option/orderRecord/receipt';
/** Long enough to read two lines about money and press the button. */
const NEWS_MS = 8_000;
const TONES = {
  won: 'success',
  lost: 'danger',
  tie: 'plain',
  void: 'plain',
  sold: 'plain',
  holding: 'plain',
} as const;

/**
 * Follows the customer's options on every page and announces results that no sheet shows. On wide screens it also shows
 * the open bets in a dock.
 */
export function OrderNews() {
  const isCustomer = useSession((session) => session.token !== null);
  useEffect(() => {
    if (!isCustomer) useOpenOrderCount.setState({ count: 0 });
  }, [isCustomer]);
  return isCustomer ? <Follow /> : null;
}

function Follow() {
  const { t, presentation } = useText();
  const { navigate, query, address } = useNavigation();
  const { orders } = useHoldingOrders();
  const count = orders?.length ?? 0;
  const isDesk = useMediaQuery(DESK_MEDIA_QUERY);
  useEffect(() => useOpenOrderCount.setState({ count }), [count]);

  const tell = (order: OptionOrder) => {
    const net = netResult(order);
    if (!isSettledOrder(order) || net === null) return;
    // The receipt's page already shows the result.
    if (address.startsWith(RECEIPT) && query.get('id') === order.id) return dismissResult(order.id);
    const told = t(`option.told.${order.status === 'holding' ? 'void' : order.status}`, {
      coin: order.name,
      duration: durationLabel(order.duration, t, presentation),
      amount: formatAsset(net, 'USDT', presentation, { minDecimals: 2, maxDecimals: 2, signed: true }),
    });
    showToast(told, TONES[order.status], {
      durationMs: NEWS_MS,
      about: `result ${order.id}`,
      action: {
        label: t('option.told.see'),
        onPress: () => {
          dismissResult(order.id);
          navigate(RECEIPT, { id: order.id });
        },
      },
    });
  };
  const latest = useRef(tell);
  latest.current = tell;

  useEffect(
    () =>
      useHeldOrderStore.subscribe(({ results, byId }, before) => {
        if (openResultSheets.shown > 0) return;
        for (const id of results) {
          if (before.results.includes(id)) continue;
          const order = byId[id];
          if (order && isSettledOrder(order)) latest.current(order);
          // The stream only removed the order from the open ones, so the result is read here.
          else void callServer(readOption, { id }).then((answer) => answer.ok && latest.current(answer.data));
        }
      }),
    [],
  );
  if (!isDesk || !orders || count === 0 || SHOWS_BETS.test(address)) return null;
  return (
    <Late load={loadBetDock} failed={renderNothing}>
      {(BetDock) => <BetDock orders={orders} />}
    </Late>
  );
}
