import { type EntryView, listEntries, readLogHead } from '@sathorn/api';
import { callServer, useRead } from '@sathorn/app/client';
import { Button, ProgressBar } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../keys.ts';
import { may, useOperator } from '../operator.ts';
import { Facts, Tag } from '../parts/parts.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useList } from '../parts/use-list.ts';
import { goTo, hashOf, useRoute } from '../route.ts';
import { Top } from '../shell/top.tsx';
import { checkEntries, GENESIS, type Links } from './check-chain.ts';

interface Checked {
  readonly state: 'running' | 'whole' | 'broken';
  readonly checked: number;
  readonly of: number;
  readonly at?: string;
}

/** Reads the whole log and recomputes every hash in this browser, so that the server need not be trusted. */
async function checkWhole(tell: (checked: Checked) => void): Promise<void> {
  const head = await callServer(readLogHead, {});
  if (!head.ok) return tell({ state: 'broken', checked: 0, of: 0 });
  const of = Number(head.data.n);
  let links: Links = GENESIS;
  let since = '0';
  while (links.n < of) {
    tell({ state: 'running', checked: links.n, of });
    const answer = await callServer(listEntries, { since });
    if (!answer.ok || answer.data.items.length === 0) return tell({ state: 'broken', checked: links.n, of });
    const next = await checkEntries(links, answer.data.items);
    if (next === null || (next.n >= of && !next.hashes.has(head.data.hash)))
      return tell({ state: 'broken', checked: links.n, of });
    links = next;
    since = String(next.n);
  }
  tell({ state: 'whole', checked: of, of, at: new Date().toISOString() });
}

export default function Audit() {
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const { id, filter } = useRoute();
  const [page, setPage] = useState<string | null>(null);
  const [checked, setChecked] = useState<Checked | null>(null);
  const isReader = may(operator, ['compliance', 'finance', 'admin']);
  const asked = {
    ...(filter.who && { who: filter.who }),
    ...(filter.what && { what: filter.what }),
    ...(filter.on && { on: filter.on }),
  };
  const query = useRead(
    listEntries,
    { ...asked, ...(page !== null && { page }) },
    { everyMs: page === null ? 10_000 : false },
  );
  const open = (next: string | null) => goTo('audit', next, asked);
  useList(query.data?.items.map(({ n }) => n) ?? [], id, open);
  const check = () => void checkWhole(setChecked);
  useKeys({ c: () => isReader && check() });
  const entry = query.data?.items.find(({ n }) => n === id);
  return (
    <>
      <Top title={t('nav.audit')} isStale={query.isError} />
      <div className="page two" data-open={entry ? '' : undefined}>
        <section className="card split">
          <form
            className="hd wrap"
            onSubmit={(event) => {
              event.preventDefault();
              const values = Object.fromEntries(
                [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]),
              );
              setPage(null);
              goTo('audit', null, values);
            }}
          >
            {(['who', 'what', 'on'] as const).map((name) => (
              <input
                key={name}
                name={name}
                data-find={name === 'who' ? '' : undefined}
                className="field"
                aria-label={t(`audit.${name}`)}
                placeholder={t(`audit.${name}`)}
                defaultValue={filter[name]}
              />
            ))}
            <Button type="submit" size="small" icon="search">
              {t('act.find')}
            </Button>
          </form>
          <Loaded query={query}>
            {({ items, next }) => (
              <div className="scroll">
                {items.length === 0 && <Empty title={t('audit.none')} />}
                <table className="s">
                  <thead>
                    <tr>
                      <th className="num">{t('audit.number')}</th>
                      <th>{t('ledger.at')}</th>
                      <th>{t('audit.who')}</th>
                      <th>{t('audit.what')}</th>
                      <th>{t('audit.on')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((item) => (
                      <tr
                        key={item.n}
                        className={item.n === id ? 'sel' : ''}
                        data-chosen={item.n === id ? '' : undefined}
                      >
                        <td className="num mono">
                          <a href={hashOf('audit', item.n, asked)}>{item.n}</a>
                        </td>
                        <td className="m">{dateTime(item.at)}</td>
                        <td>
                          <b>{item.who?.work_name ?? t('audit.platform')}</b>{' '}
                          <span className="c">{item.roles.map((role) => t(`role.${role as 'admin'}`)).join(', ')}</span>
                        </td>
                        <td>{code('what', item.what)}</td>
                        <td className="mono trim">{item.on.id}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                <div className="foot">
                  {page !== null && (
                    <Button size="small" look="soft" onClick={() => setPage(null)}>
                      {t('act.newest')}
                    </Button>
                  )}
                  {next && (
                    <Button size="small" look="soft" onClick={() => setPage(next)}>
                      {t('act.older')}
                    </Button>
                  )}
                </div>
              </div>
            )}
          </Loaded>
          {isReader && (
            <div className="foot wrap" role="status">
              <Button size="small" look="soft" busy={checked?.state === 'running'} onClick={check}>
                {t('audit.check')} <kbd>c</kbd>
              </Button>
              {checked?.state === 'running' && (
                <ProgressBar share={checked.of === 0 ? 0 : checked.checked / checked.of} label={t('audit.checking')} />
              )}
              {checked?.state === 'whole' && <Tag look="ok">{t('audit.whole', { n: checked.of })}</Tag>}
              {checked?.state === 'broken' && <Tag look="danger">{t('audit.broken', { n: checked.checked + 1 })}</Tag>}
            </div>
          )}
        </section>
        {entry ? <EntryPane entry={entry} /> : <p className="empty wide-only">{t('pane.choose')}</p>}
      </div>
    </>
  );
}

function EntryPane({ entry }: { entry: EntryView }) {
  const { t, code, dateTime } = useTexts();
  return (
    <section className="card split pane">
      <div className="hd line">
        <h2>
          {t('audit.entry')} {entry.n}
        </h2>
        <span className="r">{dateTime(entry.at)}</span>
      </div>
      <div className="bd col scroll">
        <Facts
          facts={[
            [t('audit.what'), code('what', entry.what)],
            [t('audit.who'), entry.who?.work_name ?? t('audit.platform')],
            [t('audit.roles'), entry.roles.map((role) => t(`role.${role as 'admin'}`)).join(', ') || '–'],
            [t('audit.device'), entry.device ?? '–'],
            [t('audit.on'), <span key="on" className="mono">{`${entry.on.kind} ${entry.on.id}`}</span>],
            [
              t('customer'),
              entry.customer ? (
                <a key="customer" className="mono" href={hashOf('customers', entry.customer)}>
                  {entry.customer}
                </a>
              ) : (
                '–'
              ),
            ],
            [t('audit.reason'), entry.reason ? code('reason', entry.reason) : '–'],
          ]}
        />
        {entry.note && (
          <p className="note">
            <bdi>{entry.note}</bdi>
          </p>
        )}
        {(['before', 'after'] as const).map(
          (side) =>
            entry[side] !== null && (
              <div key={side}>
                <h3 className="c">{t(`audit.${side}`)}</h3>
                <pre className="mono note">{JSON.stringify(entry[side], null, 2)}</pre>
              </div>
            ),
        )}
        <h3 className="c">{t('audit.text')}</h3>
        <pre className="mono note break">{entry.text}</pre>
        <p className="c">
          SHA-256 <span className="mono break">{entry.hash}</span>
        </p>
      </div>
    </section>
  );
}
