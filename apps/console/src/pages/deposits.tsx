import { readPicture } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../keys.ts';
import { may, useOperator } from '../operator.ts';
import { ClaimBar, ClaimTag } from '../parts/claim.tsx';
import { Select } from '../parts/field.tsx';
import { Clock, Facts, KeyHint, Tag } from '../parts/parts.tsx';
import { Empty, Loaded, Refusal } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useList } from '../parts/use-list.ts';
import { goTo, hashOf, useRoute } from '../route.ts';
import { Dialog } from '../shell/dialog.tsx';
import { Top } from '../shell/top.tsx';
import { useAct } from '../use-act.ts';
import {
  DEPOSIT_TABS,
  listBankLines,
  listDepositCases,
  matchDeposit,
  readDepositCase,
  returnDeposit,
} from './case-calls.ts';

const REASONS = [
  'amount_differs',
  'not_arrived',
  'name_differs',
  'slip_reused',
  'slip_unreadable',
  'sent_to_old_account',
] as const;

export default function Deposits() {
  const { t, code, amount, dateTime } = useTexts();
  const { id, filter } = useRoute();
  const tab = DEPOSIT_TABS.find((name) => name === filter.tab) ?? 'slip';
  const query = useRead(listDepositCases, { tab }, { everyMs: 5_000, tries: 0 });
  useList(query.data?.items.map((item) => item.id) ?? [], id, (next) => goTo('deposits', next, { tab }));
  return (
    <>
      <Top
        title={t('nav.deposits')}
        isStale={query.isError}
        tabs={DEPOSIT_TABS.map((name) => ({ name, label: t(`deposits.tab.${name}`), count: query.data?.counts[name] }))}
        current={tab}
        onTab={(name) => goTo('deposits', null, { tab: name })}
      />
      <div className="page two" data-open={id ? '' : undefined}>
        <section className="card split">
          <Loaded query={query}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty title={t('case.none')} />
              ) : (
                <div className="list scroll">
                  {items.map((item) => (
                    <a
                      key={item.id}
                      href={hashOf('deposits', item.id, { tab })}
                      className={item.id === id ? 'on' : ''}
                      data-chosen={item.id === id ? '' : undefined}
                    >
                      <span className="row sp">
                        <b>
                          {amount(item.amount)} {item.currency}
                        </b>
                        {item.promised_at && item.status === 'pending' ? (
                          <Clock due={item.promised_at} from={item.created_at} />
                        ) : (
                          <Tag>{code('status', item.status)}</Tag>
                        )}
                      </span>
                      <span className="row sp c">
                        <span>
                          <bdi>{item.customer.username}</bdi> · {item.channel} · {dateTime(item.created_at)}
                        </span>
                        <ClaimTag kind="deposit" id={item.id} />
                      </span>
                    </a>
                  ))}
                </div>
              )
            }
          </Loaded>
        </section>
        {id ? <DepositPane key={id} id={id} /> : <p className="empty wide-only">{t('pane.choose')}</p>}
      </div>
    </>
  );
}

function Slip({ id }: { id: string }) {
  const { t } = useTexts();
  return (
    <div className="viewer">
      <img src={`/api${readPicture.path}?id=${encodeURIComponent(id)}`} alt={t('deposits.slip')} />
    </div>
  );
}

