import {
  type BankLineView,
  type BankRunHead,
  type BankRuns as BankRunsView,
  downloadBankFile,
  openBankRun,
  readBankRuns,
  signBankRun,
  withdrawBankRun,
} from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { bankPaymentsOf, fingerprintOfBankRun, hashOfBankFile, hashOfText } from '@sathorn/treasury';
import { Button } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { Facts, GroupedText, Money, Tag, VotePips } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { EmptyState, ReadGate, RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';
import { BankLines } from './bank-lines.tsx';
import { type TreasurySentence, useTreasuryTexts } from './texts.ts';

type OpenRun = NonNullable<BankRunsView['run']>;

/** The server moves a run's payments to the bank with this many signatures. */
const SIGNERS = 2;
const LOOKS = { open: 'brand', signed: 'ok', withdrawn: undefined, lapsed: 'warn' } as const;

export interface BankRunsProps {
  readonly otherwise: ReactNode;
}

/** The runs whose file a bank pays. `otherwise` is shown where the platform pays no bank accounts. */
export default function BankRuns({ otherwise }: BankRunsProps) {
  const query = useRead(readBankRuns, {}, { everyMs: 5_000 });
  const isFinance = hasAnyRole(useOperator(), ['finance']);
  return (
    <ReadGate query={query} rows={4}>
      {({ has_bank: hasBank, run, recent, waiting, later, refusal }) =>
        hasBank || run || recent.length > 0 ? (
          <>
            {run ? (
              <BankRunCard run={run} refusal={refusal} />
            ) : (
              <OpenBankRun waiting={waiting} later={later} mayOpen={isFinance} />
            )}
            {recent.length > 0 && <RecentFiles runs={recent} mayDownload={isFinance} />}
          </>
        ) : (
          otherwise
        )
      }
    </ReadGate>
  );
}

/** The payments that wait for a file. Each is chosen until somebody takes it out. */
function OpenBankRun({
  waiting,
  later,
  mayOpen,
}: {
  waiting: readonly BankLineView[];
  later: number;
  mayOpen: boolean;
}) {
  const { say } = useTreasuryTexts();
  const open = useAct(openBankRun);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = waiting.flatMap(({ withdrawal: { id } }) => (left.has(id) ? [] : [id]));
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('bank.waiting')}</h2>
      </div>
      {waiting.length === 0 ? (
        <EmptyState title={say('bank.nothing')} />
      ) : (
        <BankLines
          label={say('bank.waiting')}
          lines={waiting}
          {...(mayOpen && {
            choice: ({ withdrawal: { id, order_number: number } }: BankLineView) => (
              <input type="checkbox" aria-label={number} checked={!left.has(id)} onChange={() => toggle(id)} />
            ),
          })}
        />
      )}
      {(waiting.length > 0 || later > 0) && (
        <div className="bd col">
          {later > 0 && <p className="c">{say('bank.later', { count: String(later) })}</p>}
          {waiting.length > 0 && <p className="c">{say('bank.note')}</p>}
          {mayOpen && waiting.length > 0 && (
            <div>
              <Button
                size="small"
                busy={open.isBusy}
                disabled={chosen.length === 0}
                onClick={() => void open.run({ withdrawals: chosen.join(',') })}
              >
                {say('bank.open', { count: String(chosen.length) })}
              </Button>
            </div>
          )}
          <RefusalNote refused={open.refused} />
        </div>
      )}
    </section>
  );
}

