import { type ResultOf, readTreasury, type TreasuryRun } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Late, type LoadPart } from '@sathorn/app/late';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../operator.ts';
import { GroupedText, Money, Tag } from '../parts/parts.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { EmptyState, ReadGate, SkeletonList } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { PageHeader } from '../shell/page-header.tsx';
import type { BankRunsProps } from './treasury/bank-runs.tsx';
import { type AskedChange, ChangeOwners } from './treasury/change-owners.tsx';
import { DueChanges } from './treasury/due-changes.tsx';
import { OpenRun } from './treasury/open-run.tsx';
import { RunCard } from './treasury/run-card.tsx';
import type { TreasuryView } from './treasury/run-hash.ts';
import { useTreasuryTexts } from './treasury/texts.ts';

const LOOKS = {
  open: 'brand',
  signed: 'brand',
  sending: 'brand',
  done: 'ok',
  refused: 'danger',
  superseded: undefined,
  withdrawn: undefined,
  lapsed: 'warn',
} as const;

const loadBankRuns: LoadPart<BankRunsProps> = () => import('./treasury/bank-runs.tsx');
const loadSetupGuide: LoadPart = () => import('./treasury/setup-guide.tsx');

/** Where the money lies, whose keys move it, and the payment runs. */
export default function Treasury() {
  const { t } = useTexts();
  const { say } = useTreasuryTexts();
  const query = useRead(readTreasury, {}, { everyMs: 5_000 });
  const mayAct = hasAnyRole(useOperator(), ['finance', 'compliance']);
  const none = (
    <section className="card">
      <EmptyState title={say('none')} />
    </section>
  );
  return (
    <>
      <PageHeader title={t('nav.treasury')} isStale={query.isError} />
      <div className="page dashboard">
        <ReadGate query={query} rows={12}>
          {({ treasury, run, recent, waiting, top_up: topUp, candidates, due, own }) =>
            treasury === null ? (
              <>
                <Late load={loadSetupGuide} waiting={<SkeletonList />} />
                {/* Whoever may act pays through the bank without a treasury too. */}
                {mayAct ? <LateBankRuns otherwise={none} /> : none}
              </>
            ) : (
              <>
                {run && <RunCard run={run} treasury={treasury} own={own} mayAct={mayAct} />}
                {run === null && <OpenRun waiting={waiting} topUp={topUp} mayOpen={mayAct} />}
                {mayAct && <LateBankRuns otherwise={null} />}
                <div className="columns">
                  <div className="col">
                    <Places treasury={treasury} />
                    <Recent runs={recent} />
                  </div>
                  <div className="col">
                    <Keys treasury={treasury} candidates={candidates} due={due} mayChange={mayAct && run === null} />
                  </div>
                </div>
              </>
            )
          }
        </ReadGate>
      </div>
    </>
  );
}

function LateBankRuns(props: BankRunsProps) {
  return (
    <Late load={loadBankRuns} waiting={<SkeletonList />}>
      {(BankRuns) => <BankRuns {...props} />}
    </Late>
  );
}

function Places({ treasury }: { treasury: TreasuryView }) {
  const { dateTime, amount } = useTexts();
  const { say } = useTreasuryTexts();
  const { held, threshold, safe, hot, hot_max: ceiling } = treasury;
  const rows = [
    {
      name: say('treasury'),
      address: safe,
      units: held.treasury,
      limit: say('treasury.note', { threshold: String(threshold) }),
    },
    {
      name: say('hot'),
      address: hot,
      units: held.hot,
      limit: say('ceiling', { amount: amount(ceiling) }),
    },
    { name: say('addresses'), address: null, units: held.addresses, limit: say('addresses.note') },
  ];
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('places')}</h2>
      </div>
      <ScrollRegion label={say('places')}>
        <table className="s wraps">
          <thead>
            <tr>
              <th>{say('place')}</th>
              <th className="num">{say('held')}</th>
              <th>{say('limit')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, address, units, limit }) => (
              <tr key={name}>
                <td>
                  <b>{name}</b>
                  {address && (
                    <p className="c">
                      <GroupedText text={address} />
                    </p>
                  )}
                </td>
                <td className="num b">
                  <Money of={units} />
                </td>
                <td className="c">{limit}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p className="bd c">{say('block', { height: treasury.height, time: dateTime(treasury.at) })}</p>
    </section>
  );
}

