import { readPicture, type SupportMessage, type SupportState } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { PageBar } from '@sathorn/app/shell';
import { serverNowMs } from '@sathorn/app/stream';
import { formatCount, formatDate, formatPercent } from '@sathorn/text';
import { Avatar, Button, Card, EmptyState, ErrorState, Icon, ProgressBar, Skeleton, useText } from '@sathorn/ui';
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { uploadPicture } from '../parts/forms/upload-picture.ts';
import { NeverAskNote } from './never-ask-note.tsx';
import { firstUnreadNumber, type UnsentMessage } from './talk.ts';
import {
  dropUnsentMessage,
  markMessagesSeen,
  readEarlierMessages,
  reportTyping,
  resendMessage,
  useSupportTalk,
  writeMessage,
} from './use-support-talk.ts';

const TEXT_MAX = 2_000;
/** Within this distance from the end, new messages are scrolled into view. */
const NEAR_PX = 160;

export function Conversation() {
  const texts = useText<'service'>();
  const all = useText();
  const { t, presentation } = texts;
  const { messages, unsent, state, earlier, isRead, failure, again } = useSupportTalk();
  const typing = useIsTyping(state?.types_until ?? null);
  const agent = state?.agent ?? null;
  // The "new" line keeps its place from when the page was opened, and does not move while messages are read.
  const [lineAt, setLineAt] = useState<number | null>();
  useEffect(() => {
    if (isRead && state && lineAt === undefined) setLineAt(firstUnreadNumber(messages, state.unread));
  }, [isRead, state, messages, lineAt]);
  useMarkSeen(messages, state?.unread ?? 0);
  const end = useFollow(messages.length + unsent.length + (typing ? 1 : 0), isRead);

  const newAfter = messages.filter(({ number, author }) => author === 'staff' && number >= (lineAt ?? Infinity)).length;
  return (
    <>
      <PageBar
        title={
          <span className="service-who">
            <span className="service-name">
              {agent !== null && <Avatar name={agent} size={34} />}
              <span>
                <bdi>{agent ?? t('service.team')}</bdi>
                {state && <small>{answersIn(state, texts)}</small>}
              </span>
            </span>
          </span>
        }
      />
      <div className="page service">
        <NeverAskNote />
        {!isRead && failure && (
          <Card>
            <ErrorState title={t('service.failed')} action={{ label: t('shell.try_again'), onPress: again }}>
              {failureText(failure, all)}
            </ErrorState>
          </Card>
        )}
        {!isRead && !failure && (
          <div className="service-talk" role="status" aria-label={t('shell.loading')}>
            <Skeleton height={54} width="62%" />
            <Skeleton height={54} width="48%" />
          </div>
        )}
        {isRead && messages.length + unsent.length === 0 && (
          <Card>
            <EmptyState picture="headset" title={t('service.empty_title')}>
              {t('service.empty')}
            </EmptyState>
          </Card>
        )}
        {earlier !== null && (
          <Button look="soft" size="small" onClick={() => void readEarlierMessages()}>
            {t('service.earlier')}
          </Button>
        )}
        <div role="log" aria-label={t('service.conversation')}>
          <ol className="service-talk">
            {messages.map((message, place) => (
              <Fragment key={message.number}>
                {isNewDay(message.at, messages[place - 1]?.at) && (
                  <li className="service-day">{formatDate(message.at, 'date', presentation)}</li>
                )}
                {message.number === lineAt && <li className="service-new">{t('service.new', { count: newAfter })}</li>}
                <Bubble message={message} isReadByStaff={message.number <= (state?.read_by_staff ?? 0)} />
              </Fragment>
            ))}
            {unsent.map((one) => (
              <Waiting key={one.id} unsent={one} />
            ))}
            {typing && (
              <li className="service-row" data-of="staff">
                <span
                  className="service-typing"
                  role="status"
                  aria-label={t('service.types', { name: agent ?? t('service.team') })}
                >
                  <i />
                  <i />
                  <i />
                </span>
              </li>
            )}
          </ol>
        </div>
        {state && !state.is_open && state.last > 0 && <p className="service-closed">{t('service.closed')}</p>}
        <div ref={end} />
      </div>
      <Composer />
    </>
  );
}

const isNewDay = (at: string, before: string | undefined): boolean =>
  before === undefined || new Date(at).toDateString() !== new Date(before).toDateString();

function useIsTyping(until: string | null): boolean {
  const [isTyping, setTyping] = useState(false);
  useEffect(() => {
    const left = until === null ? 0 : Date.parse(until) - serverNowMs();
    setTyping(left > 0);
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setTyping(false), left);
    return () => clearTimeout(timer);
  }, [until]);
  return isTyping;
}

/** Marks an answer as seen once the page that shows it is visible. */
function useMarkSeen(messages: readonly SupportMessage[], unread: number): void {
  const last = messages.findLast(({ author }) => author === 'staff')?.number ?? 0;
  useEffect(() => {
    if (unread === 0 || last === 0) return undefined;
    const tell = () => document.visibilityState === 'visible' && markMessagesSeen(last);
    tell();
    document.addEventListener('visibilitychange', tell);
    return () => document.removeEventListener('visibilitychange', tell);
  }, [last, unread]);
}