function DepositPane({ id }: { id: string }) {
  const { t, code, amount, dateTime } = useTexts();
  const operator = useOperator();
  const query = useRead(readDepositCase, { id }, { everyMs: 5_000, tries: 0 });
  const lines = useRead(listBankLines, { near: id, unused: 'true' }, { everyMs: 10_000, tries: 0 });
  const match = useAct(matchDeposit);
  const back = useAct(returnDeposit);
  const [line, setLine] = useState<string | null>(null);
  const [isReturning, setReturning] = useState(false);
  const [reason, setReason] = useState<(typeof REASONS)[number]>('not_arrived');
  const mayMatch = may(operator, ['finance']) && query.data?.status === 'pending';
  useKeys({
    u: () => query.data && goTo('customers', query.data.customer.id),
    r: () => mayMatch && setReturning(true),
  });
  return (
    <section className="card split pane">
      <Loaded query={query}>
        {(shown) => (
          <>
            <div className="hd line wrap">
              <h2 className="mono">{shown.id}</h2>
              <Tag>{code('status', shown.status)}</Tag>
            </div>
            <div className="bd col scroll">
              <ClaimBar kind="deposit" id={id} />
              <p>
                <span className="amount num">{amount(shown.amount)}</span> {shown.currency}
              </p>
              {shown.slip && <Slip id={shown.slip} />}
              <Facts
                facts={[
                  [
                    t('customer'),
                    <a key="customer" href={hashOf('customers', shown.customer.id)}>
                      <bdi>{shown.customer.username}</bdi>
                    </a>,
                  ],
                  [
                    t('deposits.reference'),
                    <span key="ref" className="mono">
                      {shown.reference ?? '–'}
                    </span>,
                  ],
                  [t('deposits.credited'), shown.credited ? `${amount(shown.credited)} USDT` : '–'],
                  [t('ledger.at'), dateTime(shown.created_at)],
                ]}
              />
              {shown.hash && <p className="mono break">{shown.hash}</p>}
              {mayMatch && (
                <>
                  <h3 className="c">{t('deposits.lines')}</h3>
                  <Loaded query={lines} rows={3}>
                    {({ items }) =>
                      items.length === 0 ? (
                        <p className="c">{t('deposits.no_lines')}</p>
                      ) : (
                        <ul className="plain">
                          {items.map((one) => (
                            <li key={one.id} className="line">
                              <label className="row">
                                <input
                                  type="radio"
                                  name="line"
                                  checked={line === one.id}
                                  onChange={() => setLine(one.id)}
                                />
                                <span className="grow two-lines">
                                  <b className="num">{amount(one.amount)}</b> {one.from}
                                  <small>
                                    {dateTime(one.at)} · <span className="mono">{one.reference}</span>
                                  </small>
                                </span>
                                <span className="row">
                                  {one.agrees_on.map((what) => (
                                    <Tag key={what} look="ok">
                                      {code('agrees', what)}
                                    </Tag>
                                  ))}
                                </span>
                              </label>
                            </li>
                          ))}
                        </ul>
                      )
                    }
                  </Loaded>
                </>
              )}
            </div>
            {mayMatch && (
              <div className="foot wrap">
                <Button
                  size="small"
                  disabled={line === null}
                  busy={match.isBusy}
                  onClick={() =>
                    void match.run({
                      id,
                      version: String(shown.version),
                      fingerprint: shown.fingerprint ?? '',
                      line: line ?? '',
                    })
                  }
                >
                  {t('deposits.match')} <KeyHint name="m" />
                </Button>
                <Button size="small" look="danger" onClick={() => setReturning(true)}>
                  {t('deposits.return')} <KeyHint name="r" />
                </Button>
                <Refusal refused={match.refused} />
              </div>
            )}
            {isReturning && (
              <Dialog label={t('deposits.return')} onClose={() => setReturning(false)}>
                <div className="bd col">
                  <h2>{t('deposits.return')}</h2>
                  <Select
                    label={t('customers.reason')}
                    value={reason}
                    onChange={({ target }) => setReason(target.value as typeof reason)}
                    options={REASONS.map((one) => [one, t(`reason.${one}`)])}
                  />
                  <Refusal refused={back.refused} />
                  <Button
                    size="small"
                    busy={back.isBusy}
                    onClick={async () => {
                      if ((await back.run({ id, version: String(shown.version), reason })).ok) setReturning(false);
                    }}
                  >
                    {t('act.send')}
                  </Button>
                </div>
              </Dialog>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
