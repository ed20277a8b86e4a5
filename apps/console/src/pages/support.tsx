import {
  answerSupport,
  closeSupport,
  handOverSupport,
  listReadyAnswers,
  listSupportThreads,
  markThreadRead,
  noteSupport,
  openSupportPicture,
  readProfile,
  readSupportThread,
  type SupportCase,
  takeSupportThread,
  typeAnswer,
} from '@sathorn/api';
import { callServer, createIntentKey, useRead } from '@sathorn/app/client';
import { Button, Icon } from '@sathorn/ui';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useKeys } from '../keys.ts';
import { may, useOperator } from '../operator.ts';
import { CasePage } from '../parts/case-page.tsx';
import { Field, TextArea } from '../parts/field.tsx';
import { Clock, Facts, KeyHint, Tag } from '../parts/parts.tsx';
import { Loaded, Refusal } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { goTo, hashOf, useRoute } from '../route.ts';
import { Dialog } from '../shell/dialog.tsx';
import { Top } from '../shell/top.tsx';
import { useAct } from '../use-act.ts';
import { ReadyAnswers } from './ready-answers.tsx';
import './support.css';

const LANGUAGES = ['en', 'th', 'zh', 'jp', 'ar', 'hi'] as const;
type SupportLanguage = (typeof LANGUAGES)[number];
const TABS = ['open', 'mine', 'waiting', 'closed'] as const;
const EVERY_MS = 2_000;
const TYPING_EVERY_MS = 3_000;

export default function Support() {
  const { t } = useTexts();
  const operator = useOperator();
  const { filter } = useRoute();
  const isAnswering = may(operator, ['support', 'compliance', 'admin']);
  const tab = isAnswering ? (filter.tab ?? 'open') : 'ready';
  const status = TABS.find((one) => one === tab) ?? 'open';
  const lang = LANGUAGES.find((one) => one === filter.lang);
  const query = useRead(
    listSupportThreads,
    { status, ...(lang && { lang }) },
    { everyMs: EVERY_MS, enabled: isAnswering },
  );
  const counts = query.data?.counts;
  const tabs = [
    ...(isAnswering
      ? [
          { name: 'open', label: t('support.open'), count: counts?.open },
          { name: 'mine', label: t('support.mine'), count: counts?.mine },
          { name: 'waiting', label: t('support.waiting') },
          { name: 'closed', label: t('support.closed') },
        ]
      : []),
    { name: 'ready', label: t('support.ready') },
  ];
  if (tab === 'ready')
    return (
      <>
        <Top
          title={t('support.title')}
          isStale={false}
          tabs={tabs}
          current="ready"
          onTab={(name) => goTo('support', null, { tab: name })}
        />
        <ReadyAnswers />
      </>
    );
  return (
    <div className="support-page">
      <CasePage
        page="support"
        title={t('support.title')}
        tabs={tabs}
        tab={tab}
        at={lang ? { lang } : {}}
        query={query}
        items={({ items }) => items}
        empty={t('support.none')}
        head={
          <div className="hd">
            <select
              className="field"
              aria-label={t('support.all_languages')}
              value={lang ?? ''}
              onChange={({ target }) =>
                goTo('support', null, { tab, ...(target.value !== '' && { lang: target.value }) })
              }
            >
              <option value="">{t('support.all_languages')}</option>
              {LANGUAGES.map((one) => (
                <option key={one} value={one}>
                  {t(`support.language.${one}`)}
                </option>
              ))}
            </select>
          </div>
        }
        line={(item) => (
          <>
            <span className="row sp">
              <b>
                <bdi>{item.customer.username}</bdi>
              </b>
              {item.waiting_since && item.promised_at ? (
                <Clock due={item.promised_at} from={item.waiting_since} />
              ) : (
                <span className="sm ok">{t('support.answered')}</span>
              )}
            </span>
            <span className="row sp c">
              <bdi className="support-excerpt">{item.excerpt}</bdi>
              <span>
                {item.unread > 0 && <b className="support-unread">{item.unread}</b>} {item.language}
                {item.desk === 'compliance' && ` · ${t('support.handed', { desk: t('support.desk.compliance') })}`}
              </span>
            </span>
          </>
        )}
        foot={({ promised_minutes: minutes }) => <p className="foot c">{t('support.promise', { minutes })}</p>}
        pane={(id) => <Thread key={id} id={id} />}
      />
    </div>
  );
}

