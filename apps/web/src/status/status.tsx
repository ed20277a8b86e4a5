import { type PlatformStatus, readCustody, readStatus } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { formatCount, formatDate, formatDecimalText } from '@sathorn/text';
import { Badge, Card, CardHead, Chip, Icon, type IconName, PriceText, ProgressBar, useText } from '@sathorn/ui';
import { useState } from 'react';
import { CardNotLoaded } from '../parts/read/not-loaded.tsx';
import './status.css';

const EVERY_MS = 5_000;
const CUSTODY_EVERY_MS = 15_000;
type Tone = 'success' | 'warn' | 'danger';
const LOOKS: Readonly<Record<PlatformStatus['state'], { readonly icon: IconName; readonly tone: Tone }>> = {
  running: { icon: 'check', tone: 'success' },
  degraded: { icon: 'info', tone: 'warn' },
  outage: { icon: 'warning', tone: 'danger' },
  halted: { icon: 'warning', tone: 'danger' },
};

/** The first tab of `#/pages/verify/index`: the platform's state. */
export default function Status() {
  const { t } = useText<'status'>();
  const { data, error, refetch } = useRead(readStatus, {}, { everyMs: EVERY_MS });
  if (!data) return <CardNotLoaded read={{ error, refetch }} failed={t('status.failed')} rows={7} />;
  return (
    <>
      <State status={data} isOld={error !== null} />
      <Incidents incidents={data.incidents} />
      <Withdrawals withdrawals={data.withdrawals} />
      <CustodyCard />
      <Prices coins={data.coins} origin={data.origin} />
    </>
  );
}

function State({ status, isOld }: { status: PlatformStatus; isOld: boolean }) {
  const { t, presentation } = useText<'status'>();
  const { icon, tone } = LOOKS[status.state];
  const time = (at: string) => formatDate(at, 'dateTime', presentation);
  const isOngoing = status.incidents.some(({ closed_at: closedAt }) => closedAt === null);
  return (
    <Card className="status-state" data-tone={tone} data-old={isOld ? '' : undefined}>
      <span className="status-mark">
        <Icon name={icon} />
      </span>
      <div>
        <h2>{t(`status.state.${status.state}`)}</h2>
        <p className="muted num">
          {t('status.as_of', { time: formatDate(status.at, 'dateTimeSeconds', presentation) })}
        </p>
        {!isOngoing && (
          <p className="muted num">
            {status.last_incident_at
              ? t('status.last_incident', { time: time(status.last_incident_at) })
              : t('status.no_incident')}
          </p>
        )}
        {status.checked_at && <p className="muted num">{t('status.checked_at', { time: time(status.checked_at) })}</p>}
      </div>
    </Card>
  );
}

const SEVERITY_TONES = { notice: 'brand', degraded: 'warn', outage: 'danger' } as const;

