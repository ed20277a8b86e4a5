import { listMessages, listUnreadMessages, type Message, markMessagesRead } from '@sathorn/api';
import { readQueryKey, rowsOfPages, useCall, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { formatCount, formatDate, keepWordsWhole } from '@sathorn/text';
import { Card, EmptyState, Tabs, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ListEnd } from '../parts/list/list-end.tsx';
import { NoRows } from '../parts/list/no-rows.tsx';
import { useUnreadCount } from '../parts/notices/unread-notices.ts';
import { NoticeWords } from './notice-words.tsx';
import './notice-list.css';

const STATUSES = ['all', 'unread'] as const;
type Status = (typeof STATUSES)[number];

/** `#/pages/index/msgList`: the list of notices. */
export default function NoticeList() {
  const texts = useText();
  const { t, presentation } = texts;
  const queries = useQueryClient();
  const [status, setStatus] = useState<Status>('all');
  const list = useReadPages(listMessages, { status }, { freshForMs: 0 });
  const notices = rowsOfPages(list.data);
  const mark = useCall(markMessagesRead, { withoutOverlay: true });
  // Notices that the customer reads during this visit stay in the unread list and only lose their mark.
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  const isUnread = (notice: Message) => notice.status === 'unread' && !read.has(notice.id);
  // The number of unread notices over all pages, including pages that are not loaded.
  const unread = useUnreadCount();

  const markRead = async (ids: readonly string[], all = false) => {
    const answer = await mark.submit({ ids: all ? 'all' : ids.join(',') });
    if (!answer.ok) return;
    setRead((before) => new Set([...before, ...ids]));
    void queries.invalidateQueries({ queryKey: readQueryKey(listUnreadMessages) });
  };
  const switchTo = (next: Status) => {
    setStatus(next);
    setRead(new Set());
    void queries.invalidateQueries({ queryKey: readQueryKey(listMessages) });
  };

  return (
    <div className="page">
      <Tabs
        label={t('screen.notices')}
        tabs={STATUSES.map((value) => ({
          value,
          label:
            value === 'unread' && unread > 0
              ? t('notices.unread_count', { count: formatCount(unread, presentation) })
              : t(`notices.${value}`),
        }))}
        value={status}
        onChange={switchTo}
        panelId="notices"
      />
      <div id="notices" role="tabpanel" aria-label={t(`notices.${status}`)} className="notices">
        {unread > 0 && (
          <button
            type="button"
            className="notices-all"
            disabled={mark.isBusy}
            onClick={() =>
              void markRead(
                notices.map(({ id }) => id),
                true,
              )
            }
          >
            {t('notices.read_all')}
          </button>
        )}
        {notices.length > 0 ? (
          <>
            {notices.map((notice) => (
              <Notice
                key={notice.id}
                notice={notice}
                isUnread={isUnread(notice)}
                onRead={() => void markRead([notice.id])}
              />
            ))}
            <ListEnd list={list} />
          </>
        ) : (
          <Card tight>
            <NoRows
              list={list}
              failed={t('notices.failed')}
              none={
                status === 'all' ? (
                  <EmptyState picture="bell" title={t('notices.none')} />
                ) : (
                  <EmptyState
                    picture="bell"
                    title={t('notices.none_unread')}
                    action={{ label: t('notices.show_all'), onPress: () => switchTo('all') }}
                  />
                )
              }
              rows={5}
            />
          </Card>
        )}
      </div>
    </div>
  );
}

/** A notice that expands to its full text, which marks it as read. */
function Notice({ notice, isUnread, onRead }: { notice: Message; isUnread: boolean; onRead: () => void }) {
  const { t, presentation } = useText();
  const { navigate } = useNavigation();
  return (
    <Card className="notice">
      <details
        onToggle={(event) => {
          if (event.currentTarget.open && isUnread) onRead();
        }}
      >
        <summary>
          <span className="notice-head">
            {isUnread && (
              <span className="notice-dot">
                <span className="unseen">{t('notices.unread')}</span>
              </span>
            )}
            <h2>{notice.title}</h2>
            <time className="cap num" dateTime={notice.at}>
              {formatDate(notice.at, 'dayTime', presentation)}
            </time>
          </span>
          <span className="notice-start" aria-hidden="true">
            {keepWordsWhole(notice.content)}
          </span>
        </summary>
        <div className="notice-text">
          <NoticeWords notice={notice} onPage={navigate} />
        </div>
      </details>
    </Card>
  );
}