/** Scrolls to new messages while the reader is at the end, but not while they read older messages. */
function useFollow(count: number, isRead: boolean) {
  const end = useRef<HTMLDivElement>(null);
  const wasRead = useRef(false);
  const distance = useRef(0);
  useEffect(() => {
    const measure = () => {
      distance.current = document.documentElement.scrollHeight - scrollY - innerHeight;
    };
    addEventListener('scroll', measure, { passive: true });
    return () => removeEventListener('scroll', measure);
  }, []);
  useLayoutEffect(() => {
    if (count === 0 || !isRead) return;
    if (!wasRead.current || distance.current < NEAR_PX) scrollTo({ top: document.documentElement.scrollHeight });
    wasRead.current = true;
  }, [count, isRead]);
  return end;
}

function Bubble({ message, isReadByStaff }: { message: SupportMessage; isReadByStaff: boolean }) {
  const { t, presentation } = useText<'service'>();
  const isOwn = message.author === 'customer';
  return (
    <li className="service-row" data-of={message.author}>
      {!isOwn && <Avatar name={message.by ?? ''} size={26} />}
      <div>
        <span className="unseen">{isOwn ? t('service.you') : message.by}</span>
        {message.picture !== null && <Picture id={message.picture} />}
        {message.text !== '' && (
          <p className="service-bubble" dir="auto">
            {message.text}
          </p>
        )}
        <p className="service-at num">
          <time dateTime={message.at}>{formatDate(message.at, 'time', presentation)}</time>
          {isOwn && isReadByStaff && <span>{t('service.read')}</span>}
        </p>
      </div>
    </li>
  );
}

function Picture({ id }: { id: string }) {
  const { t } = useText<'service'>();
  const { data } = useRead(readPicture, { id }, { freshForMs: 3_600_000 });
  if (!data) return <Skeleton height={140} width={200} />;
  return <img className="service-picture" src={data.data_url} alt={t('service.picture')} />;
}

function Waiting({ unsent }: { unsent: UnsentMessage }) {
  const { t } = useText<'service'>();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 3_000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <li className="service-row" data-of="customer" data-waits="">
      <div>
        {unsent.image !== null && (
          <span className="service-file">
            <Icon name="document" size={22} /> {t('service.picture')}
          </span>
        )}
        {unsent.text !== '' && (
          <p className="service-bubble" dir="auto">
            {unsent.text}
          </p>
        )}
        {unsent.refused === null ? (
          <p className="service-at">{t(isLate ? 'service.waits' : 'service.sending')}</p>
        ) : (
          <div className="service-refused" role="alert">
            <span>{unsent.refused}</span>
            <button type="button" onClick={() => resendMessage(unsent.id)}>
              {t('service.again')}
            </button>
            <button type="button" onClick={() => dropUnsentMessage(unsent.id)}>
              {t('service.drop')}
            </button>
          </div>
        )}
      </div>
    </li>
  );
}

function Composer() {
  const { t, presentation } = useText<'service'>();
  const all = useText();
  const [text, setText] = useState('');
  const [share, setShare] = useState<number | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const file = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (!field.current) return;
    field.current.style.blockSize = 'auto';
    field.current.style.blockSize = `${text === '' ? 48 : Math.min(field.current.scrollHeight, 140)}px`;
  }, [text]);

  const send = () => {
    if (text.trim() === '') return;
    writeMessage(text.trim(), null);
    setText('');
    field.current?.focus();
  };
  const add = async (chosen: File | undefined) => {
    if (file.current) file.current.value = '';
    if (!chosen) return;
    setFault(null);
    setShare(0);
    const answer = await uploadPicture(chosen, setShare);
    setShare(null);
    if (!answer.ok) return setFault(answer.isAnswered ? failureText(answer, all) : all.t('said.upload_failed'));
    writeMessage('', answer.data.id);
  };
  const percent = formatPercent((share ?? 0).toFixed(2), presentation, { maxDecimals: 0 });
  return (
    <form
      className="service-composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {share !== null && <ProgressBar share={share} label={t('service.uploading', { percent })} />}
      {fault && (
        <p className="service-fault" role="alert">
          {fault}
        </p>
      )}
      <div className="service-line">
        <label className="service-add" data-busy={share === null ? undefined : ''}>
          <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
            <path d="M3 4h18v16H3zM3 17l5-5 4 4 3-3 6 5M15.5 9.5h.01" />
          </svg>
          <span className="unseen">{t('service.add_picture')}</span>
          <input
            ref={file}
            className="unseen"
            type="file"
            accept="image/jpeg,image/png,image/webp"
            disabled={share !== null}
            onChange={({ target }) => void add(target.files?.[0])}
          />
        </label>
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          maxLength={TEXT_MAX}
          value={text}
          placeholder={t('service.message')}
          aria-label={t('service.message')}
          onChange={({ target }) => {
            setText(target.value);
            if (target.value !== '') reportTyping();
          }}
          onKeyDown={(event) => {
            // On a computer Enter sends and Shift+Enter starts a line; on a phone Enter starts a line.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            if (!matchMedia('(pointer: fine)').matches) return;
            event.preventDefault();
            send();
          }}
        />
        <button type="submit" className="service-send" disabled={text.trim() === ''} aria-label={t('service.send')}>
          <svg className="flip" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
            <path d="M21 3L3 10l7 3 3 7zM21 3L10 13" />
          </svg>
        </button>
      </div>
    </form>
  );
}

/** Says how soon somebody will answer. */
function answersIn(state: SupportState, { t, presentation }: ReturnType<typeof useText<'service'>>): string {
  const { opens_at: opensAt, usual_minutes: usual, promised_minutes: promised } = state;
  if (opensAt !== null) return t('service.opens', { time: formatDate(opensAt, 'dayTime', presentation) });
  return usual === null
    ? t('service.promise', { minutes: formatCount(promised, presentation) })
    : t('service.usual', { minutes: formatCount(usual, presentation) });
}
