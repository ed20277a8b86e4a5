import { type ResultOf, readDashboard } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Icon } from '@sathorn/ui';
import { clockSpanText, DueClock, Money, Tag } from '../parts/parts.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { ReadGate } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { routeHash } from '../route.ts';
import { PageHeader } from '../shell/page-header.tsx';
import './dashboard/dashboard.css';
import { DaySummary } from './dashboard/day-summary.tsx';
import { PaymentTimes } from './dashboard/payment-times.tsx';
import { useDashboardTexts } from './dashboard/texts.ts';

type Shown = ResultOf<typeof readDashboard>;
const PAGE_OF: Readonly<Record<string, string>> = {
  approval: 'approvals',
  withdrawal: 'withdrawals',
  deposit: 'deposits',
  certification: 'certifications',
  correction: 'corrections',
};
/** Queues whose page is a tab of another page. */
const TAB_OF: Readonly<Record<string, readonly [page: string, tab: string]>> = { sample: ['support', 'samples'] };

/** Less money outside than in the ledger is an error; more is money that is not credited yet. */
function lookOf(difference: string | null): string {
  if (difference === null || Number(difference) === 0) return 'ok';
  return difference.startsWith('-') ? 'da' : 'wa';
}

/** A number is precise enough for a bar or a share. Amounts themselves stay decimal strings. */
const share = (part: string, whole: string): number => (Number(whole) > 0 ? Number(part) / Number(whole) : 0);

const hrefOf = (kind: string): string => {
  const [page, tab] = TAB_OF[kind] ?? [PAGE_OF[kind] ?? 'dashboard'];
  return tab === undefined ? routeHash(page) : routeHash(page, null, { tab });
};

/** Returns a function that names a queue. */
function useNameOf(): (kind: string) => string {
  const { code } = useTexts();
  const { word } = useDashboardTexts();
  return (kind) => (TAB_OF[kind] ? word('queue', kind) : code('kind', kind));
}

export default function Dashboard() {
  const { t } = useTexts();
  const nameOf = useNameOf();
  const query = useRead(readDashboard, {}, { everyMs: 10_000 });
  return (
    <>
      <PageHeader title={t('nav.dashboard')} isStale={query.isError} />
      <div className="page dashboard">
        <ReadGate query={query} rows={12}>
          {(shown) => (
            <>
              <DaySummary shown={shown} hrefOf={hrefOf} nameOf={nameOf} />
              <div className="columns">
                <div className="col">
                  {shown.custody && <Custody custody={shown.custody} at={shown.at} health={shown.health} />}
                  {shown.exposure && <Exposure exposure={shown.exposure} funds={shown.funds ?? []} />}
                  <Health health={shown.health} indexes={shown.indexes} at={shown.at} />
                </div>
                <div className="col">
                  <Queues queues={shown.queues} />
                  {shown.times && <PaymentTimes times={shown.times} at={shown.at} />}
                  {shown.bank_matches && <BankMatches matches={shown.bank_matches} />}
                  {shown.custody && <Events events={shown.events} />}
                </div>
              </div>
            </>
          )}
        </ReadGate>
      </div>
    </>
  );
}

