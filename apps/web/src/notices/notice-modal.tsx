import { listMessages, listUnreadMessages, type Message, markMessagesRead } from '@sathorn/api';
import { callServer, failureText, readQueryKey } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { Confirm, useIsSheetOpen, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useUnreadNotices } from '../parts/notices/unread-notices.ts';
import { useVisitState } from '../parts/notices/visit-state.ts';
import { screenOf } from '../paths.ts';
import { NoticeWords } from './notice-words.tsx';

const LIST = '/pages/index/msgList';
/** From this number of unread notices on, the modal names only the newest and offers to read all. */
const TOGETHER_FROM = 3;
const ARRIVAL_TOAST_MS = 6_000;

/** The notice in the modal. It stays set while the modal closes, so that the text does not disappear first. */
interface Shown {
  readonly notice: Message;
  readonly count: number;
}

/** On a slow connection the list may arrive when the customer has begun to type. */
const isTyping = () => document.activeElement?.matches('input, textarea, select') ?? false;

/**
 * Shows the first unread notice at launch and after a navigation, once per notice, and not over a sheet. The button
 * marks the notice as read. A notice that arrives in between is a toast, because the customer may be typing.
 */
export function NoticeModal() {
  const texts = useText();
  const { t } = texts;
  const { address, navigate } = useNavigation();
  const queries = useQueryClient();
  const { first, count, hasArrival } = useUnreadNotices();
  const [doneWith, setDoneWith] = useState<string>();
  const [stage, setStage] = useVisitState<'waiting' | 'open' | 'done'>('waiting');
  const [shown, setShown] = useState<Shown>();
  // The modal does not open during sign-in or over the notices page.
  const path = screenOf(address)?.path ?? '';
  const isQuietPage = path.startsWith('/pages/login/') || path === LIST;
  const isSheetOpen = useIsSheetOpen();

  const isDue = first !== undefined && first.id !== doneWith && !isQuietPage && !isSheetOpen;
  const isOpen = isDue && (stage === 'open' || (stage === 'waiting' && !hasArrival && !isTyping()));
  // While the customer is typing, the modal waits for the next navigation. It does not open when the field loses the
  // focus, because the customer may be pressing a button then.
  if (isDue && !isOpen && stage === 'waiting' && isTyping()) setStage('done');
  if (isOpen && stage !== 'open') {
    setStage('open');
    setShown({ notice: first, count });
  }

  const arrival = hasArrival && isDue && !isOpen ? first : undefined;
  useEffect(() => {
    if (arrival === undefined) return;
    showToast(arrival.title, 'plain', {
      durationMs: ARRIVAL_TOAST_MS,
      about: 'notice',
      action: { label: t('notice.show'), onPress: () => navigate(LIST) },
    });
  }, [arrival, navigate, t]);

  const close = async (ids: string | null) => {
    if (shown === undefined || stage === 'done') return;
    // Closes at once, because on a dead connection the modal would cover everything for a minute. It does not open
    // again during this visit, even if the server has not received the mark.
    setStage('done');
    setDoneWith(shown.notice.id);
    if (ids === null) return;
    const answer = await callServer(markMessagesRead, { ids });
    if (!answer.ok && answer.code !== 'session_required') showToast(failureText(answer, texts), 'danger');
    void queries.invalidateQueries({ queryKey: readQueryKey(listUnreadMessages) });
    void queries.invalidateQueries({ queryKey: readQueryKey(listMessages) });
  };
  const read = () => void close(shown?.notice.id ?? null);

  if (shown !== undefined && shown.count >= TOGETHER_FROM)
    return (
      <Confirm
        open={isOpen}
        title={t('notice.many', { count: shown.count })}
        confirmLabel={t('notice.show')}
        cancelLabel={t('notice.all_read')}
        onConfirm={() => {
          void close(null);
          navigate(LIST);
        }}
        onCancel={() => void close('all')}
      >
        <p>{t('notice.newest', { title: shown.notice.title })}</p>
      </Confirm>
    );
  return (
    <Confirm
      open={isOpen}
      title={shown?.notice.title ?? ''}
      confirmLabel={t('notice.understood')}
      onConfirm={read}
      onCancel={read}
    >
      {shown && (
        <NoticeWords
          notice={shown.notice}
          onPage={(path) => {
            read();
            navigate(path);
          }}
        />
      )}
    </Confirm>
  );
}
