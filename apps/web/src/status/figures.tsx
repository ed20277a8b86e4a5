import { PAUSABLE_PRODUCTS, type PlatformFigures, readFigures } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { durationText, formatAsset, formatCount, formatDate, formatDecimalText, formatPercent } from '@sathorn/text';
import { Badge, Card, CardHead, EmptyState, Icon, useText } from '@sathorn/ui';
import { CardNotLoaded } from '../parts/read/not-loaded.tsx';
import './status.css';

/** The second tab of `#/pages/verify/index`: the platform's public figures. */
export default function Figures() {
  const { t } = useText<'status'>();
  const { data, error, refetch } = useRead(readFigures, {}, { freshForMs: 60_000 });
  if (!data) return <CardNotLoaded read={{ error, refetch }} failed={t('figures.failed')} rows={7} />;
  return (
    <>
      <Solvency figures={data} />
      <Options figures={data} />
      <LatePrices figures={data} />
      <Waits figures={data} />
      <Pauses figures={data} />
      <Reversals figures={data} />
      <Disputes figures={data} />
    </>
  );
}

function Solvency({ figures }: { figures: PlatformFigures }) {
  const { t, presentation } = useText<'status'>();
  const { solvency: rows, signed_sums: sums } = figures;
  const amount = (text: string) => formatDecimalText(text, presentation);
  return (
    <Card>
      <CardHead
        title={t('figures.solvency')}
        trail={
          <span className="muted num">
            {t('status.as_of', { time: formatDate(sums?.at ?? figures.at, 'dateTime', presentation) })}
          </span>
        }
      />
      {rows.length === 0 ? (
        <p className="muted">{t('figures.nothing')}</p>
      ) : (
        <table className="status-table num">
          <thead>
            <tr>
              <th scope="col">{t('figures.asset')}</th>
              <th scope="col">{t('figures.owed')}</th>
              <th scope="col">{t('figures.held')}</th>
              <th scope="col">{t('figures.cover')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.asset}>
                <th scope="row">
                  {row.asset}
                  {row.evidence === 'bank' && '*'}
                  {row.evidence === 'signed' && '†'}
                </th>
                <td>{amount(row.owed)}</td>
                {row.evidence === 'test' ? (
                  <td colSpan={2} className="muted">
                    {t('fame.test')}
                  </td>
                ) : (
                  <>
                    <td>
                      {amount(row.held)}
                      {row.counted !== null && (
                        <small className="muted">
                          {t('figures.counted', { amount: formatAsset(row.counted, row.asset, presentation) })}
                        </small>
                      )}
                    </td>
                    <td data-tone={row.cover !== null && Number(row.cover) < 1 ? 'danger' : 'success'}>
                      <b>{row.cover === null ? '–' : formatPercent(row.cover, presentation)}</b>
                    </td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {sums && (
        <p className="muted status-small">
          {t('figures.signed_sums', { number: formatDecimalText(sums.sequence, presentation) })}
        </p>
      )}
      {rows.some(({ evidence }) => evidence === 'test') && (
        <p className="status-note" data-tone="warn">
          <Icon name="info" size={18} />
          {t('figures.test')}
        </p>
      )}
      {rows.some(({ evidence }) => evidence === 'bank') && <p className="muted status-small">{t('figures.bank')}</p>}
      {rows.some(({ evidence }) => evidence === 'signed') && (
        <p className="muted status-small">{t('figures.signed')}</p>
      )}
    </Card>
  );
}

const isLoss = (amount: string | null): boolean => amount?.startsWith('-') ?? false;

function Options({ figures }: { figures: PlatformFigures }) {
  const { t, presentation } = useText<'status'>();
  const { options } = figures;
  const share = (text: string | null) => (text === null ? '–' : formatPercent(text, presentation));
  return (
    <Card>
      <CardHead
        title={t('figures.options', { n: formatCount(figures.days, presentation) })}
        trail={
          <span className="muted num">{t('figures.orders', { n: formatCount(figures.orders, presentation) })}</span>
        }
      />
      {options.length === 0 ? (
        <EmptyState picture="chart" title={t('figures.none')} />
      ) : (
        <>
          <p className="muted">{t('figures.lead')}</p>
          <table className="status-table num">
            <thead>
              <tr>
                <th scope="col">{t('figures.lasts')}</th>
                <th scope="col">{t('figures.won')}</th>
                <th scope="col">{t('figures.break_even')}</th>
                <th scope="col">{t('figures.per_100')}</th>
              </tr>
            </thead>
            <tbody>
              {options.map((option) => (
                <tr key={option.duration}>
                  <th scope="row">{durationText(option.duration, presentation)}</th>
                  <td>{share(option.share_won)}</td>
                  <td>{share(option.break_even)}</td>
                  <td data-tone={isLoss(option.per_100) ? 'danger' : 'success'}>
                    <b dir="ltr">
                      {option.per_100 === null
                        ? '–'
                        : formatDecimalText(option.per_100, presentation, {
                            minDecimals: 2,
                            maxDecimals: 2,
                            signed: true,
                          })}
                    </b>
                    <Gauge won={option.share_won} breakEven={option.break_even} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {options.every(({ per_100: result }) => isLoss(result)) && (
            <p className="status-note" data-tone="warn">
              <Icon name="warning" size={18} />
              {t('figures.all_lose')}
            </p>
          )}
          <p className="row status-small num">
            <span className="muted">{t('figures.void')}</span>
            <b>
              {formatCount(figures.voids, presentation)}{' '}
              <span className="muted">{formatPercent((figures.voids / figures.orders).toFixed(4), presentation)}</span>
            </b>
          </p>
        </>
      )}
    </Card>
  );
}

type LateCounts = PlatformFigures['coins'][number]['late'];

/** How many options late prices settled and for whom, by coin, and why options became void. */
function LatePrices({ figures }: { figures: PlatformFigures }) {
  const { t, presentation } = useText<'status'>();
  const count = (n: number) => formatCount(n, presentation);
  const settled = ({ orders, won, lost }: LateCounts) => (
    <td>
      {count(orders)}
      {orders > 0 && (
        <small className="muted">{t('figures.won_and_lost', { won: count(won), lost: count(lost) })}</small>
      )}
    </td>
  );
  const rows = figures.coins.filter(({ late, voids }) => late.orders + voids.no_start_tick + voids.no_end_tick > 0);
  return (
    <Card>
      <CardHead title={t('figures.late_prices')} />
      <p className="muted">{t('figures.late_prices_lead')}</p>
      {figures.coins.every(({ late }) => late.orders === 0) && <p className="muted">{t('figures.never_late')}</p>}
      {rows.length > 0 && (
        <table className="status-table num">
          <thead>
            <tr>
              <th scope="col">{t('figures.of_coin')}</th>
              <th scope="col">{t('figures.late_any')}</th>
              <th scope="col">{t('figures.late_over')}</th>
              <th scope="col">{t('figures.void')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ code, late, late_over_5s, voids: { no_start_tick: start, no_end_tick: end } }) => (
              <tr key={code}>
                <th scope="row">{code}</th>
                {settled(late)}
                {settled(late_over_5s)}
                <td>
                  {count(start + end)}
                  {start + end > 0 && (
                    <small className="muted">{t('figures.void_why', { start: count(start), end: count(end) })}</small>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="row status-small num">
        <span className="muted">{t('figures.had_void')}</span>
        <b>{count(figures.coins.reduce((sum, { had_void }) => sum + had_void, 0))}</b>
      </p>
    </Card>
  );
}

/** How long options waited to be accepted, over all orders and for the quickest and slowest customers. */
function Waits({ figures: { waits } }: { figures: PlatformFigures }) {
  const { t, presentation } = useText<'status'>();
  if (waits === null) return null;
  const rows = [
    [t('figures.waits_half'), waits.median_ms],
    [t('figures.waits_p99'), waits.p99_ms],
    [t('figures.waits_quick'), waits.quick_tenth_ms],
    [t('figures.waits_slow'), waits.slow_tenth_ms],
  ] as const;
  return (
    <Card>
      <CardHead title={t('figures.waits')} />
      <p className="muted">{t('figures.waits_lead')}</p>
      {rows.map(([label, ms]) => (
        <p key={label} className="row status-small num">
          <span className="muted">{label}</span>
          <b>{t('figures.wait_seconds', { seconds: formatDecimalText((ms / 1_000).toFixed(1), presentation) })}</b>
        </p>
      ))}
    </Card>
  );
}

type Pause = PlatformFigures['pauses'][number];

function Pauses({ figures: { days, pauses } }: { figures: PlatformFigures }) {
  const { t, presentation } = useText<'status'>();
  const nameOf = ({ kind, subject }: Pause): string => {
    if (kind !== 'product') return t(`figures.${kind}`, { code: subject });
    const product = PAUSABLE_PRODUCTS.find((known) => known === subject);
    return product ? t(`figures.product.${product}`) : subject;
  };
  return (
    <Card>
      <CardHead title={t('figures.pauses', { n: formatCount(days, presentation) })} />
      {pauses.length === 0 && <p className="muted">{t('figures.never_paused')}</p>}
      <ul>
        {pauses.map((pause) => (
          <li key={`${pause.kind} ${pause.subject}`} className="row status-small num">
            <span>
              {nameOf(pause)}
              {pause.since !== null && <Badge tone="warn">{t('figures.paused_now')}</Badge>}
            </span>
            <b>{t('figures.paused_for', { n: formatCount(pause.times, presentation), wait: pause.seconds })}</b>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Credits that a reorganisation undid. The list never shows the customers. */
function Reversals({ figures: { days, reversals } }: { figures: PlatformFigures }) {
  const { t, presentation } = useText<'status'>();
  const usdt = (text: string) => formatAsset(text, 'USDT', presentation);
  return (
    <Card>
      <CardHead title={t('figures.reversals', { n: formatCount(days, presentation) })} />
      {reversals.length === 0 && <p className="muted">{t('figures.never_reversed')}</p>}
      <ul>
        {reversals.map(({ at, channel, amount, borne }) => (
          <li key={`${at} ${amount}`} className="row status-small num">
            <span>
              {formatDate(at, 'dateTime', presentation)} <bdi className="muted">{channel}</bdi>
            </span>
            <b>{t('figures.borne', { amount: usdt(amount), borne: usdt(borne) })}</b>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Disputes({ figures: { days, disputes } }: { figures: PlatformFigures }) {
  const { t, presentation } = useText<'status'>();
  const count = (n: number) => formatCount(n, presentation);
  const { median_seconds: median } = disputes;
  const rows: readonly [label: string, value: string][] = [
    [t('figures.opened'), count(disputes.opened)],
    ...disputes.answered.map((each) => [t(`figures.${each.finding}`), count(each.count)] as [string, string]),
    [t('figures.median'), median === null ? '–' : durationText(median, presentation)],
    [t('figures.waiting'), count(disputes.waiting)],
    [t('figures.late'), count(disputes.late)],
  ];
  return (
    <Card>
      <CardHead title={t('figures.disputes', { n: count(days) })} />
      <dl>
        {rows.map(([label, value]) => (
          <div key={label} className="row status-small num">
            <dt className="muted">{label}</dt>
            <dd>
              <b>{value}</b>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** A scale from 0 to 100 %: a dot for the share of wins and a line for the break-even share. */
function Gauge({ won, breakEven }: { won: string | null; breakEven: string | null }) {
  if (won === null || breakEven === null) return null;
  const place = (share: string) => `${Math.min(100, Number(share) * 100)}%`;
  return (
    <span className="status-gauge" aria-hidden="true">
      <i style={{ insetInlineStart: place(won) }} />
      <s style={{ insetInlineStart: place(breakEven) }} />
    </span>
  );
}
