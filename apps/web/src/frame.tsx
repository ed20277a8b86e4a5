import { Late, nothing } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { type FrameProps, ScreenFrame } from '@sathorn/app/shell';
import { formatCount } from '@sathorn/text';
import { type IconName, useText } from '@sathorn/ui';
import { useUnreadCount } from './parts/notices/unread-notices.ts';
import { useOpenOrderCount } from './parts/orders/open-order-count.ts';
import { DemoBanner } from './shell/demo-banner.tsx';

/** Incidents are read this late, so that they don't delay the first paint. */
const INCIDENTS_AFTER_MS = 2_000;
const loadIncidents = async () => {
  await new Promise((resolve) => {
    setTimeout(resolve, INCIDENTS_AFTER_MS);
  });
  return import('./status/incident-banner.tsx');
};

const TAB_ICONS: readonly IconName[] = ['home', 'option', 'coin', 'box', 'person'];

/**
 * The frame of every screen: the demo banner above it, the five tabs with their counts of unread notices and open
 * orders.
 */
export function Frame(props: FrameProps) {
  const { table } = useNavigation();
  const { t, presentation } = useText();
  const unread = useUnreadCount();
  const openOrders = useOpenOrderCount(({ count }) => count);
  const tabs = table.tabs.map((tab, index) => ({
    path: tab.path,
    icon: TAB_ICONS[index] ?? 'home',
    label: t(tab.title),
    dot: tab.path === '/pages/mine/mine' && unread > 0,
    count:
      tab.path === '/pages/optionRule/index' && openOrders > 0
        ? { shown: formatCount(openOrders, presentation), label: t('tab.open_orders', { count: openOrders }) }
        : undefined,
  }));
  const banner = (
    <>
      <DemoBanner />
      <Late load={loadIncidents} failed={nothing} />
    </>
  );
  return <ScreenFrame {...props} banner={banner} tabs={tabs} />;
}