function Thread({ id }: { id: string }) {
  const { t } = useTexts();
  const operator = useOperator();
  const query = useRead(readSupportThread, { id }, { everyMs: EVERY_MS });
  const take = useAct(takeSupportThread);
  const close = useAct(closeSupport);
  const [isHanding, setHanding] = useState(false);
  const shown = query.data;
  const mayAnswer = may(operator, ['support', 'compliance']);
  const isMine = shown?.assigned_to?.id === operator?.id;
  const taking = () => shown && void take.run({ id, ...(shown.assigned_to && !isMine && { over: 'true' as const }) });
  useKeys({
    t: () => mayAnswer && !isMine && taking(),
    'shift+t': () => mayAnswer && !isMine && taking(),
    h: () => mayAnswer && setHanding(true),
    e: () => mayAnswer && void close.run({ id }),
    u: () => shown && goTo('customers', shown.customer.id),
  });
  // Messages on the screen of the operator who holds the conversation count as read, and the customer sees that.
  const last = shown?.last ?? 0;
  useEffect(() => {
    if (!mayAnswer || !isMine || last === 0 || document.visibilityState !== 'visible') return;
    void callServer(markThreadRead, { id, number: String(last) }, { idempotencyKey: crypto.randomUUID() });
  }, [id, last, isMine, mayAnswer]);
  return (
    <section className="card split pane support-pane">
      <Loaded query={query}>
        {(thread) => (
          <div className="support-two">
            <div className="split support-talk">
              <div className="hd line wrap">
                <h2>
                  <bdi>{thread.customer.username}</bdi> · {thread.customer.id}
                </h2>
                <Tag>{t(`support.language.${thread.language}`)}</Tag>
                {isMine ? (
                  <Tag look="brand">{t('support.yours')}</Tag>
                ) : (
                  thread.assigned_to && <Tag>{t('support.of', { name: thread.assigned_to.work_name })}</Tag>
                )}
                <span className="r">
                  {thread.waiting_since && thread.promised_at && (
                    <Clock due={thread.promised_at} from={thread.waiting_since} />
                  )}
                  {mayAnswer && !isMine && (
                    <Button size="small" look="soft" busy={take.isBusy} onClick={taking}>
                      {t(thread.assigned_to ? 'support.take_over' : 'support.take')} <KeyHint name="t" />
                    </Button>
                  )}
                  {mayAnswer && (
                    <Button size="small" look="soft" onClick={() => setHanding(true)}>
                      {t('support.hand_over')} <KeyHint name="h" />
                    </Button>
                  )}
                  {mayAnswer && thread.status === 'waiting' && (
                    <Button size="small" look="soft" busy={close.isBusy} onClick={() => void close.run({ id })}>
                      {t('support.close')} <KeyHint name="e" />
                    </Button>
                  )}
                </span>
              </div>
              <Refusal refused={take.refused ?? close.refused} />
              <Messages thread={thread} mayOpen={mayAnswer} />
              {mayAnswer && <Composer key={id} thread={thread} />}
            </div>
            <aside className="support-side">
              <Customer id={thread.customer.id} />
              <Steps thread={thread} mayNote={mayAnswer} />
            </aside>
          </div>
        )}
      </Loaded>
      {isHanding && <HandOver id={id} onClose={() => setHanding(false)} />}
    </section>
  );
}

function Messages({ thread, mayOpen }: { thread: SupportCase; mayOpen: boolean }) {
  const { t, dateTime } = useTexts();
  const [earlier, setEarlier] = useState<SupportCase['items']>([]);
  const [next, setNext] = useState<string | null>();
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what comes is scrolled into view
  useLayoutEffect(() => end.current?.scrollIntoView({ block: 'end' }), [thread.last]);
  const before = next === undefined ? thread.next : next;
  const known = new Set(thread.items.map(({ number }) => number));
  const items = [...earlier.filter(({ number }) => !known.has(number)), ...thread.items];
  const isTyping =
    thread.customer_types_until !== null && Date.parse(thread.customer_types_until) > Date.now() - EVERY_MS;
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
            {message.by ?? <bdi>{thread.customer.username}</bdi>} · {dateTime(message.at)}
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

/** Every view is logged, so a picture opens only when it is pressed, not by scrolling past it. */
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
      <Refusal refused={open.refused} />
    </>
  );
}

