import { Late, nothing } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { Overlays } from '@sathorn/app/shell';
import { NoticeModal } from './notices/notice-modal.tsx';
import { OrderNews } from './options/order-news.tsx';

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
const loadFirstTrade = () => import('./options/first-trade.tsx');
// Its service worker downloads the app once more, for visits without a connection.
const loadUpdatePrompt = later('UpdatePrompt');

/** Overlays that load after the page, in a chunk of their own, so that the first paint does not wait for them. */
export default function Companions() {
  const { query } = useNavigation();
  return (
    <>
      <NoticeModal />
      <OrderNews />
      <Overlays />
      {query.has('led') && <Late load={loadFirstTrade} failed={nothing} />}
      <Late load={loadUpdatePrompt} failed={nothing} />
      <Late load={loadEvidence} failed={nothing} />
      <Late load={loadRealityCheck} failed={nothing} />
      <Late load={loadPush} failed={nothing} />
    </>
  );
}
