import { NoticeModal } from './notice-modal.tsx';
import { OrderNews } from './order-news.tsx';
import { Overlays } from './overlays.tsx';
import { UpdatePrompt } from './update-prompt.tsx';

/** What comes over the page after it is there: in a chunk of its own, which the first paint does not wait for. */
export default function Companions() {
  return (
    <>
      <NoticeModal />
      <OrderNews />
      <Overlays />
      <UpdatePrompt />
    </>
  );
}
