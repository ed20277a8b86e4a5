import { attestBalance, attestedText, type BankStatementView, importBankLines, listBankStatements } from '@sathorn/api';
import { queryClient, randomId } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { Field } from '../../parts/field.tsx';
import { Facts, Tag } from '../../parts/parts.tsx';
import { sha256 } from '../../parts/sha256.ts';
import { ReadGate, RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { uploadPicture } from '../../parts/upload-picture.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { type RefusedAct, refusedActOf, useAct } from '../../use-act.ts';
import { useSlipTexts } from './texts.ts';

/** Imported statements with their source and their attester, and the import of the next one. */
export default function Statements({ onClose }: { onClose: () => void }) {
  const { t, amount, dateTime } = useTexts();
  const s = useSlipTexts();
  const operator = useOperator();
  const query = useLiveRead(listBankStatements, {});
  const [attesting, setAttesting] = useState<{ of: BankStatementView; fingerprint: string } | null>(null);
  const isFinance = hasAnyRole(operator, ['finance']);
  if (attesting) return <Attest {...attesting} onClose={() => setAttesting(null)} />;
  return (
    <Dialog label={s('statements_title')} onClose={onClose}>
      <div className="bd col">
        <h2>{s('statements_title')}</h2>
        <ReadGate query={query} rows={4}>
          {({ items, feed, limits }) => (
            <>
              <p className="c">
                {feed ? s('feed', { time: feed.read_at ? dateTime(feed.read_at) : s('feed_never') }) : s('no_feed')}
              </p>
              <p className="c">
                {s('limits', { two: amount(limits.two_people_from), small: amount(limits.unattested_max) })}
              </p>
              {items.length === 0 ? (
                <p className="empty">{s('none')}</p>
              ) : (
                <ul className="plain">
                  {items.map((one) => (
                    <li key={one.id} className="line col">
                      <span className="row sp">
                        <b className="mono">{one.account}</b>
                        <Tag look={one.source === 'upload' ? undefined : 'ok'}>{s(`source.${one.source}`)}</Tag>
                      </span>
                      <span>
                        ฿{amount(one.opening)} → <b>฿{amount(one.closing)}</b>
                      </span>
                      <small className="c">
                        {dateTime(one.from)} – {dateTime(one.to)} · {s('lines')} {one.lines} ·{' '}
                        {s('matched', { matched: amount(one.matched), received: amount(one.received) })}
                      </small>
                      {one.source === 'upload' && (
                        <span className="row sp">
                          <small className="c">
                            {s('by', { by: one.imported_by?.work_name ?? '–' })} ·{' '}
                            {one.attested_by
                              ? s('attested_by', { by: one.attested_by.work_name })
                              : s(one.is_own ? 'is_own' : 'unattested')}
                          </small>
                          {isFinance && !one.attested_by && !one.is_own && (
                            <Button
                              size="small"
                              look="soft"
                              onClick={async () =>
                                setAttesting({
                                  of: one,
                                  fingerprint: await sha256(new TextEncoder().encode(attestedText(attestedOf(one)))),
                                })
                              }
                            >
                              {s('attest')}
                            </Button>
                          )}
                        </span>
                      )}
                    </li>
                  ))}
                </ul>
              )}
            </>
          )}
        </ReadGate>
        {isFinance && <Import />}
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.close')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Import() {
  const s = useSlipTexts();
  const [file, setFile] = useState<File | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<RefusedAct | null>(null);
  const [twins, setTwins] = useState('');
  const send = async () => {
    if (!file) return;
    setBusy(true);
    setRefused(null);
    const answer = await uploadPicture(importBankLines, file, randomId());
    setBusy(false);
    if (!answer.ok) return setRefused(refusedActOf(answer));
    setFile(null);
    setTwins(answer.data.twins.map(({ line, bank_reference: number }) => `${line}: ${number}`).join(', '));
    showToast(s('imported', { count: answer.data.new, known: answer.data.duplicates }), 'success');
    void queryClient.invalidateQueries();
  };
  return (
    <form
      className="col"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h2>{s('import')}</h2>
      <p className="c">{s('format')}</p>
      <Field
        key={file === null ? 'empty' : 'chosen'}
        label={s('choose')}
        type="file"
        accept=".csv,text/csv"
        onChange={({ target }) => {
          setRefused(null);
          setFile(target.files?.[0] ?? null);
        }}
      />
      <RefusalNote refused={refused} />
      {twins && <p className="note">{s('imported_twins', { lines: twins })}</p>}
      <div className="row">
        <Button type="submit" size="small" busy={isBusy} disabled={!file}>
          {s('import')}
        </Button>
      </div>
    </form>
  );
}

const attestedOf = ({ id, closing, to, account }: BankStatementView) =>
  ({ asset: 'THB', counted: closing, as_of: new Date(to), statement: account, bank_statement: id }) as const;

function Attest({ of, fingerprint, onClose }: { of: BankStatementView; fingerprint: string; onClose: () => void }) {
  const { amount, dateTime } = useTexts();
  const s = useSlipTexts();
  const attest = useAct(attestBalance);
  return (
    <StepUp
      decision={{ op: 'balance.attest', id: 'THB', fingerprint, title: s('attest_title'), act: s('attest') }}
      onClose={onClose}
      onConfirmed={async (step_up) => {
        const { as_of: at, ...more } = attestedOf(of);
        const signed = await attest.run({ ...more, as_of: at.toISOString(), step_up });
        return signed.ok ? null : signed.refused;
      }}
    >
      <p className="c">{s('attest_note')}</p>
      <Facts
        facts={[
          [s('account_of'), <bdi key="account">{of.account}</bdi>],
          [s('closing'), `฿${amount(of.closing)}`],
          [s('at'), dateTime(of.to)],
        ]}
      />
    </StepUp>
  );
}
