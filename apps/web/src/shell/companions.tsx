import { lazy } from 'react';
import { Extra } from '../parts/late/extra.tsx';
import { NoticeModal } from './notice-modal.tsx';
import { OrderNews } from './order-news.tsx';
import { Overlays } from './overlays.tsx';
import { UpdatePrompt } from './update-prompt.tsx';

/** Long after the first paint, which it must not cost anything. */
const KEEP_AFTER_MS = 3_000;
const KeepEvidence = lazy(async () => {
  await new Promise((resolve) => {
    setTimeout(resolve, KEEP_AFTER_MS);
  });
  return import('../evidence/keep-evidence.tsx');
});

/** What comes over the page after it is there: in a chunk of its own, which the first paint does not wait for. */
export default function Companions() {
  return (
    <>
      <NoticeModal />
      <OrderNews />
      <Overlays />
      <UpdatePrompt />
      <Extra>
        <KeepEvidence />
      </Extra>
    </>
  );
}
