import { listMessages, listUnreadMessages, markMessagesRead } from '@sathorn/api';
import { callServer, failureText, readKey } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { keepWordsWhole } from '@sathorn/text';
import { Confirm, useIsSheetOpen, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useUnreadNotices } from '../parts/notices/unread-notices.ts';
import { screenOf } from '../paths.ts';

/** The first unread notice, over whatever page is open, but not over a sheet; pressing it marks it read. */
export function NoticeModal() {
  const texts = useText();
  const { t } = texts;
  const { address } = useNavigation();
  const queries = useQueryClient();
  const { first } = useUnreadNotices();
  const [doneWith, setDoneWith] = useState<string>();
  // Not while somebody signs in, and not over the notices themselves.
  const path = screenOf(address)?.path ?? '';
  const isQuietPage = path.startsWith('/pages/login/') || path === '/pages/index/msgList';

  const read = async () => {
    if (!first || first.id === doneWith) return;
    // Closed at once: on a dead connection the modal would otherwise cover everything for a minute. It is not shown
    // again on this visit, even if the server did not receive the mark.
    setDoneWith(first.id);
    const answer = await callServer(markMessagesRead, { ids: first.id });
    if (!answer.ok && answer.code !== 'session_required') showToast(failureText(answer, texts), 'danger');
    void queries.invalidateQueries({ queryKey: readKey(listUnreadMessages) });
    void queries.invalidateQueries({ queryKey: readKey(listMessages) });
  };

  const isSheetOpen = useIsSheetOpen();
  const isOpen = first !== undefined && first.id !== doneWith && !isQuietPage && !isSheetOpen;
  // While it closes, it says what it said.
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
      {keepWordsWhole(shown?.content ?? '')}
    </Confirm>
  );
}
