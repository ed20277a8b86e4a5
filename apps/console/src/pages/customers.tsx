import {
  allowInvites,
  type CustomerProfile,
  endCustomerSessions,
  extendFreeze,
  FREEZE_REASONS,
  FREEZE_SCOPES,
  findCustomers,
  freezeCustomer,
  liftFreeze,
  listCustomerActions,
  listCustomerLedger,
  listCustomerSessions,
  readProfile,
  UNMASK_FIELDS,
  unmaskField,
} from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { may, useOperator } from '../operator.ts';
import { Field, Select, TextArea } from '../parts/field.tsx';
import { Clock, CustomerSees, Facts, Tag } from '../parts/parts.tsx';
import { Empty, Loaded, Refusal } from '../parts/states.tsx';
import { StepUp } from '../parts/step-up.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useList } from '../parts/use-list.ts';
import { goTo, hashOf, useRoute } from '../route.ts';
import { Dialog } from '../shell/dialog.tsx';
import { Top } from '../shell/top.tsx';
import { useAct } from '../use-act.ts';

export default function Customers() {
  const { id } = useRoute();
  return id ? <Profile key={id} id={id} /> : <Search />;
}

function Search() {
  const { t, dateTime } = useTexts();
  const { filter } = useRoute();
  const [query, setQuery] = useState(filter.q ?? '');
  const found = useRead(findCustomers, filter.q ? { q: filter.q } : {});
  const [chosen, setChosen] = useState<string | null>(null);
  useList(found.data?.items.map(({ id }) => id) ?? [], chosen, setChosen, (id) => goTo('customers', id));
  return (
    <>
      <Top title={t('nav.customers')} isStale={found.isError} />
      <div className="page">
        <section className="card split">
          <form
            className="hd"
            onSubmit={(event) => {
              event.preventDefault();
              goTo('customers', null, { q: query.trim() });
            }}
          >
            <input
              data-find=""
              className="field grow"
              aria-label={t('customers.find')}
              placeholder={t('customers.find')}
              value={query}
              onChange={({ target }) => setQuery(target.value)}
            />
            <Button type="submit" size="small" icon="search">
              {t('act.find')}
            </Button>
          </form>
          <Loaded query={found}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty title={t('customers.none')} />
              ) : (
                <div className="scroll">
                  <table>
                    <thead>
                      <tr>
                        <th>{t('customers.username')}</th>
                        <th>{t('customers.id')}</th>
                        <th>{t('customers.contact')}</th>
                        <th>{t('customers.since')}</th>
                        <th>
                          <span className="unseen">{t('customers.frozen')}</span>
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {items.map((item) => (
                        <tr
                          key={item.id}
                          className={item.id === chosen ? 'sel' : ''}
                          data-chosen={item.id === chosen ? '' : undefined}
                        >
                          <td className="b">
                            <a href={hashOf('customers', item.id)}>
                              <bdi>{item.username}</bdi>
                            </a>{' '}
                            <span className="c">
                              <bdi>{item.nickname}</bdi>
                            </span>
                          </td>
                          <td className="mono">{item.id}</td>
                          <td className="mono">{item.contact}</td>
                          <td className="m">{dateTime(item.created_at)}</td>
                          <td>{item.is_frozen && <Tag look="warn">{t('customers.frozen')}</Tag>}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )
            }
          </Loaded>
        </section>
      </div>
    </>
  );
}

const TABS = ['overview', 'ledger', 'sessions', 'actions'] as const;

function Profile({ id }: { id: string }) {
  const { t } = useTexts();
  const operator = useOperator();
  const { filter } = useRoute();
  const tabs = TABS.filter((name) => name !== 'ledger' || may(operator, ['compliance', 'finance']));
  const tab = tabs.find((name) => name === filter.tab) ?? 'overview';
  const query = useRead(readProfile, { id }, { everyMs: 10_000 });
  return (
    <>
      <Top
        title={query.data ? query.data.username : t('nav.customers')}
        isStale={query.isError}
        tabs={tabs.map((name) => ({ name, label: t(`customers.tab.${name}`) }))}
        current={tab}
        onTab={(name) => goTo('customers', id, { tab: name })}
      />
      <div className="page">
        <Loaded query={query}>
          {(profile) => (
            <div className="columns profile">
              <Person profile={profile} />
              {tab === 'overview' && <Overview profile={profile} />}
              {tab === 'ledger' && <LedgerTab profile={profile} />}
              {tab === 'sessions' && <Sessions id={id} />}
              {tab === 'actions' && <Actions id={id} />}
            </div>
          )}
        </Loaded>
      </div>
    </>
  );
}

function Person({ profile }: { profile: CustomerProfile }) {
  const { t, dateTime } = useTexts();
  const operator = useOperator();
  const [doing, setDoing] = useState<'unmask' | 'freeze' | 'invites' | null>(null);
  return (
    <section className="card split">
      <div className="hd">
        <h2>{t('customers.person')}</h2>
        {profile.is_frozen && <Tag look="warn">{t('customers.frozen')}</Tag>}
      </div>
      <div className="bd col">
        <Facts
          facts={[
            [
              t('customers.id'),
              <span key="id" className="mono">
                {profile.id}
              </span>,
            ],
            [t('customers.nickname'), <bdi key="name">{profile.nickname}</bdi>],
            [
              t('customers.phone'),
              <span key="phone" className="mono">
                {profile.phone ?? '–'}
              </span>,
            ],
            [
              t('customers.email'),
              <span key="email" className="mono">
                {profile.email ?? '–'}
              </span>,
            ],
            [t('customers.since'), dateTime(profile.created_at)],
            [
              t('customers.invited_by'),
              profile.invited_by ? (
                <a key="by" className="mono" href={hashOf('customers', profile.invited_by)}>
                  {profile.invited_by}
                </a>
              ) : (
                '–'
              ),
            ],
            [t('customers.may_invite'), t(profile.invite_allowed ? 'yes' : 'no')],
            [t('customers.sessions'), profile.sessions],
          ]}
        />
        <div className="row wrap">
          {may(operator, ['support', 'compliance']) && (
            <>
              <Button size="small" look="soft" icon="eye" onClick={() => setDoing('unmask')}>
                {t('customers.unmask')}
              </Button>
              <Button size="small" look="danger" icon="lock" onClick={() => setDoing('freeze')}>
                {t('customers.freeze')}
              </Button>
            </>
          )}
          {may(operator, ['support', 'compliance', 'admin']) && (
            <Button size="small" look="soft" onClick={() => setDoing('invites')}>
              {t(profile.invite_allowed ? 'customers.take_invites' : 'customers.give_invites')}
            </Button>
          )}
        </div>
        <p className="c">{t('customers.not_here')}</p>
      </div>
      {doing === 'unmask' && <Unmask id={profile.id} onClose={() => setDoing(null)} />}
      {doing === 'freeze' && <Freeze profile={profile} onClose={() => setDoing(null)} />}
      {doing === 'invites' && <Invites profile={profile} onClose={() => setDoing(null)} />}
    </section>
  );
}

function Overview({ profile }: { profile: CustomerProfile }) {
  const { t, amount } = useTexts();
  return (
    <div className="col">
      <section className="card">
        <div className="hd">
          <h2>{t('customers.balances')}</h2>
          {profile.balances.some(({ is_band: isBand }) => isBand) && <span className="r">{t('customers.bands')}</span>}
        </div>
        {profile.balances.length === 0 ? (
          <Empty title={t('customers.no_money')} />
        ) : (
          <table className="s">
            <thead>
              <tr>
                <th>{t('asset')}</th>
                <th className="num">{t('customers.available')}</th>
                <th className="num">{t('customers.held')}</th>
              </tr>
            </thead>
            <tbody>
              {profile.balances.map(({ asset, available, held, is_band: isBand }) => (
                <tr key={asset}>
                  <td className="b">{asset}</td>
                  <td className="num">{isBand ? available : amount(available)}</td>
                  <td className="num m">{isBand ? held : amount(held)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <Freezes profile={profile} />
    </div>
  );
}

function Freezes({ profile }: { profile: CustomerProfile }) {
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const [changing, setChanging] = useState<{ freeze: string; isLift: boolean } | null>(null);
  return (
    <section className="card">
      <div className="hd">
        <h2>{t('customers.freezes')}</h2>
        <span className="r">{t('customers.ends_itself')}</span>
      </div>
      {profile.freezes.length === 0 ? (
        <Empty title={t('customers.never_frozen')} />
      ) : (
        <ul className="plain bd">
          {profile.freezes.map((freeze) => {
            const isOver = freeze.lifted_at !== null || Date.parse(freeze.until) <= Date.now();
            return (
              <li key={freeze.id} className="col line">
                <span className="row sp">
                  <b>{freeze.scopes.map((scope) => t(`scope.${scope}`)).join(', ')}</b>
                  {isOver ? <Tag>{t('customers.over')}</Tag> : <Clock due={freeze.until} from={freeze.from} />}
                </span>
                <span className="c">
                  {code('reason', freeze.reason)} · {freeze.by?.work_name} · {dateTime(freeze.from)} –{' '}
                  {dateTime(freeze.lifted_at ?? freeze.until)}
                </span>
                {!isOver && may(operator, ['compliance']) && (
                  <span className="row">
                    <Button size="small" look="soft" onClick={() => setChanging({ freeze: freeze.id, isLift: true })}>
                      {t('customers.lift')}
                    </Button>
                    <Button size="small" look="soft" onClick={() => setChanging({ freeze: freeze.id, isLift: false })}>
                      {t('customers.extend')}
                    </Button>
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {changing && <ChangeFreeze id={profile.id} {...changing} onClose={() => setChanging(null)} />}
    </section>
  );
}

const DAY_MS = 86_400_000;
/** Formats a time for an input of type datetime-local, in the browser's time zone. */
const localTime = (ms: number): string => {
  const at = new Date(ms);
  return new Date(ms - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

function Freeze({ profile, onClose }: { profile: CustomerProfile; onClose: () => void }) {
  const { t, dateTime } = useTexts();
  const operator = useOperator();
  const isCompliance = may(operator, ['compliance']);
  const freeze = useAct(freezeCustomer);
  const [scopes, setScopes] = useState<readonly string[]>(['sign_in', 'trading', 'withdrawals']);
  const [reason, setReason] = useState<(typeof FREEZE_REASONS)[number]>('takeover_suspected');
  const [until, setUntil] = useState(() => localTime(Date.now() + DAY_MS - 60_000));
  const [note, setNote] = useState('');
  const [isSure, setSure] = useState(false);
  const reasons = FREEZE_REASONS.filter(
    (one) => isCompliance || one === 'customer_asked' || one === 'takeover_suspected',
  );
  const end = new Date(until);
  const isWhole = scopes.length > 0 && !Number.isNaN(end.getTime());
  const form = (
    <>
      <fieldset className="labelled">
        <legend>{t('customers.scopes')}</legend>
        <div className="row wrap">
          {FREEZE_SCOPES.map((scope) => (
            <label key={scope} className="chip" data-on={scopes.includes(scope) ? '' : undefined}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={({ target }) =>
                  setScopes(target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
                }
              />
              {t(`scope.${scope}`)}
            </label>
          ))}
        </div>
      </fieldset>
      <Select
        label={t('customers.reason')}
        value={reason}
        onChange={({ target }) => setReason(target.value as typeof reason)}
        options={reasons.map((one) => [one, t(`reason.${one}`)])}
      />
      <Field
        label={t(isCompliance ? 'customers.until_14' : 'customers.until_1')}
        type="datetime-local"
        value={until}
        onChange={({ target }) => setUntil(target.value)}
        fault={freeze.refused?.fields.until}
      />
      <TextArea label={t('customers.note')} value={note} onChange={({ target }) => setNote(target.value)} />
      {isWhole && (
        <CustomerSees>
          {t('customers.frozen_text', {
            scopes: scopes.map((scope) => t(`scope.${scope as 'trading'}`)).join(', '),
            reason: t(`reason.${reason}`),
            until: dateTime(end.toISOString()),
          })}
        </CustomerSees>
      )}
    </>
  );
  if (isSure) {
    return (
      <StepUp
        decision={{
          op: 'customer.freeze',
          id: profile.id,
          fingerprint: profile.fingerprint,
          title: t('customers.freeze_who', { name: profile.username }),
          act: t('customers.freeze'),
        }}
        onClose={onClose}
        onConfirmed={async (step_up) => {
          const done = await freeze.run({
            id: profile.id,
            scopes: scopes.join(','),
            reason,
            until: end.toISOString(),
            fingerprint: profile.fingerprint,
            step_up,
            ...(note.trim() && { note: note.trim() }),
          });
          return done.ok ? null : done.refused;
        }}
      >
        <Facts
          facts={[
            [t('customers.scopes'), scopes.map((scope) => t(`scope.${scope as 'trading'}`)).join(', ')],
            [t('customers.reason'), t(`reason.${reason}`)],
            [t('customers.until'), dateTime(end.toISOString())],
          ]}
        />
      </StepUp>
    );
  }
  return (
    <Dialog label={t('customers.freeze')} onClose={onClose}>
      <div className="hd">
        <h2>{t('customers.freeze_who', { name: profile.username })}</h2>
      </div>
      <div className="bd col">
        {form}
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button size="small" disabled={!isWhole} onClick={() => setSure(true)}>
            {t('customers.freeze')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function ChangeFreeze({
  id,
  freeze,
  isLift,
  onClose,
}: {
  id: string;
  freeze: string;
  isLift: boolean;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const lift = useAct(liftFreeze);
  const extend = useAct(extendFreeze);
  const [until, setUntil] = useState(() => localTime(Date.now() + 7 * DAY_MS));
  const [reason, setReason] = useState('');
  const { refused, isBusy } = isLift ? lift : extend;
  return (
    <Dialog label={t(isLift ? 'customers.lift' : 'customers.extend')} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={async (event) => {
          event.preventDefault();
          const asked = { id, freeze, reason };
          const done = isLift
            ? await lift.run(asked)
            : await extend.run({ ...asked, until: new Date(until).toISOString() });
          if (done.ok) goTo('approvals', done.data.approval, { tab: 'made' });
        }}
      >
        <h2>{t(isLift ? 'customers.lift' : 'customers.extend')}</h2>
        <p className="note">{t('customers.needs_second')}</p>
        {!isLift && (
          <Field
            label={t('customers.until')}
            type="datetime-local"
            value={until}
            onChange={({ target }) => setUntil(target.value)}
            fault={refused?.fields.until}
          />
        )}
        <TextArea
          label={t('customers.why')}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          fault={refused?.fields.reason}
        />
        <Refusal refused={refused} />
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" size="small" busy={isBusy}>
            {t('approvals.ask')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Unmask({ id, onClose }: { id: string; onClose: () => void }) {
  const { t, time } = useTexts();
  const unmask = useAct(unmaskField);
  const [field, setField] = useState<(typeof UNMASK_FIELDS)[number]>('phone');
  const [shown, setShown] = useState<{ value: string | null; until: string; left: number } | null>(null);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => setShown(null), Date.parse(shown.until) - Date.now());
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <Dialog label={t('customers.unmask')} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={async (event) => {
          event.preventDefault();
          const reason = String(new FormData(event.currentTarget).get('reason') ?? '');
          const done = await unmask.run({ id, field, reason });
          if (done.ok) setShown(done.data);
        }}
      >
        <h2>{t('customers.unmask')}</h2>
        <Select
          label={t('customers.field')}
          value={field}
          onChange={({ target }) => setField(target.value as typeof field)}
          options={UNMASK_FIELDS.map((one) => [one, t(`customers.${one}`)])}
        />
        <TextArea name="reason" label={t('customers.why')} fault={unmask.refused?.fields.reason} />
        {shown && (
          <p className="note" role="status">
            <b className="mono">{shown.value ?? '–'}</b>{' '}
            <span className="c">{t('customers.shown_until', { time: time(shown.until), left: shown.left })}</span>
          </p>
        )}
        <Refusal refused={unmask.refused} />
        <p className="c">{t('customers.they_see')}</p>
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.close')}
          </Button>
          <Button type="submit" size="small" busy={unmask.isBusy}>
            {t('customers.show')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Invites({ profile, onClose }: { profile: CustomerProfile; onClose: () => void }) {
  const { t } = useTexts();
  const allow = useAct(allowInvites);
  const title = t(profile.invite_allowed ? 'customers.take_invites' : 'customers.give_invites');
  return (
    <Dialog label={title} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={async (event) => {
          event.preventDefault();
          const reason = String(new FormData(event.currentTarget).get('reason') ?? '');
          const allowed = profile.invite_allowed ? 'no' : 'yes';
          if ((await allow.run({ id: profile.id, allowed, reason })).ok) onClose();
        }}
      >
        <h2>{title}</h2>
        <TextArea name="reason" label={t('customers.why')} fault={allow.refused?.fields.reason} />
        <Refusal refused={allow.refused} />
        <Button type="submit" size="small" busy={allow.isBusy}>
          {title}
        </Button>
      </form>
    </Dialog>
  );
}

function LedgerTab({ profile }: { profile: CustomerProfile }) {
  const { t, code, dateTime, amount } = useTexts();
  const assets = profile.balances.map(({ asset }) => asset);
  const [asset, setAsset] = useState(assets.includes('USDT') ? 'USDT' : (assets[0] ?? 'USDT'));
  const [page, setPage] = useState<string | null>(null);
  const query = useRead(listCustomerLedger, {
    id: profile.id,
    asset,
    ...(page !== null && { page }),
  });
  return (
    <section className="card split">
      <div className="hd wrap">
        {assets.map((one) => (
          <button
            key={one}
            type="button"
            className="chip"
            data-on={one === asset ? '' : undefined}
            aria-pressed={one === asset}
            onClick={() => {
              setAsset(one);
              setPage(null);
            }}
          >
            {one}
          </button>
        ))}
      </div>
      <Loaded query={query}>
        {({ items, next }) => (
          <div className="scroll">
            {items.length === 0 && <Empty title={t('customers.no_money')} />}
            <table className="s">
              <thead>
                <tr>
                  <th>{t('ledger.entry')}</th>
                  <th>{t('ledger.at')}</th>
                  <th>{t('ledger.purpose')}</th>
                  <th className="num">{t('ledger.amount')}</th>
                  <th className="num">{t('ledger.after')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <tr key={item.sequence}>
                    <td className="mono">{item.sequence}</td>
                    <td className="m">{dateTime(item.at)}</td>
                    <td>{code('purpose', item.purpose)}</td>
                    <td className="num">{amount(item.amount)}</td>
                    <td className="num">{amount(item.after)}</td>
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
    </section>
  );
}

function Sessions({ id }: { id: string }) {
  const { t, dateTime } = useTexts();
  const operator = useOperator();
  const query = useRead(listCustomerSessions, { id }, { everyMs: 10_000 });
  const end = useAct(endCustomerSessions);
  const mayEnd = may(operator, ['support', 'compliance', 'admin']);
  return (
    <section className="card split">
      <Loaded query={query}>
        {(sessions) => (
          <div className="scroll">
            {sessions.length === 0 && <Empty title={t('customers.no_sessions')} />}
            <table>
              <thead>
                <tr>
                  <th>{t('customers.device')}</th>
                  <th>{t('customers.network')}</th>
                  <th>{t('customers.signed_in')}</th>
                  <th>{t('customers.used')}</th>
                  <th>
                    <span className="unseen">{t('customers.end_session')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {sessions.map((session) => (
                  <tr key={session.id}>
                    <td className="trim">{session.device}</td>
                    <td className="mono">{session.address}</td>
                    <td className="m">{dateTime(session.created_at)}</td>
                    <td className="m">{dateTime(session.used_at)}</td>
                    <td className="num">
                      {mayEnd && (
                        <Button
                          size="small"
                          look="soft"
                          busy={end.isBusy}
                          onClick={() => void end.run({ id, session: session.id })}
                        >
                          {t('customers.end_session')}
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {mayEnd && sessions.length > 0 && (
              <div className="foot">
                <Button size="small" look="danger" busy={end.isBusy} onClick={() => void end.run({ id })}>
                  {t('customers.end_all')}
                </Button>
                <Refusal refused={end.refused} />
              </div>
            )}
          </div>
        )}
      </Loaded>
    </section>
  );
}

function Actions({ id }: { id: string }) {
  const { t, code, dateTime } = useTexts();
  const query = useRead(listCustomerActions, { id }, { everyMs: 15_000 });
  return (
    <section className="card split">
      <div className="hd">
        <h2>{t('customers.tab.actions')}</h2>
        <span className="r">{t('customers.they_see')}</span>
      </div>
      <Loaded query={query}>
        {({ items }) => (
          <>
            {items.length === 0 && <Empty title={t('customers.no_actions')} />}
            <ul className="plain bd scroll">
              {items.map((entry) => (
                <li key={entry.n} className="line col">
                  <span className="row sp">
                    <b>{code('what', entry.what)}</b>
                    <a className="c mono" href={hashOf('audit', entry.n)}>
                      #{entry.n}
                    </a>
                  </span>
                  <span className="c">
                    {entry.who?.work_name ?? t('audit.platform')} · {dateTime(entry.at)}
                    {entry.reason && ` · ${code('reason', entry.reason)}`}
                  </span>
                  {entry.note && (
                    <span className="sm">
                      <bdi>{entry.note}</bdi>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </section>
  );
}
