import { type ResultOf, readReconciliation } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Late, type LoadPart } from '@sathorn/app/late';
import { isCoinCode } from '@sathorn/money';
import { Button } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { hasAnyRole, useOperator } from '../operator.ts';
import { clockSpanText, Facts, Money, Tag } from '../parts/parts.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { ReadGate } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useCorrectionTexts } from './corrections/texts.ts';
import type { FirstAttestation } from './reconciliation/attest.tsx';

const loadAttest: LoadPart<{ first: FirstAttestation | null; onClose: () => void }> = () =>
  import('./reconciliation/attest.tsx');

const loadRestoration: LoadPart<object> = () => import('./restoration/after-restoration.tsx');

type Shown = ResultOf<typeof readReconciliation>;

/** Less money outside than in the ledger is an error; more is money that is not credited yet. */
function lookOf(difference: string | null): string {
  if (difference === null || Number(difference) === 0) return 'ok';
  return difference.startsWith('-') ? 'da' : 'wa';
}

export default function Reconciliation() {
  const { t } = useTexts();
  const { b } = useCorrectionTexts();
  const operator = useOperator();
  const query = useRead(readReconciliation, {}, { everyMs: 10_000 });
  const [signing, setSigning] = useState<{ readonly first: FirstAttestation | null } | null>(null);
  const maySign = hasAnyRole(operator, ['finance']);
  return (
    <>
      <PageHeader title={t('nav.reconciliation')} isStale={query.isError}>
        {maySign && (
          <Button size="small" look="soft" onClick={() => setSigning({ first: null })}>
            {b('rec.attest')}
          </Button>
        )}
      </PageHeader>
      <div className="page dashboard">
        <Late load={loadRestoration} waiting={null}>
          {(AfterRestoration) => <AfterRestoration />}
        </Late>
        <ReadGate query={query} rows={12}>
          {(shown) => (
            <div className="columns">
              <div className="col">
                <Rails rails={shown.rails} />
                <Owed assets={shown.assets} />
                <Clearing clearing={shown.clearing} at={shown.at} />
              </div>
              <div className="col">
                <Checker checker={shown.checker} />
                <Attestations
                  attestations={shown.attestations}
                  onSign={maySign ? (first) => setSigning({ first }) : null}
                />
              </div>
            </div>
          )}
        </ReadGate>
      </div>
      {signing && (
        <Late load={loadAttest} waiting={null}>
          {(Attest) => <Attest first={signing.first} onClose={() => setSigning(null)} />}
        </Late>
      )}
    </>
  );
}

