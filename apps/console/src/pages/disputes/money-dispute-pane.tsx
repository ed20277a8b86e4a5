import { type MoneyDisputeCase, proposeMoneyAnswer, readMoneyDispute } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { CasePane } from '../../parts/case-page.tsx';
import { Select } from '../../parts/field.tsx';
import { Facts, Money, Tag } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { routeHash } from '../../route.ts';
import { useProposal } from '../../use-proposal.ts';
import { CheckList, useAccountText } from '../corrections/parts.tsx';
import { AnswerNote, DecideAnswer, DisputeStatement, ProposeAnswer } from './parts.tsx';
import { useMoneyDisputeTexts } from './texts.ts';

export default function MoneyDisputePane({ id }: { id: string }) {
  const { t, dateTime, code } = useTexts();
  const { b, word } = useMoneyDisputeTexts();
  const accountText = useAccountText();
  const operator = useOperator();
  const query = useRead(readMoneyDispute, { id }, { freshForMs: 5_000 });
  return (
    <CasePane
      query={query}
      head={(shown) => (
        <>
          <h2 className="mono">{shown.order}</h2>
          <Tag>{word('md.kind', shown.kind)}</Tag>
          <Tag look={shown.checks.every(({ ok }) => ok) ? 'ok' : 'danger'}>
            {b(shown.checks.every(({ ok }) => ok) ? 'md.agree' : 'md.differ')}
          </Tag>
          <span className="r">
            {shown.first && t('disputes.first', { name: shown.first.work_name })}
            {shown.second && <> · {t('disputes.second', { name: shown.second.work_name })}</>}
          </span>
        </>
      )}
      bar={(shown) => (shown.status === 'closed' ? null : <Decide key={shown.version} shown={shown} />)}
    >
      {(shown) => {
        const { evidence } = shown;
        const page = shown.kind === 'correction' ? 'corrections' : `${shown.kind}s`;
        return (
          <>
            <DisputeStatement shown={shown} />
            <h3>{b('md.evidence')}</h3>
            <Facts
              facts={[
                [
                  word('md.kind', shown.kind),
                  <a key="subject" href={routeHash(page, shown.subject)}>
                    {shown.order}
                  </a>,
                ],
                [b('md.status'), word(`md.step.${shown.kind}`, evidence.status)],
                [
                  b('amount'),
                  <span key="amount">
                    <Money of={evidence.amount} asset={evidence.asset} /> {evidence.asset}
                  </span>,
                ],
                ...(evidence.fee === null
                  ? []
                  : [[b('md.fee'), <Money key="fee" of={evidence.fee} asset={evidence.asset} />] as const]),
                ...(evidence.channel === null ? [] : [[b('md.channel'), evidence.channel] as const]),
                [b('md.created'), dateTime(evidence.created_at)],
                ...(evidence.finished_at ? [[b('md.finished'), dateTime(evidence.finished_at)] as const] : []),
                ...(evidence.hash
                  ? [
                      [
                        b('md.hash'),
                        evidence.explorer ? (
                          <a
                            key="hash"
                            className="mono break"
                            href={evidence.explorer}
                            target="_blank"
                            rel="noreferrer"
                          >
                            {evidence.hash}
                          </a>
                        ) : (
                          <span key="hash" className="mono break">
                            {evidence.hash}
                          </span>
                        ),
                      ] as const,
                    ]
                  : []),
                ...(evidence.block_height
                  ? [
                      [
                        b('md.block'),
                        `${evidence.block_height} · ${evidence.confirmations ?? 0} ${b('md.confirmations')}`,
                      ] as const,
                    ]
                  : []),
                ...(evidence.bank
                  ? [
                      [
                        b('md.bank'),
                        <span key="bank">
                          {evidence.bank.bank_reference} · <Money of={evidence.bank.amount} /> THB ·{' '}
                          <bdi>{evidence.bank.payer}</bdi> · {dateTime(evidence.bank.at)}
                        </span>,
                      ] as const,
                    ]
                  : []),
              ]}
            />
            <CheckList checks={shown.checks} />
            <h3>{b('md.postings')}</h3>
            {evidence.transfers.length === 0 ? (
              <p className="c">{b('md.no_postings')}</p>
            ) : (
              <ScrollRegion label={b('md.postings')}>
                <table className="s wraps">
                  <tbody>
                    {evidence.transfers.map((one) => (
                      <tr key={one.sequence}>
                        <td className="mono num">
                          {hasAnyRole(operator, ['compliance', 'finance', 'admin']) ? (
                            <a href={routeHash('corrections', one.journal, { tab: 'journals' })}>{one.sequence}</a>
                          ) : (
                            one.sequence
                          )}
                        </td>
                        <td>
                          {code('purpose', one.purpose)}{' '}
                          <span className="c">{one.kind !== 'single' && word('move', one.kind)}</span>
                        </td>
                        <td className="c">
                          {accountText(one.debit)} → {accountText(one.credit)}
                        </td>
                        <td className="num b">
                          <Money of={one.amount} asset={one.asset} /> {one.asset}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </ScrollRegion>
            )}
            <h3>{b('md.corrections')}</h3>
            {shown.corrections.length === 0 && <p className="c">{b('md.none_corrections')}</p>}
            {shown.corrections.map((one) => (
              <p key={one.id}>
                <a className="mono" href={routeHash('corrections', one.id, { tab: 'waiting' })}>
                  {one.number}
                </a>{' '}
                <span className="c">{word('step', one.step)}</span>
              </p>
            ))}
            {hasAnyRole(operator, ['finance']) && shown.status !== 'closed' && (
              <p>
                <a
                  href={routeHash('corrections', null, {
                    tab: 'new',
                    customer: shown.customer.id,
                    case_kind: 'dispute',
                    case_id: shown.id,
                    ...(shown.kind === 'deposit' && evidence.transfers.length === 0
                      ? { deposit: shown.subject, reason: 'deposit_lost' }
                      : {}),
                  })}
                >
                  {b('md.propose_correction')}
                </a>
              </p>
            )}
            {shown.answer && shown.first && (
              <AnswerNote
                head={
                  <>
                    {shown.status === 'closed'
                      ? b('md.answer')
                      : t('disputes.answer_by', { name: shown.first.work_name })}{' '}
                    · {shown.finding && word('md.finding', shown.finding)}
                  </>
                }
                answer={shown.answer}
              />
            )}
          </>
        );
      }}
    </CasePane>
  );
}

function Decide({ shown }: { shown: MoneyDisputeCase }) {
  const { t } = useTexts();
  const { b, word } = useMoneyDisputeTexts();
  const operator = useOperator();
  const propose = useProposal(proposeMoneyAnswer, t('disputes.propose'));
  const agreed = shown.corrections.filter(({ step }) => step === 'done' || step === 'announced');
  const [correction, setCorrection] = useState('');
  const [isAgain, setAgain] = useState(false);
  const { id, version, language, approval, finding } = shown;
  const isWaiting = approval !== null;
  const mayPropose = hasAnyRole(operator, ['support']);
  return (
    <div className="col grow">
      {mayPropose && isWaiting && !isAgain && (
        <div className="row sp wrap">
          <span className="c">{b('md.waits')}</span>
          <Button size="small" look="soft" onClick={() => setAgain(true)}>
            {b('md.again')}
          </Button>
        </div>
      )}
      {mayPropose && (!isWaiting || isAgain) && (
        <>
          {agreed.length > 0 && (
            <Select
              label={b('md.link')}
              value={correction}
              options={[['', b('md.no_link')], ...agreed.map((one) => [one.id, one.number] as const)]}
              onChange={({ target }) => setCorrection(target.value)}
            />
          )}
          <ProposeAnswer
            language={language}
            finding={word('md.finding', correction === '' ? 'as_recorded' : 'corrected')}
            act={propose}
            onSend={(text) =>
              void propose.propose({ id, version: String(version), text, ...(correction !== '' && { correction }) })
            }
          />
        </>
      )}
      <DecideAnswer shown={shown} finding={finding ? word('md.finding', finding) : '–'} />
    </div>
  );
}
