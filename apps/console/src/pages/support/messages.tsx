import { openSupportPicture, readSupportThread, type SupportCase } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { serverNowMs } from '@sathorn/app/stream';
import { Button, Icon } from '@sathorn/ui';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';

export function Messages({ thread, mayOpen }: { thread: SupportCase; mayOpen: boolean }) {
  const { t, dateTime } = useTexts();
  const [earlier, setEarlier] = useState<SupportCase['items']>([]);
  const [next, setNext] = useState<string | null>();
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message scrolls the end into view
  useLayoutEffect(() => {
    // In newer browsers `scrollIntoView` returns a promise, which React must not take for a clean-up function.
    void end.current?.scrollIntoView({ block: 'end' });
  }, [thread.last]);
  const before = next === undefined ? thread.next : next;
  const known = new Set(thread.items.map(({ number }) => number));
  const items = [...earlier.filter(({ number }) => !known.has(number)), ...thread.items];
  const isTyping = useIsTyping(thread.customer_types_until);
  const fraud = items.findLast(({ smells_of_fraud: smells }) => smells);
  return (
    <div className="scroll bd support-messages" role="log" aria-label={t('support.title')}>
      {before !== null && (
        <Button
          size="small"
          look="plain"
          onClick={async () => {
            const read = await callServer(readSupportThread, { id: thread.id, page: before });
            if (!read.ok) return;
            setEarlier((already) => [...read.data.items, ...already]);
            setNext(read.data.next);
          }}
        >
          {t('support.earlier')}
        </Button>
      )}
      {items.map((message) => (
        <div key={message.number} className="support-message" data-of={message.author}>
          {message.text !== '' && (
            <p className="support-bubble" dir="auto">
              {message.text}
            </p>
          )}
          {message.picture !== null && <Picture id={thread.id} number={message.number} mayOpen={mayOpen} />}
          {message.number === fraud?.number && (
            <p className="note" data-look="danger">
              <b>{t('support.fraud')}</b> {t('support.fraud_why')}
            </p>
          )}
          <p className="c">
            {message.by ?? <bdi>{thread.customer?.username ?? t('support.visitor')}</bdi>} · {dateTime(message.at)}
            {message.ready && ` · /${message.ready}`}
            {message.author === 'staff' && message.number <= thread.read_by_customer && ` · ${t('support.read')}`}
          </p>
        </div>
      ))}
      {isTyping && <p className="c">{t('support.types')}</p>}
      <div ref={end} />
    </div>
  );
}

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

/** Every view of a picture is logged, so it opens only when pressed, not by scrolling past it. */
function Picture({ id, number, mayOpen }: { id: string; number: number; mayOpen: boolean }) {
  const { t } = useTexts();
  const open = useAct(openSupportPicture);
  const [url, setUrl] = useState<string | null>(null);
  if (url) return <img className="support-picture" src={url} alt={t('support.picture')} draggable={false} />;
  return (
    <>
      <button
        type="button"
        className="chip"
        disabled={!mayOpen}
        onClick={async () => {
          const seen = await open.run({ id, number: String(number) });
          if (seen.ok) setUrl(seen.data.data_url);
        }}
      >
        <Icon name="eye" size={14} /> {t('support.picture')}
      </button>
      <RefusalNote refused={open.refused} />
    </>
  );
}