/** A table; each column has a heading and a class. */
function TableCard({
  title,
  columns,
  below = false,
  children,
}: {
  title: string;
  columns: readonly (readonly [heading: string, className?: string])[];
  below?: string | false;
  children: ReactNode;
}) {
  return (
    <section className="card">
      <div className="hd">
        <h2>{title}</h2>
      </div>
      <ScrollRegion label={title}>
        <table className="s wraps">
          <thead>
            <tr>
              {columns.map(([heading, className]) => (
                <th key={heading} className={className}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </ScrollRegion>
      {below && <p className="bd c">{below}</p>}
    </section>
  );
}

function Rails({ rails }: { rails: Shown['rails'] }) {
  const { dateTime, time } = useTexts();
  const { b, word } = useCorrectionTexts();
  return (
    <TableCard
      title={b('rec.custody')}
      below={rails.some(({ difference }) => lookOf(difference) === 'wa') && b('rec.surplus')}
      columns={[
        [b('asset')],
        [b('rec.rail')],
        [b('rec.booked'), 'num'],
        [b('rec.counted'), 'num'],
        [b('rec.difference'), 'num'],
        [b('rec.counted_at')],
      ]}
    >
      {rails.map((row) => (
        <tr key={`${row.asset} ${row.rail}`}>
          <td className="b">{row.asset}</td>
          <td>{word('rail', row.rail)}</td>
          <td className="num">
            <Money of={row.booked} asset={row.asset} />
          </td>
          <td className="num">{row.counted === null ? '–' : <Money of={row.counted} asset={row.asset} />}</td>
          <td className={`num b ${lookOf(row.difference)}`}>
            {row.difference === null ? '–' : <Money of={row.difference} asset={row.asset} />}
          </td>
          <td className="c">
            {row.counted_at
              ? dateTime(row.counted_at)
              : row.uncounted_since
                ? b('rec.uncounted', { time: time(row.uncounted_since) })
                : b('rec.not_counted')}
          </td>
        </tr>
      ))}
    </TableCard>
  );
}

function Owed({ assets }: { assets: Shown['assets'] }) {
  const { b } = useCorrectionTexts();
  return (
    <TableCard
      title={b('rec.owed')}
      columns={[
        [b('asset')],
        [b('rec.customers'), 'num'],
        [b('rec.leaving'), 'num'],
        [b('rec.house'), 'num'],
        [b('rec.reserves'), 'num'],
        [b('rec.cover'), 'num'],
      ]}
    >
      {assets.map((row) => {
        const owed = Number(row.customers) + Number(row.clearing);
        const isTest = Number(row.reserves) === 0;
        return (
          <tr key={row.asset}>
            <td className="b">{row.asset}</td>
            <td className="num">
              <Money of={row.customers} asset={row.asset} />
            </td>
            <td className="num m">
              <Money of={row.clearing} asset={row.asset} />
            </td>
            <td className="num m">
              <Money of={row.house} asset={row.asset} />
            </td>
            <td className="num">
              <Money of={row.reserves} asset={row.asset} />
            </td>
            <td className="num b">
              {owed === 0
                ? '–'
                : isTest
                  ? b('rec.no_reserves')
                  : `${((Number(row.reserves) / owed) * 100).toFixed(2)} %`}
            </td>
          </tr>
        );
      })}
    </TableCard>
  );
}

function Clearing({ clearing, at }: { clearing: Shown['clearing']; at: string }) {
  const { b, word } = useCorrectionTexts();
  return (
    <TableCard
      title={b('rec.clearing')}
      columns={[[b('account')], [b('asset')], [b('total'), 'num'], [b('held'), 'num'], [b('rec.oldest')]]}
      below={clearing.length === 0 && b('rec.empty')}
    >
      {clearing.map((row) => (
        <tr key={`${row.account} ${row.asset}`}>
          <td>{word('account', row.account)}</td>
          <td className="b">{row.asset}</td>
          <td className="num b">
            <Money of={row.total} asset={row.asset} />
          </td>
          <td className="num m">
            <Money of={row.held} asset={row.asset} />
          </td>
          <td className="c">
            {row.oldest
              ? b('rec.age', {
                  span: clockSpanText(Date.parse(at) - Date.parse(row.oldest), b('rec.day'), b('rec.hour')),
                })
              : b('rec.empty')}
          </td>
        </tr>
      ))}
    </TableCard>
  );
}

function Checker({ checker }: { checker: Shown['checker'] }) {
  const { dateTime } = useTexts();
  const { b } = useCorrectionTexts();
  if (checker === null)
    return (
      <section className="card bd">
        <h2>{b('rec.checker')}</h2>
        <p className="c">{b('rec.unchecked')}</p>
      </section>
    );
  const { violations, invariants, halted } = checker;
  const isGood = violations.length === 0;
  return (
    <section className="card">
      <div className="hd wrap">
        <h2>{b('rec.checker')}</h2>
        <Tag look={isGood ? 'ok' : 'danger'}>
          {isGood ? b('rec.all_hold', { count: invariants.length }) : b('rec.violated', { count: violations.length })}
        </Tag>
        <Tag look={halted === null ? 'ok' : 'danger'}>{b(halted === null ? 'rec.not_halted' : 'rec.halted')}</Tag>
      </div>
      <div className="bd col">
        <Facts
          facts={[
            [b('rec.last'), dateTime(checker.at)],
            [b('rec.passed'), checker.passed === null ? b('rec.never') : dateTime(checker.passed)],
            [b('rec.acknowledged'), String(checker.acknowledged)],
          ]}
        />
        {halted !== null && (
          <p className="note" data-look="danger">
            {halted}
          </p>
        )}
        {violations.map(({ invariant, says, subjects }) => (
          <p key={invariant} className="note" data-look="danger">
            <b>{invariant}</b> {says} · {b('rec.subjects', { count: subjects })}
          </p>
        ))}
        <details>
          <summary>{b('rec.show')}</summary>
          <Facts facts={invariants.map(({ id, says }) => [id, says] as const)} />
        </details>
      </div>
    </section>
  );
}

/** Counts of coins that wait for a second person, who must not be the first one. */
function Attestations({
  attestations,
  onSign,
}: {
  attestations: Shown['attestations'];
  onSign: ((first: FirstAttestation) => void) | null;
}) {
  const { dateTime } = useTexts();
  const operator = useOperator();
  const signersOf = (row: FirstAttestation): Set<string> =>
    new Set(
      attestations
        .filter(({ asset, counted, as_of }) => asset === row.asset && counted === row.counted && as_of === row.as_of)
        .map(({ by }) => by.id),
    );
  const { b } = useCorrectionTexts();
  return (
    <section className="card">
      <div className="hd">
        <h2>{b('rec.attested')}</h2>
      </div>
      {attestations.length === 0 ? (
        <p className="bd c">{b('rec.none_attested')}</p>
      ) : (
        <table className="s wraps">
          <tbody>
            {attestations.map((row) => (
              <tr key={row.id}>
                <td className="num b">
                  <Money of={row.counted} asset={row.asset} /> {row.asset}
                </td>
                <td className="c">
                  <bdi>{row.statement}</bdi>
                </td>
                <td className="c">{dateTime(row.as_of)}</td>
                <td className="c">{row.by.work_name}</td>
                <td>
                  {isCoinCode(row.asset) &&
                    (signersOf(row).size > 1 ? (
                      <Tag look="ok">{b('rec.two_signed')}</Tag>
                    ) : onSign && row.by.id !== operator?.id ? (
                      <Button size="small" look="soft" onClick={() => onSign(row)}>
                        {b('rec.sign_too')}
                      </Button>
                    ) : (
                      <Tag look="warn">{b('rec.one_signed')}</Tag>
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
