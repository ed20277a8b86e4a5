import { readUser, type User } from '@sathorn/api';
import { rereadCalls } from '@sathorn/app/client';
import { Late, renderNothing, whenPageSettled } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { practiceOf } from '@sathorn/app/practice';
import { useSession } from '@sathorn/app/session';
import { type FrameProps, ScreenFrame } from '@sathorn/app/shell';
import { useTopic } from '@sathorn/app/stream';
import { formatCount } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { type ComponentType, useCallback } from 'react';
import { useUnreadCount } from './parts/notices/unread-notices.ts';
import { useOpenOrderCount } from './parts/orders/open-order-count.ts';
import { DemoBanner } from './shell/demo-banner.tsx';
import { IncidentBannerPlace } from './shell/incident-banner-place.tsx';

const loadIncidents = async () => {
  await whenPageSettled();
  return { default: (await import('./companions.tsx')).IncidentBanner };
};

const loadReset = () => import('./identity/reset-banner.tsx');

const TAB_ICONS = (['home', 'option', 'coin', 'box', 'person'] as const).filter(
  // Practice has no boxes.
  (icon) => practiceOf === null || icon !== 'box',
);

/**
 * The frame of every screen: the demo banner above it, the five tabs with their counts of unread notices and open
 * orders.
 */
export function Frame(props: FrameProps) {
  const { table } = useNavigation();
  const { t, presentation } = useText();
  const unread = useUnreadCount();
  const resetUntil = useResetUntil();
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
      {resetUntil && (
        <Late load={loadReset} failed={renderNothing}>
          {(Banner: ComponentType<{ until: string }>) => <Banner until={resetUntil} />}
        </Late>
      )}
      <Late load={loadIncidents} failed={renderNothing} waiting={<IncidentBannerPlace />} />
    </>
  );
  return <ScreenFrame {...props} banner={banner} tabs={tabs} />;
}

/** When a pending request removes the second factor; null for none. Reads again after each new notice. */
function useResetUntil(): string | null {
  const isCustomer = useSession(({ token }) => token !== null);
  const user = useSession((session) => session.user as User | null);
  const hear = useCallback((_state: unknown, isSnapshot: boolean) => {
    if (!isSnapshot) rereadCalls(readUser);
  }, []);
  useTopic(isCustomer ? 'messages' : null, hear);
  return (isCustomer && user?.second_factor_reset_until) || null;
}
