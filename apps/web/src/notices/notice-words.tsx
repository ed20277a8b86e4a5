import type { Message } from '@sathorn/api';
import { Late, type LoadPart } from '@sathorn/app/late';
import { keepWordsWhole } from '@sathorn/text';
import type { NoticeBodyProps } from './notice-body.tsx';

const loadBody: LoadPart<NoticeBodyProps> = () => import('./notice-body.tsx');

/** A notice with its marks where an operator wrote it; as plain words while their code loads, and if it can't. */
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
