import { Late, nothing } from '@sathorn/app/late';
import { Overlays } from '@sathorn/app/shell';
import { NoticeModal } from './notices/notice-modal.tsx';
import { OrderNews } from './options/order-news.tsx';

/** Late enough not to delay the first paint. */
const KEEP_AFTER_MS = 3_000;
const pageIsThere = () =>
  new Promise((resolve) => {
    setTimeout(resolve, KEEP_AFTER_MS);
  });
const loadEvidence = async () => {
  await pageIsThere();
  return import('./receipts/keep-evidence.tsx');
};

// Its service worker downloads the app once more, for visits without a connection.
const loadUpdatePrompt = async () => {
  await pageIsThere();
  return import('./shell/update-prompt.tsx');
};

const loadRealityCheck = async () => {
  await pageIsThere();
  return import('./safeguards/reality-check.tsx');
};

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
    </>
  );
}
