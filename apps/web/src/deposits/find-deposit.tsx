import { type DepositChannel, type DepositRecord, submitDeposit } from '@sathorn/api';
import { type Failure, failureText, useCall } from '@sathorn/app/client';
import { Late } from '@sathorn/app/late';
import { normaliseAddress } from '@sathorn/identity';
import { formatCount } from '@sathorn/text';
import { Button, Card, FieldFrame, Icon, type IconName, Skeleton, useText } from '@sathorn/ui';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { PageFoot } from '../parts/money/page-foot.tsx';
import { DepositRow } from '../parts/money/record-rows.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { useApplyRecordNews } from '../parts/money/use-records.ts';
import { type CheckFinding, isTransactionHash, transactionChecksOf } from './transaction-checks.ts';

const loadWrongWay = () => import('./wrong-way.tsx');

const ICONS: Readonly<Record<CheckFinding, IconName>> = { yes: 'check', no: 'cross', not_looked_at: 'minus' };

/** Looks up a deposit by its transaction hash and explains the result, which is read from the chain alone. */
export default function FindDeposit({ channel, given }: { channel: DepositChannel; given: string }) {
  const { t, presentation } = useText<'money'>();
  const texts = useText();
  const { second } = useMoneyFormats();
  const [typed, setTyped] = useState(given);
  const [isTried, setTried] = useState(false);
  const [found, setFound] = useState<DepositRecord>();
  const [refused, setRefused] = useState<{ failure: Failure; at: number }>();
  const submit = useCall(submitDeposit, { quiet: true, withoutOverlay: true });
  const takeRecord = useApplyRecordNews();
  const input = useRef<HTMLTextAreaElement>(null);
  const hash = normaliseAddress(typed);

  const look = async (wanted: string) => {
    setTried(true);
    setFound(undefined);
    setRefused(undefined);
    if (!isTransactionHash(wanted)) return input.current?.focus();
    const answer = await submit.submit({ channel: channel.channel, hash: wanted });
    if (answer.ok) {
      setFound(answer.data);
      takeRecord({ deposit: [answer.data] });
    } else if (answer.code !== 'session_required') setRefused({ failure: answer, at: Date.now() });
  };
  // Looks up the hash once if the previous page passed one.
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    if (isTransactionHash(given)) void look(given);
  });

  const findings = refused && transactionChecksOf(refused.failure.code);
  return (
    <>
      <div className="page">
        <form
          id="find"
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            void look(hash);
          }}
        >
          <Card>
            <FieldFrame
              label={t('find.hash')}
              hint={
                hash === '' ? t('find.where') : t('find.length', { length: formatCount(hash.length, presentation) })
              }
              error={isTried && !isTransactionHash(hash) ? t('find.malformed') : undefined}
            >
              {(ties) => (
                <div className="ui-field-well">
                  <textarea
                    {...ties}
                    ref={input}
                    className="find-hash mono"
                    dir="ltr"
                    rows={3}
                    autoCapitalize="none"
                    autoCorrect="off"
                    spellCheck={false}
                    placeholder="0x…"
                    value={typed}
                    onChange={(event) => {
                      setTyped(event.target.value);
                      setTried(false);
                    }}
                  />
                </div>
              )}
            </FieldFrame>
          </Card>
        </form>
        <div role="status" className="find-result">
          {found && (
            <Card>
              <Head tone="success" icon="check" title={t('find.found')} lead={t('find.found_lead')} />
              <div className="money-rows">
                <DepositRow record={found} />
              </div>
            </Card>
          )}
          {refused && (
            <Card>
              {findings ? (
                <>
                  <Head
                    tone="danger"
                    icon="cross"
                    title={t(refused.failure.code === 'hash_unknown' ? 'find.not_yet' : 'find.not_a_deposit')}
                    lead={t('find.read_from', {
                      chain: channel.chain?.name ?? channel.channel,
                      time: second(refused.at),
                    })}
                  />
                  <ol className="findings">
                    {findings.map(({ question, finding }) => (
                      <li key={question} data-finding={finding}>
                        <span className="findings-mark">
                          <Icon name={ICONS[finding]} size={14} />
                        </span>
                        <div>
                          <b>
                            {t(`find.question.${question}`)}
                            <span className="unseen"> {t(`find.${finding}`)}</span>
                          </b>
                          {finding === 'no' && <p>{failureText(refused.failure, texts)}</p>}
                          {finding === 'not_looked_at' && <p aria-hidden="true">{t('find.not_looked_at')}</p>}
                        </div>
                      </li>
                    ))}
                  </ol>
                </>
              ) : (
                <Head
                  tone="warn"
                  icon="warning"
                  title={t('find.not_read')}
                  lead={failureText(refused.failure, texts)}
                />
              )}
            </Card>
          )}
        </div>
        {findings && (
          <>
            <p className="find-recovery">{t('find.recovery')}</p>
            <Late load={loadWrongWay} waiting={<Skeleton height={190} />}>
              {(WrongWay) => <WrongWay chain={channel.chain?.name ?? channel.channel} />}
            </Late>
          </>
        )}
      </div>
      <PageFoot why={findings ? t('find.name_is_nothing') : undefined}>
        <Button type="submit" form="find" busy={submit.isBusy}>
          {t(refused || found ? 'find.again' : 'find.submit')}
        </Button>
      </PageFoot>
    </>
  );
}

interface HeadProps {
  tone: 'success' | 'danger' | 'warn';
  icon: IconName;
  title: string;
  lead: string;
}

function Head({ tone, icon, title, lead }: HeadProps) {
  return (
    <div className="find-head" data-tone={tone}>
      <span className="find-head-mark">
        <Icon name={icon} size={20} />
      </span>
      <div>
        <p className="find-head-title">{title}</p>
        <p className="muted">{lead}</p>
      </div>
    </div>
  );
}
