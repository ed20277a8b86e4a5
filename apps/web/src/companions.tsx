import { Late, renderNothing } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { followCopies, Overlays } from '@sathorn/app/shell';
import { DESK_MEDIA_QUERY, useMediaQuery } from '@sathorn/ui';
import { NoticeModal } from './notices/notice-modal.tsx';
import { OrderNews } from './options/order-news.tsx';
import RenewPush from './push/renew-push.tsx';
import KeepEvidence from './receipts/keep-evidence.tsx';
import RealityCheck from './safeguards/reality-check.tsx';
import { followMoveDirection } from './shell/follow-move-direction.ts';
import UpdatePrompt from './shell/update-prompt.tsx';

const loadDesk = () => import('./desk/desk-keys.tsx');
const loadFirstTrade = () => import('./options/first-trade.tsx');

export { default as RecentWins } from './parts/status/recent-wins.tsx';
export { default as IncidentBanner } from './status/incident-banner.tsx';

followCopies();
followMoveDirection();

/**
 * Everything that each page loads once it has settled: overlays, and watchers that show nothing most of the time. They
 * share a chunk, because each file costs a round trip.
 */
export default function Companions() {
  const isDesk = useMediaQuery(DESK_MEDIA_QUERY);
  const { query } = useNavigation();
  return (
    <>
      {isDesk && <Late load={loadDesk} failed={renderNothing} />}
      <NoticeModal />
      <OrderNews />
      <Overlays />
      {query.has('led') && <Late load={loadFirstTrade} failed={renderNothing} />}
      <UpdatePrompt />
      <KeepEvidence />
      <RealityCheck />
      <RenewPush />
    </>
  );
}
