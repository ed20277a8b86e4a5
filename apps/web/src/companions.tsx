import { Late, nothing } from '@sathorn/app/late';
import { Overlays } from '@sathorn/app/shell';
import { NoticeModal } from './notices/notice-modal.tsx';
import { OrderNews } from './options/order-news.tsx';

/** Late enough not to delay the first paint. */
const LATER_MS = 3_000;
const later =
  <Part,>(load: () => Promise<Part>) =>
  async (): Promise<Part> => {
    await new Promise((resolve) => {
      setTimeout(resolve, LATER_MS);
    });
    return load();
  };
const loadEvidence = later(() => import('./receipts/keep-evidence.tsx'));
const loadRealityCheck = later(() => import('./safeguards/reality-check.tsx'));
const loadPush = later(() => import('./push/renew-push.tsx'));
// Its service worker downloads the app once more, for visits without a connection.
const loadUpdatePrompt = later(() => import('./shell/update-prompt.tsx'));

/** Overlays that load after the page, in a chunk of their own, so that the first paint does not wait for them. */
export default function Companions() {
  return (
    <>
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