function Incidents({ incidents }: { incidents: PlatformStatus['incidents'] }) {
  const { t, presentation } = useText<'status'>();
  if (incidents.length === 0) return null;
  const time = (at: string) => formatDate(at, 'dateTime', presentation);
  return (
    <Card>
      <CardHead title={t('status.incidents')} />
      <ul>
        {incidents.map((incident) => (
          <li key={incident.id} className="status-incident">
            <p className="row">
              <b>{incident.parts.map((part) => t(`status.part.${part}`)).join(' · ')}</b>
              <Badge tone={SEVERITY_TONES[incident.severity]}>{t(`status.severity.${incident.severity}`)}</Badge>
            </p>
            <p className="muted num">
              {incident.closed_at ? t('status.ended', { time: time(incident.closed_at) }) : t('status.ongoing')}
            </p>
            <ol className="status-updates">
              {incident.updates.map((update) => (
                <li key={update.at}>
                  <time className="cap num" dateTime={update.at}>
                    {time(update.at)}
                  </time>
                  <p dir="auto">{update.text}</p>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Withdrawals({ withdrawals }: { withdrawals: PlatformStatus['withdrawals'] }) {
  const { t, presentation } = useText<'status'>();
  const count = (n: number) => formatCount(n, presentation);
  const minutes = (n: number | null) => (n === null ? '–' : t('status.minutes', { n: count(Math.round(n)) }));
  const { longest_waiting_minutes: longest, promised_minutes: promised, late } = withdrawals;
  return (
    <Card>
      <CardHead title={t('status.withdrawals')} trail={<span className="muted">{t('status.medians')}</span>} />
      <dl className="status-figures num">
        <div>
          <dt>{t('status.automatic')}</dt>
          <dd>{minutes(withdrawals.automatic.median_minutes)}</dd>
        </div>
        <div>
          <dt>{t('status.checked')}</dt>
          <dd>{minutes(withdrawals.checked.median_minutes)}</dd>
        </div>
        <div>
          <dt>{t('status.longest')}</dt>
          <dd>{minutes(longest)}</dd>
        </div>
      </dl>
      <ProgressBar
        share={Math.min(1, (longest ?? 0) / promised)}
        label={t('status.longest')}
        look={late > 0 ? 'amber' : 'brand'}
      />
      <p className="row status-small num">
        <span className="muted">
          {t('status.promise', { n: count(promised), waiting: count(withdrawals.waiting) })}
        </span>
        <span data-tone={late > 0 ? 'warn' : 'success'}>
          {late > 0 ? t('status.late', { n: count(late) }) : t('status.none_late')}
        </span>
      </p>
      {withdrawals.stopped && (
        <p className="status-small" data-tone="warn">
          {t(`status.stopped.${withdrawals.stopped}`)}
        </p>
      )}
    </Card>
  );
}

function CustodyCard() {
  const { t, presentation } = useText<'status'>();
  const { data } = useRead(readCustody, {}, { everyMs: CUSTODY_EVERY_MS });
  const whole = (amount: string) => formatDecimalText(amount.replace(/\.0+$/, ''), presentation);
  if (!data) return null;
  const { chain, treasury } = data;
  if (treasury === null)
    return (
      <Card>
        <CardHead title={t('status.custody')} />
        <p className="status-small" data-tone="warn">
          {t('status.custody_none')}
        </p>
      </Card>
    );
  const { threshold, owners, held, hot_max: max, height, at, command } = treasury;
  const count = (n: number) => formatCount(n, presentation);
  const places = [
    [t('status.custody_treasury'), held.treasury],
    [t('status.custody_hot', { max: whole(max) }), held.hot],
    [t('status.custody_addresses'), held.addresses],
  ] as const;
  return (
    <Card>
      <CardHead title={t('status.custody')} trail={<span className="muted">USDT</span>} />
      <dl className="status-places num">
        {places.map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatDecimalText(amount, presentation, { minDecimals: 2 })}</dd>
          </div>
        ))}
      </dl>
      <p className="status-small">
        {t('status.custody_keys', { threshold: count(threshold), count: count(owners.length) })}
      </p>
      {treasury.is_odd && (
        <p className="status-small" data-tone="warn">
          {t('status.custody_odd')}
        </p>
      )}
      {treasury.is_demo && <p className="status-small muted">{t('status.custody_demo')}</p>}
      <p className="status-small muted">{t('status.custody_command', { chain })}</p>
      <pre className="status-command" dir="ltr">
        <code>{command}</code>
      </pre>
      <p className="status-small muted num">
        {t('status.custody_block', { height, time: formatDate(at, 'dateTime', presentation) })}
      </p>
    </Card>
  );
}

type Coin = PlatformStatus['coins'][number];
const REASONS = ['ahead', 'backwards', 'far', 'old', 'silent', 'stuck'] as const;
const reasonOf = (reason: string | null) => REASONS.find((known) => known === reason);

function Prices({ coins, origin }: { coins: readonly Coin[]; origin: PlatformStatus['origin'] }) {
  const { t, presentation } = useText<'status'>();
  const [chosen, setChosen] = useState('BTC');
  const coin = coins.find(({ code }) => code === chosen) ?? coins[0];
  if (!coin) return null;
  return (
    <>
      <Card>
        <CardHead
          title={t('status.sources')}
          trail={
            <span className="muted num">
              {t('status.index', { price: coin.price ? formatDecimalText(coin.price, presentation) : '–' })}
            </span>
          }
        />
        <fieldset className="status-coins" aria-label={t('status.sources')}>
          {coins.map(({ code }) => (
            <Chip key={code} pressed={code === coin.code} onClick={() => setChosen(code)}>
              {code}
            </Chip>
          ))}
        </fieldset>
        {coin.stale && (
          <p className="status-note" data-tone="warn">
            <Icon name="warning" size={18} />
            {t('status.stale')}
          </p>
        )}
        <ul className="status-sources">
          {coin.sources.map((source) => (
            <li key={source.name} className="status-source">
              <span data-tone={source.used ? 'success' : 'warn'}>
                <Icon name={source.used ? 'check' : 'minus'} size={16} />
              </span>
              <span>
                <bdi>{source.name}</bdi>
                {!source.used && <LeftOut reason={source.reason} />}
              </span>
              <b className="num">{source.price === null ? '–' : <PriceText price={withoutZeros(source.price)} />}</b>
              <small className="muted num">{source.at ? formatDate(source.at, 'seconds', presentation) : '–'}</small>
            </li>
          ))}
        </ul>
        {coin.sources.length === 0 && <p className="muted">{t('status.no_sources')}</p>}
        {origin !== 'live' && (
          <p className="muted status-small">{t(origin === 'sim' ? 'status.simulated' : 'status.replayed')}</p>
        )}
      </Card>
      {coin.head && (
        <Card>
          <CardHead
            title={t('status.head')}
            trail={coin.at && <span className="muted num">{formatDate(coin.at, 'seconds', presentation)}</span>}
          />
          <p className="num">
            <bdi>{coin.code}</bdi> · {t('status.tick', { n: formatDecimalText(coin.head.sequence, presentation) })}
          </p>
          <code className="mono status-hash" dir="ltr">
            {coin.head.hash}
          </code>
        </Card>
      )}
    </>
  );
}

function LeftOut({ reason }: { reason: string | null }) {
  const { t } = useText<'status'>();
  const known = reasonOf(reason);
  return (
    <small className="status-why" data-tone="warn">
      {known ? t(`status.why.${known}`) : t('status.left_out')}
    </small>
  );
}

/** Drops trailing zeros, because source prices are padded to a fixed number of decimals. */
const withoutZeros = (price: string): string => (price.includes('.') ? price.replace(/\.?0+$/, '') : price);
