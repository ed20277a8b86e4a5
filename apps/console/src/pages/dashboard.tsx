import { type ResultOf, readDashboard } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Icon } from '@sathorn/ui';
import { Clock, spanOf, Tag } from '../parts/parts.tsx';
import { Loaded } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { hashOf } from '../route.ts';
import { Top } from '../shell/top.tsx';

type Shown = ResultOf<typeof readDashboard>;
const PAGE_OF: Readonly<Record<string, string>> = {
  approval: 'approvals',
  withdrawal: 'withdrawals',
  deposit: 'deposits',
  certification: 'certifications',
  correction: 'corrections',
};

/** Less money outside than the ledger says is an error; more is money that is not credited yet. */
function lookOf(difference: string | null): string {
  if (difference === null || Number(difference) === 0) return 'ok';
  return difference.startsWith('-') ? 'da' : 'wa';
}

/** A number is precise enough for a bar or a share. Amounts themselves stay decimal strings. */
const share = (part: string, whole: string): number => (Number(whole) > 0 ? Number(part) / Number(whole) : 0);

export default function Dashboard() {
  const { t } = useTexts();
  const query = useRead(readDashboard, {}, { everyMs: 10_000 });
  return (
    <>
      <Top title={t('nav.dashboard')} isStale={query.isError} />
      <div className="page dashboard">
        <Loaded query={query} rows={12}>
          {(shown) => (
            <div className="columns">
              <div className="col">
                {shown.custody && <Custody custody={shown.custody} at={shown.at} health={shown.health} />}
                {shown.exposure && <Exposure exposure={shown.exposure} />}
                <Health health={shown.health} />
              </div>
              <div className="col">
                <Queues queues={shown.queues} />
                {shown.custody && <Events events={shown.events} />}
              </div>
            </div>
          )}
        </Loaded>
      </div>
    </>
  );
}

function Custody({ custody, health }: { custody: NonNullable<Shown['custody']>; at: string; health: Shown['health'] }) {
  const { t, amount } = useTexts();
  const checker = health.find(({ name }) => name === 'checker');
  return (
    <section className="card">
      <div className="hd">
        <h2>{t('dashboard.custody')}</h2>
        {checker && (
          <Tag look={checker.is_good ? 'ok' : 'danger'}>
            {t(checker.is_good ? 'dashboard.checked' : 'dashboard.violated')}
          </Tag>
        )}
      </div>
      <div className="scroll">
        <table className="s">
          <thead>
            <tr>
              <th>{t('asset')}</th>
              <th className="num">{t('dashboard.owed')}</th>
              <th className="num">{t('dashboard.pools')}</th>
              <th className="num">{t('dashboard.reserves')}</th>
              <th className="num">{t('dashboard.counted')}</th>
              <th className="num">{t('dashboard.difference')}</th>
            </tr>
          </thead>
          <tbody>
            {custody.map((row) => (
              <tr key={row.asset}>
                <td className="b">{row.asset}</td>
                <td className="num">{amount(row.customers)}</td>
                <td className="num m">{amount(row.pools)}</td>
                <td className="num">{amount(row.reserves)}</td>
                <td className="num">{row.counted === null ? '–' : amount(row.counted)}</td>
                <td className={`num b ${lookOf(row.difference)}`}>
                  {row.difference === null ? '–' : amount(row.difference)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Exposure({ exposure }: { exposure: NonNullable<Shown['exposure']> }) {
  const { t, amount } = useTexts();
  const shown = exposure.filter(({ up, down }) => Number(up) > 0 || Number(down) > 0);
  const rows = shown.length > 0 ? shown : exposure.slice(0, 4);
  return (
    <section className="card">
      <div className="hd">
        <h2>{t('dashboard.exposure')}</h2>
        <span className="r">{t('dashboard.at_limit')}</span>
      </div>
      <table className="s">
        <thead>
          <tr>
            <th>{t('coin')}</th>
            <th className="num">{t('dashboard.up')}</th>
            <th className="num">{t('dashboard.down')}</th>
            <th>{t('dashboard.used')}</th>
            <th className="num">{t('dashboard.limit')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ code, up, down, limit }) => {
            const used = limit === null ? 0 : Math.min(share(up, limit) + share(down, limit), 1);
            return (
              <tr key={code}>
                <td className="b">{code}</td>
                <td className="num">{amount(up)}</td>
                <td className="num">{amount(down)}</td>
                <td>
                  <meter min={0} max={1} high={0.75} value={used} aria-label={`${code} ${Math.round(used * 100)} %`} />
                </td>
                <td className="num m">{limit === null ? '–' : amount(limit)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Health({ health }: { health: Shown['health'] }) {
  const { t, code } = useTexts();
  return (
    <section className="card">
      <div className="hd">
        <h2>{t('dashboard.health')}</h2>
      </div>
      <div className="bd tiles">
        {health.map(({ name, state, is_good: isGood }) => (
          <div key={name} className="note">
            <p className="row sp">
              <b className="sm">{code('health', name)}</b>
              <span className="pip" data-state={isGood ? undefined : 'danger'}>
                <span className="unseen">{t(isGood ? 'state.good' : 'state.bad')}</span>
              </span>
            </p>
            <p className="c">{code('health.state', state)}</p>
          </div>
        ))}
      </div>
    </section>
  );
}

function Queues({ queues }: { queues: Shown['queues'] }) {
  const { t, code } = useTexts();
  return (
    <section className="card">
      <div className="hd">
        <h2>{t('dashboard.queues')}</h2>
        <span className="r">{t('dashboard.oldest')}</span>
      </div>
      {queues.length === 0 ? (
        <p className="empty">{t('dashboard.no_queues')}</p>
      ) : (
        <table className="s">
          <thead>
            <tr>
              <th>{t('dashboard.queue')}</th>
              <th className="num">{t('dashboard.waiting')}</th>
              <th>{t('clock.left')}</th>
              <th>
                <span className="unseen">{t('dashboard.overdue')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {queues.map(({ kind, waiting, overdue, oldest_at: from, due_at: due }) => (
              <tr key={kind}>
                <td className="b">
                  <a href={hashOf(PAGE_OF[kind] ?? 'dashboard')}>{code('kind', kind)}</a>
                </td>
                <td className="num b">{waiting}</td>
                <td>{due && from ? <Clock due={due} from={from} /> : <span className="m">–</span>}</td>
                <td className="da b">{overdue > 0 && t('dashboard.overdue_count', { count: overdue })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Events({ events }: { events: Shown['events'] }) {
  const { t, time, code } = useTexts();
  return (
    <section className="card">
      <div className="hd">
        <h2>{t('dashboard.now')}</h2>
        <span className="r">
          <a href={hashOf('audit')}>{t('nav.audit')}</a>
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
              <td className="c num">{spanOf(Date.now() - Date.parse(event.at), t('clock.day'), t('clock.hour'))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="foot c">
        <Icon name="info" size={13} /> {t('dashboard.customer_too')}
      </p>
    </section>
  );
}