/** The open run: everything that its file says, and the way to sign it. */
function BankRunCard({ run, refusal }: { run: OpenRun; refusal: string | null }) {
  const { dateTime, amount } = useTexts();
  const { say } = useTreasuryTexts();
  const withdraw = useAct(withdrawBankRun);
  const sign = useAct(signBankRun);
  const [isSigning, setSigning] = useState(false);
  const payments = bankPaymentsOf(run.lines);
  // Computed from what is shown, and never taken from the server.
  const hash = hashOfBankFile(payments);
  const shownHash = [say('bank.hash'), <GroupedText key="hash" text={hash} />] as const;
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('bank.run')}</h2>
        <span className="c">
          {say('opened', { name: run.opened_by.work_name, time: dateTime(run.opened_at) })}
          {` · ${say('lapses', { time: dateTime(run.lapses_at) })}`}
        </span>
      </div>
      <BankLines label={say('bank.run')} lines={run.lines} />
      <div className="bd col">
        <Facts
          facts={[
            [
              say('sum'),
              <span key="sum">
                <Money of={run.total} asset="THB" /> THB
              </span>,
            ],
            [say('signing'), <VotePips key="pips" given={run.signatures.length} need={SIGNERS} />],
            ...run.signatures.map(({ by, at }) => [by.work_name, dateTime(at)] as const),
            shownHash,
          ]}
        />
        {refusal !== null && <p className="note">{say(`why.${refusal}` as TreasurySentence)}</p>}
        <div className="row">
          {refusal === null && (
            <Button size="small" onClick={() => setSigning(true)}>
              {say('bank.sign')}
            </Button>
          )}
          <Button size="small" look="soft" busy={withdraw.isBusy} onClick={() => void withdraw.run({ id: run.id })}>
            {say('withdraw')}
          </Button>
        </div>
        <RefusalNote refused={withdraw.refused} />
      </div>
      {isSigning && (
        <StepUp
          decision={{
            op: 'bank_run.sign',
            id: run.id,
            fingerprint: fingerprintOfBankRun(run.id, payments),
            title: say('bank.run'),
            act: say('bank.sign'),
          }}
          onConfirmed={async (step_up) => {
            const signed = await sign.run({ id: run.id, hash, step_up });
            return signed.ok ? null : signed.refused;
          }}
          onClose={() => setSigning(false)}
        >
          <p>{say('bank.sign.ask', { count: String(run.count), total: amount(run.total) })}</p>
          <BankLines label={say('bank.sign')} lines={run.lines} />
          <Facts facts={[shownHash]} />
        </StepUp>
      )}
    </section>
  );
}

function RecentFiles({ runs, mayDownload }: { runs: readonly BankRunHead[]; mayDownload: boolean }) {
  const { dateTime } = useTexts();
  const { say } = useTreasuryTexts();
  const download = useAct(downloadBankFile);
  /** The hash of the file that was downloaded last, to compare with what its signers saw. */
  const [hash, setHash] = useState<string | null>(null);
  const save = async (id: string) => {
    const answer = await download.run({ id });
    if (!answer.ok) return;
    setHash(hashOfText(answer.data.csv));
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([answer.data.csv], { type: 'text/csv' }));
    link.download = `payments-${id}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('bank.recent')}</h2>
      </div>
      <ScrollRegion label={say('bank.recent')}>
        <table className="s wraps">
          <tbody>
            {runs.map(({ id, step, count, total, opened_by: by, opened_at: at, signatures }) => (
              <tr key={id}>
                <td>
                  <b>{say('bank.count', { count: String(count) })}</b>
                  <p className="c">{say('opened', { name: by.work_name, time: dateTime(at) })}</p>
                  {signatures.length > 0 && (
                    <p className="c">
                      {say('signing')}: {signatures.map((one) => one.by.work_name).join(', ')}
                    </p>
                  )}
                </td>
                <td className="num">
                  <Money of={total} asset="THB" /> THB
                </td>
                <td>
                  <Tag look={LOOKS[step]}>{say(`step.${step}`)}</Tag>
                </td>
                {mayDownload && (
                  <td className="num">
                    {step === 'signed' && (
                      <Button size="small" look="soft" icon="download" onClick={() => void save(id)}>
                        {say('bank.download')}
                      </Button>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {hash !== null && (
        <div className="bd">
          <Facts facts={[[say('bank.hash'), <GroupedText key="hash" text={hash} />]]} />
        </div>
      )}
      <RefusalNote refused={download.refused} />
    </section>
  );
}
