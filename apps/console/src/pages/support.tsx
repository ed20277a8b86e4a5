import { closeSupport, listSupportThreads, markThreadRead, readSupportThread, takeSupportThread } from '@sathorn/api';
import { callServer, randomId } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { useKeys } from '../keys.ts';
import { hasAnyRole, useOperator } from '../operator.ts';
import { CasePage } from '../parts/case-page.tsx';
import { DueClock, KeyHint, Tag } from '../parts/parts.tsx';
import { ReadGate, RefusalNote } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useInboxChanges, useRepeatedRead } from '../parts/use-inbox-changes.ts';
import { goToRoute, useRoute } from '../route.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useAct } from '../use-act.ts';
import { ReadyAnswers } from './ready-answers.tsx';
import { AnswerSamples } from './support/answer-samples.tsx';
import { Composer } from './support/composer.tsx';
import { Messages } from './support/messages.tsx';
import { HandOverDialog, ThreadCustomer, ThreadSteps, ThreadVisitor } from './support/side.tsx';
import { useSupportTexts } from './support/texts.ts';
import { ThreadPerson } from './support/thread-person.tsx';
import './support.css';

const LANGUAGES = ['en', 'th', 'zh', 'jp', 'ar', 'hi'] as const;
const TABS = ['open', 'mine', 'waiting', 'closed'] as const;

export default function Support() {
  const { t } = useTexts();
  const { say: s } = useSupportTexts();
  const operator = useOperator();
  const { filter } = useRoute();
  const mayRead = hasAnyRole(operator, ['compliance', 'admin']);
  const isAnswering = hasAnyRole(operator, ['support', 'compliance', 'admin']);
  const tab = isAnswering ? (filter.tab ?? 'open') : 'ready';
  const status = TABS.find((one) => one === tab) ?? 'open';
  const lang = LANGUAGES.find((one) => one === filter.lang);
  const inbox = useInboxChanges(isAnswering);
  const query = useRepeatedRead(listSupportThreads, { status, ...(lang && { lang }) }, inbox, { enabled: isAnswering });
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
    ...(mayRead ? [{ name: 'samples', label: s('samples') }] : []),
    { name: 'ready', label: t('support.ready') },
  ];
  if (tab === 'ready' || (tab === 'samples' && mayRead))
    return (
      <>
        <PageHeader
          title={t('support.title')}
          isStale={false}
          tabs={tabs}
          current={tab}
          onTab={(name) => goToRoute('support', null, { tab: name })}
        />
        {tab === 'ready' ? <ReadyAnswers /> : <AnswerSamples />}
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
                goToRoute('support', null, { tab, ...(target.value !== '' && { lang: target.value }) })
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
              <ThreadPerson of={item} isShort />
              {item.waiting_since && item.promised_at ? (
                <DueClock due={item.promised_at} from={item.waiting_since} />
              ) : (
                <span className="sm ok">{t('support.answered')}</span>
              )}
            </span>
            <span className="row sp c">
              <bdi className="support-excerpt">{item.excerpt}</bdi>
              <span className="support-marks">
                {item.unread > 0 && <b className="support-unread">{item.unread}</b>} {item.language}
                {item.desk === 'compliance' && ` · ${t('support.handed', { desk: t('support.desk.compliance') })}`}
              </span>
            </span>
          </>
        )}
        foot={({ promised_minutes: minutes }) => <p className="foot c">{t('support.promise', { minutes })}</p>}
        pane={(id) => <Thread key={id} id={id} change={inbox.get(id)} />}
      />
    </div>
  );
}

function Thread({ id, change }: { id: string; change: string | undefined }) {
  const { t } = useTexts();
  const operator = useOperator();
  const query = useRepeatedRead(readSupportThread, { id }, change);
  const take = useAct(takeSupportThread);
  const close = useAct(closeSupport);
  const [isHanding, setHanding] = useState(false);
  const shown = query.data;
  const mayAnswer = hasAnyRole(operator, ['support', 'compliance']);
  const isMine = shown?.assigned_to?.id === operator?.id;
  const taking = () => shown && void take.run({ id, ...(shown.assigned_to && !isMine && { over: 'true' as const }) });
  useKeys({
    t: () => mayAnswer && !isMine && taking(),
    'shift+t': () => mayAnswer && !isMine && taking(),
    h: () => mayAnswer && setHanding(true),
    e: () => mayAnswer && void close.run({ id }),
    u: () => shown?.customer && goToRoute('customers', shown.customer.id),
  });
  // Messages on the screen of the operator who holds the conversation count as read, and the customer sees the mark.
  const last = shown?.last ?? 0;
  useEffect(() => {
    if (!mayAnswer || !isMine || last === 0 || document.visibilityState !== 'visible') return;
    void callServer(markThreadRead, { id, number: String(last) }, { idempotencyKey: randomId() });
  }, [id, last, isMine, mayAnswer]);
  return (
    <section className="card split pane support-pane">
      <ReadGate query={query}>
        {(thread) => (
          <div className="support-two">
            <div className="split support-talk">
              <div className="hd line wrap">
                <h2>
                  <ThreadPerson of={thread} />
                  {thread.customer && ` · ${thread.customer.id}`}
                </h2>
                <Tag>{t(`support.language.${thread.language}`)}</Tag>
                {isMine ? (
                  <Tag look="brand">{t('support.yours')}</Tag>
                ) : (
                  thread.assigned_to && <Tag>{t('support.of', { name: thread.assigned_to.work_name })}</Tag>
                )}
                <span className="r">
                  {thread.waiting_since && thread.promised_at && (
                    <DueClock due={thread.promised_at} from={thread.waiting_since} />
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
              <RefusalNote refused={take.refused ?? close.refused} />
              <Messages thread={thread} mayOpen={mayAnswer} />
              {mayAnswer && <Composer key={id} thread={thread} />}
            </div>
            <aside className="support-side">
              {thread.customer && <ThreadCustomer id={thread.customer.id} />}
              {thread.visitor && <ThreadVisitor visitor={thread.visitor} />}
              <ThreadSteps thread={thread} mayNote={mayAnswer} />
            </aside>
          </div>
        )}
      </ReadGate>
      {isHanding && <HandOverDialog id={id} onClose={() => setHanding(false)} />}
    </section>
  );
}
