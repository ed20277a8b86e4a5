import type { CallFault } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { PageBar } from '@sathorn/app/shell';
import { formatCount, formatDate, formatDecimalText } from '@sathorn/text';
import { Button, IconButton, useText } from '@sathorn/ui';
import { useQuery } from '@tanstack/react-query';
import { brand } from '#brand';
import { withoutTrailingZeros } from '../parts/market/asset-figure.ts';
import { CardNotLoaded } from '../parts/read/not-loaded.tsx';
import { useSystemConfig } from '../shell/config.ts';
import { monthBeside, monthOf, monthText, readMonth, spanOf } from './month-statement.ts';
import { type ReadMonth, readMonthStatement } from './read-month.ts';
import { recordName } from './record-name.ts';
import { StatementTexts } from './statement-texts.tsx';
import './statement.css';

const PATH = '/pages/accountDetails/statement';

/** `#/pages/accountDetails/statement?month=2026-11`: the statement of a month, to print or to save as PDF. */
export default function Statement() {
  return (
    <StatementTexts>
      <Body />
    </StatementTexts>
  );
}

function Body() {
  const { t, presentation } = useText<'statement'>();
  const { query, redirect } = useNavigation();
  const token = useSession((session) => session.token);
  const month = readMonth(query.get('month')) ?? monthOf(Date.now());
  const read = useQuery<ReadMonth, CallFault>({
    queryKey: ['statement', monthText(month), token],
    queryFn: ({ signal }) => readMonthStatement(month, signal),
    enabled: token !== null,
    // A statement says when it was issued, so it is read anew each time.
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <>
      <PageBar title={t('statement.title')} />
      <div className="page statement-page">
        <div className="statement-controls stack">
          <div className="row statement-month">
            <IconButton
              icon="back"
              flip
              label={t('statement.month_before')}
              onClick={() => redirect(PATH, { month: monthText(monthBeside(month, -1)) })}
            />
            <b>{formatDate(spanOf(month).fromMs, 'month', presentation)}</b>
            <IconButton
              icon="forward"
              flip
              label={t('statement.month_after')}
              disabled={spanOf(month).untilMs > Date.now()}
              onClick={() => redirect(PATH, { month: monthText(monthBeside(month, 1)) })}
            />
          </div>
          <Button icon="download" disabled={!read.data} onClick={() => window.print()}>
            {t('statement.save')}
          </Button>
          <p className="cap statement-hint">{t('statement.save_hint')}</p>
        </div>
        {read.data ? (
          <Paper statement={read.data} title={formatDate(spanOf(month).fromMs, 'month', presentation)} />
        ) : (
          <CardNotLoaded read={read} failed={t('statement.failed')} rows={8} />
        )}
      </div>
    </>
  );
}

function Paper({ statement, title }: { statement: ReadMonth; title: string }) {
  const { t, presentation } = useText<'statement'>();
  const { user, issuedAtMs, head, logEntry, addsUp } = statement;
  const isDemo = useSystemConfig()?.mode === 'demo';
  const time = (atMs: number): string => formatDate(atMs, 'dateTimeSeconds', presentation);
  return (
    <article className="statement-paper">
      <header>
        <p className="statement-brand">{brand.title}</p>
        <h2>{t('statement.title')}</h2>
        <p>{title}</p>
        {isDemo && <p className="statement-demo">{t('statement.demo')}</p>}
      </header>
      <dl className="statement-facts">
        <dt>{t('statement.customer')}</dt>
        <dd>
          <bdi>{user.nickname || user.username}</bdi>
        </dd>
        <dt>{t('statement.number')}</dt>
        <dd>
          <bdi>{user.id}</bdi>
        </dd>
        <dt>{t('statement.issued')}</dt>
        <dd>{time(issuedAtMs)}</dd>
      </dl>
      <h3>{t('statement.summary')}</h3>
      <Summary statement={statement} />
      <p className="statement-verdict" data-differs={addsUp ? undefined : ''}>
        {t(addsUp ? 'statement.adds_up' : 'statement.differs')}
      </p>
      <h3>{t('statement.movements')}</h3>
      <Movements statement={statement} />
      <footer>
        <p>{t('statement.covers')}</p>
        <p>{t('statement.zone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}</p>
        <p>
          {t('statement.head', { time: time(head.atMs) })}
          <bdi className="mono statement-hash">{head.hash}</bdi>
        </p>
        {logEntry !== null && <p>{t('statement.logged', { entry: formatCount(Number(logEntry), presentation) })}</p>}
        <p>{t('statement.check', { command: 'sathorn-verify --statement' })}</p>
      </footer>
    </article>
  );
}

/** An amount without its asset, which the column names. */
function Figure({ amount }: { amount: string }) {
  const { presentation } = useText();
  return <bdi dir="ltr">{formatDecimalText(withoutTrailingZeros(amount), presentation, { minDecimals: 2 })}</bdi>;
}

function Summary({ statement: { assets } }: { statement: ReadMonth }) {
  const { t } = useText<'statement' | 'money'>();
  const columns = ['opening', 'received', 'sent', 'fees', 'closing'] as const;
  return (
    <table className="statement-table num">
      <thead>
        <tr>
          <th scope="col">{t('statement.asset')}</th>
          {columns.map((name) => (
            <th key={name} scope="col">
              {t(`statement.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {assets.map((row) => (
          <tr key={row.asset}>
            <th scope="row">{row.asset === 'POINTS' ? t('details.points') : row.asset}</th>
            {columns.map((name) => (
              <td key={name} data-label={t(`statement.${name}`)}>
                <Figure amount={row[name]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Movements({ statement: { rows } }: { statement: ReadMonth }) {
  const { t, has, presentation } = useText<'statement' | 'money'>();
  if (rows.length === 0) return <p className="muted">{t('statement.none')}</p>;
  return (
    <table className="statement-table num">
      <thead>
        <tr>
          <th scope="col">{t('statement.time')}</th>
          <th scope="col">{t('statement.what')}</th>
          <th scope="col">{t('statement.amount')}</th>
          <th scope="col">{t('statement.balance')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, at, kind, amount, asset, balance_after: balance }) => (
          <tr key={id}>
            <td>{formatDate(at, 'dateTimeSeconds', presentation)}</td>
            <td>{t(recordName(kind, has))}</td>
            <td data-label={t('statement.amount')}>
              <Figure amount={amount} />{' '}
              <span className="statement-unit">{asset === 'POINTS' ? t('details.points') : asset}</span>
            </td>
            <td data-label={t('statement.balance')}>{balance !== null && <Figure amount={balance} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