function Composer({ thread }: { thread: SupportCase }) {
  const { t, code } = useTexts();
  const { id, language } = thread;
  const answer = useAct(answerSupport);
  const ready = useRead(listReadyAnswers, { lang: language as SupportLanguage }, { freshForMs: 60_000 });
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const typedAtMs = useRef(0);
  const key = useRef(createIntentKey());
  const readyAnswer = ready.data?.find((one) => one.code === chosen);
  const send = async () => {
    if (!readyAnswer && text.trim() === '') return;
    const sent = await answer.run({ id, ...(readyAnswer ? { ready: readyAnswer.code } : { text: text.trim() }) });
    if (!sent.ok) return;
    setText('');
    setChosen(null);
  };
  const type = () => {
    if (Date.now() - typedAtMs.current < TYPING_EVERY_MS) return;
    typedAtMs.current = Date.now();
    void callServer(typeAnswer, { id }, { idempotencyKey: key.current.keyFor(String(typedAtMs.current)) });
  };
  const choose = (step: number) => {
    const codes = [null, ...(ready.data ?? []).map((one) => one.code)];
    setChosen(codes[(codes.indexOf(chosen) + step + codes.length) % codes.length] ?? null);
  };
  useKeys({
    i: () => field.current?.focus(),
    m: () => choose(1),
    'shift+m': () => choose(-1),
    'mod+enter': () => void send(),
  });
  const isFraud = thread.items.some(({ smells_of_fraud: smells }) => smells);
  const languageName = code('support.language', readyAnswer?.language ?? language);
  return (
    <form
      className="foot support-composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className="row wrap">
        {(ready.data ?? []).map((one) => (
          <button
            key={one.code}
            type="button"
            className="chip"
            data-on={one.code === chosen ? '' : undefined}
            aria-pressed={one.code === chosen}
            onClick={() => setChosen(one.code === chosen ? null : one.code)}
          >
            /{one.code}
          </button>
        ))}
        {isFraud && chosen !== 'never-pay' && (
          <button type="button" className="link" onClick={() => setChosen('never-pay')}>
            {t('support.fraud_insert')}
          </button>
        )}
      </div>
      <textarea
        ref={field}
        className="field"
        rows={3}
        dir="auto"
        maxLength={2_000}
        aria-label={t('support.write')}
        readOnly={readyAnswer !== undefined}
        value={readyAnswer?.text ?? text}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value !== '') type();
        }}
      />
      <Refusal refused={answer.refused} />
      <div className="row sp">
        <span className="row c">
          <Icon name="shield" size={14} /> {t('support.lint')}
        </span>
        <Button type="submit" size="small" busy={answer.isBusy} disabled={!readyAnswer && text.trim() === ''}>
          {t(readyAnswer ? 'support.send_ready' : 'support.send', { language: languageName })} <KeyHint name="Ctrl ↵" />
        </Button>
      </div>
      <p className="c">{t('support.keys')}</p>
    </form>
  );
}

function Customer({ id }: { id: string }) {
  const { t, dateTime } = useTexts();
  // Every view of a profile is logged, so it is not read repeatedly.
  const query = useRead(readProfile, { id }, { freshForMs: 600_000 });
  return (
    <section className="card bd col">
      <div className="row sp">
        <h2>{t('support.customer')}</h2>
        <a href={hashOf('customers', id)}>
          {t('support.profile')} <KeyHint name="u" />
        </a>
      </div>
      <Loaded query={query} rows={3}>
        {(profile) => (
          <Facts
            facts={[
              [t('support.contact'), profile.contact],
              [t('support.level'), dateTime(profile.created_at)],
              [t('support.sessions'), profile.sessions],
              [
                t('support.freeze'),
                profile.is_frozen ? (
                  <Tag key="freeze" look="danger">
                    {t('support.frozen')}
                  </Tag>
                ) : (
                  t('support.no_freeze')
                ),
              ],
              ...profile.balances.map(
                ({ asset, available }) => [t('support.balance', { asset }), available] as [string, string],
              ),
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}

function Steps({ thread, mayNote }: { thread: SupportCase; mayNote: boolean }) {
  const { t, dateTime } = useTexts();
  const note = useAct(noteSupport);
  const [text, setText] = useState('');
  return (
    <section className="card bd col">
      <h2>{t('support.before')}</h2>
      {thread.steps.length === 0 && <p className="c">{t('support.no_steps')}</p>}
      <ul className="plain">
        {thread.steps.map((step) => (
          <li key={`${step.at} ${step.what}`} className="col">
            <span className="row sp sm">
              <span>
                {step.by.work_name} {t(`support.step.${step.what}`, { to: step.handed_to ?? '' })}
              </span>
              <span className="c">{dateTime(step.at)}</span>
            </span>
            {step.note && (
              <span className="c">
                <bdi>{step.note}</bdi>
              </span>
            )}
          </li>
        ))}
      </ul>
      {mayNote && (
        <>
          <TextArea
            label={t('support.note')}
            placeholder={t('support.note_hint')}
            value={text}
            fault={note.refused?.fields.note}
            onChange={({ target }) => setText(target.value)}
          />
          <Button
            size="small"
            look="soft"
            busy={note.isBusy}
            disabled={text.trim() === ''}
            onClick={async () => {
              if ((await note.run({ id: thread.id, note: text })).ok) setText('');
            }}
          >
            {t('support.note_save')}
          </Button>
        </>
      )}
    </section>
  );
}

function HandOver({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTexts();
  const act = useAct(handOverSupport);
  return (
    <Dialog label={t('support.hand_over')} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={async (event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const done = await act.run({ id, to: String(data.get('to')), note: String(data.get('note')) });
          if (done.ok) onClose();
        }}
      >
        <h2>{t('support.hand_over')}</h2>
        <Field
          name="to"
          label={t('support.to')}
          placeholder={t('support.to_hint')}
          list="desks"
          required
          fault={act.refused?.fields.to}
        />
        <datalist id="desks">
          <option value="support" />
          <option value="compliance" />
        </datalist>
        <TextArea name="note" label={t('support.hand_note')} required fault={act.refused?.fields.note} />
        <Refusal refused={act.refused} />
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" size="small" busy={act.isBusy}>
            {t('support.hand_over')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
