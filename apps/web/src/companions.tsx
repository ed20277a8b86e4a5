import { Late, nothing } from '@sathorn/app/late';
import { Overlays } from '@sathorn/app/shell';
import { NoticeModal } from './notices/notice-modal.tsx';
import { OrderNews } from './options/order-news.tsx';
import { UpdatePrompt } from './shell/update-prompt.tsx';

/** Late enough not to delay the first paint. */
const KEEP_AFTER_MS = 3_000;
const loadEvidence = async () => {
  await new Promise((resolve) => {
    setTimeout(resolve, KEEP_AFTER_MS);
  });
  return import('./receipts/keep-evidence.tsx');
};

const loadRealityCheck = async () => {
  await new Promise((resolve) => {
    setTimeout(resolve, KEEP_AFTER_MS);
  });
  return import('./safeguards/reality-check.tsx');
};

/** Overlays that load after the page, in a chunk of their own, so that the first paint does not wait for them. */
export default function Companions() {
  return (
    <>
      <NoticeModal />
      <OrderNews />
      <Overlays />
      <UpdatePrompt />
      <Late load={loadEvidence} failed={nothing} />
      <Late load={loadRealityCheck} failed={nothing} />
    </>
  );
}