function Custody({ custody, health }: { custody: NonNullable<Shown['custody']>; at: string; health: Shown['health'] }) {
  const { t, time } = useTexts();
  const { say } = useDashboardTexts();
  const checker = health.find(({ name }) => name === 'checker');
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('custody')}</h2>
        {checker && <Tag look={checker.is_good ? 'ok' : 'danger'}>{say(checker.is_good ? 'checked' : 'violated')}</Tag>}
      </div>
      <ScrollRegion label={say('custody')}>
        <table className="s">
          <thead>
            <tr>
              <th>{t('asset')}</th>
              <th className="num">{say('owed')}</th>
              <th className="num">{say('pools')}</th>
              <th className="num">{say('reserves')}</th>
              <th className="num">{say('counted')}</th>
              <th className="num">{say('difference')}</th>
            </tr>
          </thead>
          <tbody>
            {custody.map((row) => (
              <tr key={row.asset}>
                <td className="b">{row.asset}</td>
                <td className="num">
                  <Money of={row.customers} asset={row.asset} />
                </td>
                <td className="num m">
                  <Money of={row.pools} asset={row.asset} />
                </td>
                <td className="num">
                  <Money of={row.reserves} asset={row.asset} />
                </td>
                <td className="num">
                  {row.counted !== null ? (
                    <Money of={row.counted} asset={row.asset} />
                  ) : row.uncounted_since ? (
                    say('uncounted', { time: time(row.uncounted_since) })
                  ) : (
                    '–'
                  )}
                </td>
                <td className={`num b ${lookOf(row.difference)}`}>
                  {row.difference === null ? '–' : <Money of={row.difference} asset={row.asset} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {custody.some(({ difference }) => lookOf(difference) === 'wa') && <p className="bd c">{say('surplus')}</p>}
    </section>
  );
}

function Exposure({
  exposure,
  funds,
}: {
  exposure: NonNullable<Shown['exposure']>;
  funds: NonNullable<Shown['funds']>;
}) {
  const { t, amount } = useTexts();
  const { say, word } = useDashboardTexts();
  const shown = exposure.filter(({ up, down }) => Number(up) > 0 || Number(down) > 0);
  const rows = shown.length > 0 ? shown : exposure.slice(0, 4);
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('exposure')}</h2>
        <span className="r">{say('at_limit')}</span>
      </div>
      <table className="s">
        <thead>
          <tr>
            <th>{t('coin')}</th>
            <th className="num">{say('up')}</th>
            <th className="num">{say('down')}</th>
            <th>{say('used')}</th>
            <th className="num">{say('limit')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ code, up, down, limit }) => {
            const used = limit === null ? 0 : Math.min(share(up, limit) + share(down, limit), 1);
            return (
              <tr key={code}>
                <td className="b">{code}</td>
                <td className="num">
                  <Money of={up} />
                </td>
                <td className="num">
                  <Money of={down} />
                </td>
                <td>
                  <meter min={0} max={1} high={0.75} value={used} aria-label={`${code} ${Math.round(used * 100)} %`} />
                </td>
                <td className="num m">{limit === null ? '–' : <Money of={limit} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className="row sp bd c">
        <span>{say('funds')}</span>
        <span>{say('funds_of')}</span>
      </div>
      <dl className="bd funds">
        {funds.map(({ name, promised, funded }) => (
          <div key={name}>
            <dt>{word('fund', name)}</dt>
            <dd>
              <meter min={0} max={1} high={0.9} value={share(promised, funded)} aria-label={word('fund', name)} />
            </dd>
            <dd className="num">{say('of', { promised: amount(promised), funded: amount(funded) })}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Health({ health, indexes, at }: Pick<Shown, 'health' | 'indexes' | 'at'>) {
  const { amount } = useTexts();
  const { say, word } = useDashboardTexts();
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('health')}</h2>
      </div>
      <div className="bd tiles">
        {indexes.map(({ code, used, sources, price, at: tick, stale }) => (
          <Tile
            key={code}
            name={say('health.index_of', { code })}
            isGood={!stale}
            state={
              tick === null
                ? say('no_price')
                : say('sources', {
                    used,
                    sources,
                    age: Math.max(0, Math.round((Date.parse(at) - Date.parse(tick)) / 1_000)),
                  })
            }
            value={price && amount(price)}
          />
        ))}
        {health.map(({ name, state, is_good: isGood, late }) => (
          <Tile
            key={name}
            name={word('health', name)}
            isGood={isGood}
            state={word('health.state', state, { count: late ?? 0 })}
            value={null}
          />
        ))}
      </div>
    </section>
  );
}

function Tile({ name, state, value, isGood }: { name: string; state: string; value: string | null; isGood: boolean }) {
  const { t } = useTexts();
  return (
    <div className="note">
      <p className="row sp">
        <b className="sm">{name}</b>
        <span className="pip" data-state={isGood ? undefined : 'danger'}>
          <span className="unseen">{t(isGood ? 'state.good' : 'state.bad')}</span>
        </span>
      </p>
      <p className="c">{state}</p>
      {value && <p className="num sm">{value}</p>}
    </div>
  );
}

function Queues({ queues }: { queues: Shown['queues'] }) {
  const { t } = useTexts();
  const { say } = useDashboardTexts();
  const nameOf = useNameOf();
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('queues')}</h2>
        <span className="r">{say('oldest')}</span>
      </div>
      {queues.length === 0 ? (
        <p className="empty">{say('no_queues')}</p>
      ) : (
        <table className="s">
          <thead>
            <tr>
              <th>{say('queue')}</th>
              <th className="num">{say('waiting')}</th>
              <th>{t('clock.left')}</th>
              <th>
                <span className="unseen">{say('overdue')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {queues.map(({ kind, waiting, overdue, oldest_at: from, due_at: due }) => (
              <tr key={kind}>
                <td className="b">
                  <a href={hrefOf(kind)}>{nameOf(kind)}</a>
                </td>
                <td className="num b">{waiting}</td>
                <td>{due && from ? <DueClock due={due} from={from} /> : <span className="m">–</span>}</td>
                <td className="da b">{overdue > 0 && say('overdue_count', { count: overdue })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Bank matches of the last day that somebody should review. */
function BankMatches({ matches }: { matches: NonNullable<Shown['bank_matches']> }) {
  const { amount, time } = useTexts();
  const { say, word } = useDashboardTexts();
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('matches')}</h2>
      </div>
      {matches.length === 0 ? (
        <p className="empty">{say('no_matches')}</p>
      ) : (
        <ScrollRegion label={say('matches')}>
          <table className="s">
            <tbody>
              {matches.map(({ deposit, order_number: number, customer, by, baht, at, marks }) => (
                <tr key={deposit}>
                  <td className="m num">{time(at)}</td>
                  <td>
                    <a className="mono" href={routeHash('deposits', deposit, { tab: 'credited' })}>
                      {number}
                    </a>
                    <p className="c">
                      <bdi>{customer.username}</bdi> · {say('matched_by', { by: by.work_name })}
                    </p>
                  </td>
                  <td className="num b">฿{amount(baht)}</td>
                  <td>
                    {marks.map((mark) => (
                      <Tag key={mark} look="danger">
                        {word('mark', mark)}
                      </Tag>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  );
}

function Events({ events }: { events: Shown['events'] }) {
  const { t, time, code } = useTexts();
  const { say } = useDashboardTexts();
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('now')}</h2>
        <span className="r">
          <a href={routeHash('audit')}>{t('nav.audit')}</a>
        </span>
      </div>
      <table className="s">
        <tbody>
          {events.map((event) => (
            <tr key={event.n}>
              <td className="m num">{time(event.at)}</td>
              <td className="b">{event.who?.work_name ?? t('audit.platform')}</td>
              <td className="trim">
                {code('what', event.what)} <span className="c mono">{event.on.id}</span>
              </td>
              <td className="c num">
                {clockSpanText(Date.now() - Date.parse(event.at), t('clock.day'), t('clock.hour'))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="foot c">
        <Icon name="info" size={13} /> {say('customer_too')}
      </p>
    </section>
  );
}
