import { listMessages, listUnreadMessages, markMessagesRead } from '@sathorn/api';
import { callServer, failureText, readKey } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { Confirm, useIsSheetOpen, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useUnreadNotices } from '../parts/notices/unread-notices.ts';
import { screenOf } from '../paths.ts';
import { NoticeWords } from './notice-words.tsx';

/** Shows the first unread notice over any page, but not over a sheet. Pressing it marks it as read. */
export function NoticeModal() {
  const texts = useText();
  const { t } = texts;
  const { address, navigate } = useNavigation();
  const queries = useQueryClient();
  const { first } = useUnreadNotices();
  const [doneWith, setDoneWith] = useState<string>();
  // Not shown during sign-in or over the notices page.
  const path = screenOf(address)?.path ?? '';
  const isQuietPage = path.startsWith('/pages/login/') || path === '/pages/index/msgList';

  const read = async () => {
    if (!first || first.id === doneWith) return;
    // Closes at once, because on a dead connection it would cover everything for a minute. It is not shown again during
    // this visit, even if the server did not receive the mark.
    setDoneWith(first.id);
    const answer = await callServer(markMessagesRead, { ids: first.id });
    if (!answer.ok && answer.code !== 'session_required') showToast(failureText(answer, texts), 'danger');
    void queries.invalidateQueries({ queryKey: readKey(listUnreadMessages) });
    void queries.invalidateQueries({ queryKey: readKey(listMessages) });
  };

  const isSheetOpen = useIsSheetOpen();
  const isOpen = first !== undefined && first.id !== doneWith && !isQuietPage && !isSheetOpen;
  // Keeps its text while it closes.
  const [shown, setShown] = useState(first);
  if (isOpen && first !== shown) setShown(first);
  return (
    <Confirm
      open={isOpen}
      title={shown?.title ?? ''}
      confirmLabel={t('notice.understood')}
      onConfirm={read}
      onCancel={read}
    >
      {shown && (
        <NoticeWords
          notice={shown}
          onPage={(path) => {
            void read();
            navigate(path);
          }}
        />
      )}
    </Confirm>
  );
}