function Keys({
  treasury,
  candidates,
  due,
  mayChange,
}: {
  treasury: TreasuryView;
  candidates: ResultOf<typeof readTreasury>['candidates'];
  due: ResultOf<typeof readTreasury>['due'];
  mayChange: boolean;
}) {
  const { say } = useTreasuryTexts();
  const [asked, setAsked] = useState<AskedChange | null>(null);
  const { owners, threshold, modules, guard } = treasury;
  const warnings = [
    ...(modules.length > 0 ? [say('modules', { addresses: modules.join(', ') })] : []),
    ...(guard === null ? [] : [say('guard', { address: guard })]),
    ...(owners.some(({ kind }) => kind === 'unknown') ? [say('unknown.note')] : []),
  ];
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('keys')}</h2>
        {mayChange && (
          <Button size="small" look="soft" onClick={() => setAsked({ kind: 'add', leaving: null })}>
            {say('change.add')}
          </Button>
        )}
      </div>
      <DueChanges due={due} owners={owners} mayChange={mayChange} />
      <p className="bd">{say('needs', { threshold: String(threshold), count: String(owners.length) })}</p>
      <ScrollRegion label={say('keys')}>
        <table className="s wraps">
          <thead>
            <tr>
              <th>{say('owner')}</th>
              <th>{say('address')}</th>
              {mayChange && <th aria-label={say('change.title')} />}
            </tr>
          </thead>
          <tbody>
            {owners.map((one) => {
              const { address, kind, operator, has_left: hasLeft } = one;
              return (
                <tr key={address}>
                  <td>
                    <b>{operator?.work_name}</b>{' '}
                    <Tag look={kind === 'unknown' ? 'danger' : kind === 'demo' ? 'warn' : undefined}>{say(kind)}</Tag>{' '}
                    {hasLeft && <Tag look="danger">{say('left')}</Tag>}
                  </td>
                  <td>
                    <GroupedText text={address} />
                  </td>
                  {mayChange && (
                    <td>
                      <div className="row wrap">
                        {(['swap', 'remove'] as const).map((change) => (
                          <Button
                            key={change}
                            size="small"
                            look="soft"
                            onClick={() => setAsked({ kind: change, leaving: one })}
                          >
                            {say(`change.${change}`)}
                          </Button>
                        ))}
                      </div>
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
      {asked && <ChangeOwners asked={asked} candidates={candidates} onClose={() => setAsked(null)} />}
      <div className="bd col">
        {warnings.map((text) => (
          <p key={text} className="note" data-look="danger">
            {text}
          </p>
        ))}
        {owners.some(({ kind }) => kind === 'demo') && <p className="note">{say('demo.note')}</p>}
      </div>
    </section>
  );
}

function Recent({ runs }: { runs: readonly TreasuryRun[] }) {
  const { dateTime } = useTexts();
  const { say } = useTreasuryTexts();
  if (runs.length === 0) return null;
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('recent')}</h2>
      </div>
      <ScrollRegion label={say('recent')}>
        <table className="s wraps">
          <tbody>
            {runs.map((run) => (
              <tr key={run.id}>
                <td>
                  <b>{say('run', { nonce: run.nonce })}</b>
                  <p className="c">{say('opened', { name: run.opened_by.work_name, time: dateTime(run.opened_at) })}</p>
                  {run.signatures.length > 0 && (
                    <p className="c">
                      {say('signing')}: {run.signatures.map(({ by }) => by.work_name).join(', ')}
                    </p>
                  )}
                  {run.transaction && (
                    <p className="c">
                      <GroupedText text={run.transaction} />
                    </p>
                  )}
                  {run.step === 'refused' && <p className="da">{say('refused.note')}</p>}
                </td>
                <td className="num">
                  <Money of={run.total} />
                </td>
                <td>
                  <Tag look={LOOKS[run.step]}>{say(`step.${run.step}`)}</Tag>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
