import { Late, nothing } from '@sathorn/app/late';
import { Overlays } from '@sathorn/app/shell';
import { DESK, useMedia } from '@sathorn/ui';
import { NoticeModal } from './notices/notice-modal.tsx';
import { OrderNews } from './options/order-news.tsx';
import { followWay } from './shell/follow-way.ts';

const loadDesk = () => import('./desk/desk-keys.tsx');

/** Late enough not to delay the first paint. */
const LATER_MS = 3_000;
type Afterwards = typeof import('./afterwards.tsx');
const later = (name: keyof Afterwards) => async () => {
  await new Promise((resolve) => {
    setTimeout(resolve, LATER_MS);
  });
  return { default: (await import('./afterwards.tsx'))[name] };
};
const loadEvidence = later('KeepEvidence');
const loadRealityCheck = later('RealityCheck');
const loadPush = later('RenewPush');
// Its service worker downloads the app once more, for visits without a connection.
const loadUpdatePrompt = later('UpdatePrompt');

followWay();

/** Overlays that load after the page, in a chunk of their own, so that the first paint does not wait for them. */
export default function Companions() {
  const isDesk = useMedia(DESK);
  return (
    <>
      {isDesk && <Late load={loadDesk} failed={nothing} />}
      <NoticeModal />
      <OrderNews />
      <Overlays />
      <Late load={loadUpdatePrompt} failed={nothing} />
      <Late load={loadEvidence} failed={nothing} />
      <Late load={loadRealityCheck} failed={nothing} />
      <Late load={loadPush} failed={nothing} />
    </>
  );
}
