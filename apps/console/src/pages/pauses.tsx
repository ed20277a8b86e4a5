import {
  endPause,
  listCoinsOffered,
  listPauses,
  PAUSABLE_PRODUCTS,
  PAUSE_KINDS,
  type ResultOf,
  startPause,
} from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Select, TextArea } from '../parts/field.tsx';
import { Facts, Tag } from '../parts/parts.tsx';
import { ReasonDialog } from '../parts/reason-dialog.tsx';
import { EmptyState, ReadGate, RefusalNote } from '../parts/states.tsx';
import { StepUp } from '../parts/step-up.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { routeHash } from '../route.ts';
import { Dialog } from '../shell/dialog.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { useAct } from '../use-act.ts';
import { useProposal } from '../use-proposal.ts';

type ListedPause = ResultOf<typeof listPauses>['items'][number];
const OTHERS = ['zh', 'jp', 'ar', 'hi'] as const;

/** Pauses. One person can pause something; resuming it needs two. */
export default function Pauses() {
  const { t, code, dateTime } = useTexts();
  const query = useRead(listPauses, {}, { everyMs: 5_000 });
  const [isStarting, setStarting] = useState(false);
  const [ending, setEnding] = useState<ListedPause | null>(null);
  const end = useProposal(endPause, t('pauses.ask_end'), () => setEnding(null));
  return (
    <>
      <PageHeader title={t('nav.pauses')} isStale={query.isError}>
        <Button size="small" look="danger" onClick={() => setStarting(true)}>
          {t('pauses.start')}
        </Button>
      </PageHeader>
      <div className="page">
        <section className="card">
          <ReadGate query={query}>
            {({ items }) =>
              items.length === 0 ? (
                <EmptyState title={t('pauses.none')} />
              ) : (
                <table className="tall">
                  <thead>
                    <tr>
                      <th>{t('pauses.what')}</th>
                      <th>{t('pauses.why')}</th>
                      <th>{t('pauses.since')}</th>
                      <th>{t('pauses.by')}</th>
                      <th>{t('pauses.end')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((pause) => (
                      <tr key={pause.id}>
                        <td>
                          <b>{code('pausable', pause.subject)}</b>{' '}
                          <span className="c">{code('pause', pause.kind)}</span>
                        </td>
                        <td className="pause-text">
                          <bdi>{pause.texts.en}</bdi>
                        </td>
                        <td>{dateTime(pause.started_at)}</td>
                        <td>{pause.started_by}</td>
                        <td>
                          {pause.ended_at ? (
                            dateTime(pause.ended_at)
                          ) : pause.waiting ? (
                            <a href={routeHash('approvals', pause.waiting)}>
                              <Tag look="brand">{t('terms.needs_one')}</Tag>
                            </a>
                          ) : (
                            <Button size="small" look="soft" onClick={() => setEnding(pause)}>
                              {t('pauses.ask_end')}
                            </Button>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )
            }
          </ReadGate>
        </section>
      </div>
      {isStarting && <Start channels={query.data?.channels ?? []} onClose={() => setStarting(false)} />}
      {ending && (
        <ReasonDialog
          title={t('pauses.ask_end')}
          act={t('approvals.ask')}
          refused={end.refused}
          isBusy={end.isBusy}
          onClose={() => setEnding(null)}
          onSend={(reason) => end.propose({ id: ending.id, reason })}
        >
          <p>{t('pauses.end_note')}</p>
        </ReasonDialog>
      )}
      {ending && end.signing && (
        <StepUp {...end.signing}>
          <Facts
            facts={[
              [t('pauses.what'), `${code('pausable', ending.subject)} (${code('pause', ending.kind)})`],
              [t('customers.reason'), end.request?.reason],
            ]}
          />
        </StepUp>
      )}
    </>
  );
}

function Start({ channels, onClose }: { channels: readonly string[]; onClose: () => void }) {
  const { t, code } = useTexts();
  const start = useAct(startPause);
  const [kind, setKind] = useState<(typeof PAUSE_KINDS)[number]>('product');
  const [subject, setSubject] = useState<string>(PAUSABLE_PRODUCTS[0]);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const offered = useRead(listCoinsOffered, { kind: 'coin' });
  const coins = (offered.data?.items ?? []).map((item) => item.subject);
  const subjectsOf = { coin: coins, product: PAUSABLE_PRODUCTS, channel: channels } as const;
  const write = (language: string, label: string) => (
    <TextArea
      key={language}
      label={label}
      lang={language === 'jp' ? 'ja' : language}
      dir="auto"
      maxLength={300}
      value={texts[language] ?? ''}
      fault={start.refused?.fields[`text_${language}`]}
      onChange={({ target }) => setTexts({ ...texts, [language]: target.value })}
    />
  );
  return (
    <Dialog label={t('pauses.start')} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={async (event) => {
          event.preventDefault();
          const optional = Object.fromEntries(
            OTHERS.flatMap((language) => (texts[language]?.trim() ? [[`text_${language}`, texts[language]]] : [])),
          );
          const request = { kind, subject, text_en: texts.en ?? '', text_th: texts.th ?? '', ...optional };
          if ((await start.run(request)).ok) onClose();
        }}
      >
        <h2>{t('pauses.start')}</h2>
        <p className="c">{t('pauses.start_note')}</p>
        <div className="row">
          <Select
            label={t('pauses.kind')}
            value={kind}
            options={PAUSE_KINDS.map((name) => [name, code('pause', name)] as const)}
            onChange={({ target }) => {
              const next = PAUSE_KINDS.find((name) => name === target.value) ?? 'product';
              setKind(next);
              setSubject(subjectsOf[next][0] ?? '');
            }}
          />
          <Select
            label={t('pauses.what')}
            value={subject}
            options={subjectsOf[kind].map((name) => [name, code('pausable', name)] as const)}
            onChange={({ target }) => setSubject(target.value)}
          />
        </div>
        {write('en', t('pauses.text_en'))}
        {write('th', t('pauses.text_th'))}
        <details>
          <summary>{t('pauses.more')}</summary>
          {OTHERS.map((language) => write(language, t(`pauses.text_${language}`)))}
        </details>
        <RefusalNote refused={start.refused} />
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" size="small" look="danger" busy={start.isBusy}>
            {t('pauses.start_now')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
