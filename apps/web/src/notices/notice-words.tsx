import type { Message } from '@sathorn/api';
import { Late, type LoadPart } from '@sathorn/app/late';
import { keepWordsWhole } from '@sathorn/text';
import type { NoticeBodyProps } from './notice-body.tsx';

const loadBody: LoadPart<NoticeBodyProps> = () => import('./notice-body.tsx');

/** Draws a formatted notice. Until the formatting code has loaded, or if that fails, the notice is plain text. */
export function NoticeWords({ notice, onPage }: { notice: Message; onPage: (path: string) => void }) {
  const plain = keepWordsWhole(notice.content);
  const { body } = notice;
  if (!body) return plain;
  return (
    <Late load={loadBody} waiting={plain} failed={() => plain}>
      {(NoticeBody) => <NoticeBody body={body} onPage={onPage} />}
    </Late>
  );
}
