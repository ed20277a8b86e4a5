import {
  DEPOSIT_TABS,
  type DepositCase,
  listBankLines,
  listDepositCases,
  matchDeposit,
  RETURN_REASONS,
  readDepositCase,
  readDepositSlip,
  returnDeposit,
} from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Late } from '@sathorn/app/late';
import { Button } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { useKeys } from '../keys.ts';
import { may, useOperator } from '../operator.ts';
import { exportAct, matchAct, takeAct } from '../parts/batch-acts.ts';
import { CasePage, Pane } from '../parts/case-page.tsx';
import { ClaimBar, ClaimTag } from '../parts/claim.tsx';
import { Select } from '../parts/field.tsx';
import { CustomerSees, Facts, KeyHint, Tag } from '../parts/parts.tsx';
import { Loaded, Refusal } from '../parts/states.tsx';
import { StepUp } from '../parts/step-up.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useLive } from '../parts/use-live.ts';
import { goTo, hashOf, useRoute } from '../route.ts';
import { Dialog } from '../shell/dialog.tsx';
import { refusedOf, useAct } from '../use-act.ts';
import { NetworkFacts } from './other-network/network-case.tsx';
import { useNetworkTexts } from './other-network/texts.ts';
import { hasRecoveryBar, RecoveryBar, RecoveryFacts } from './recovery.tsx';
import { useSlipTexts } from './slips/texts.ts';

const loadOpenCase = () => import('./other-network/open-case.tsx');

export default function Deposits() {
  const texts = useTexts();
  const { t, code, amount, dateTime } = texts;
  const operator = useOperator();
  const { filter } = useRoute();
  const tab = DEPOSIT_TABS.find((name) => name === filter.tab) ?? 'slip';
  const query = useLive(listDepositCases, { tab });
  const n = useNetworkTexts();
  const s = useSlipTexts();
  const [isOpening, setOpening] = useState(false);
  return (
    <CasePage
      page="deposits"
      title={t('nav.deposits')}
      tabs={DEPOSIT_TABS.map((name) => ({ name, label: t(`deposits.tab.${name}`), count: query.data?.counts[name] }))}
      tab={tab}
      query={query}
      items={({ items }) => items}
      empty={t('case.none')}
      head={
        tab === 'wrong_network' &&
        may(operator, ['support', 'finance', 'compliance']) && (
          <div className="bd row">
            <Button size="small" look="soft" onClick={() => setOpening(true)}>
              {n('open')}
            </Button>
            {isOpening && (
              <Late load={loadOpenCase} waiting={null}>
                {(OpenCase) => <OpenCase onClose={() => setOpening(false)} />}
              </Late>
            )}
          </div>
        )
      }
      line={(item) => (
        <>
          {' '}
          <span className="row sp">
            <b>
              {item.fiat
                ? `฿${amount(item.fiat.amount)}`
                : item.elsewhere
                  ? `${amount(item.elsewhere.amount)} ${item.elsewhere.token}`
                  : item.recovery && item.reason !== 'below_minimum'
                    ? code('reason', item.reason ?? '')
                    : `${amount(item.amount)} USDT`}
            </b>
            <Tag look={item.status === 'pending' ? 'brand' : undefined}>
              {tab === 'wrong_network' ? code('step', item.step) : code('status', item.status)}
            </Tag>
          </span>
          <span className="row sp c">
            <span>
              <bdi>{item.customer.username}</bdi> ·{' '}
              {item.elsewhere ? n(`network.${item.elsewhere.network}`) : item.channel} · {dateTime(item.created_at)}
            </span>
            <ClaimTag kind="deposit" id={item.id} />
          </span>
        </>
      )}
      batch={[
        takeAct(texts, 'deposit'),
        ...(tab === 'slip' && may(operator, ['finance'])
          ? [matchAct(texts, (number) => s('same_picture', { number }))]
          : []),
        ...(may(operator, ['compliance', 'admin']) ? [exportAct(texts)] : []),
      ]}
      nameOf={({ order_number: number }) => number}
      pane={(id) => <DepositPane key={id} id={id} />}
    />
  );
}

/** The customer's slip. Each view is logged, so it loads only when the operator presses a button. */
function Slip({ id }: { id: string }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const slip = useRead(readDepositSlip, { id }, { enabled: isOpen, freshForMs: 300_000, tries: 0 });
  return (
    <div className="viewer">
      {slip.data ? (
        <img src={slip.data.data_url} alt={t('deposits.slip')} draggable={false} />
      ) : (
        <Button size="small" look="soft" icon="eye" busy={isOpen && slip.isPending} onClick={() => setOpen(true)}>
          {t('deposits.slip')} <KeyHint name="1" />
        </Button>
      )}
      <Refusal refused={slip.error && refusedOf(slip.error.failure)} />
    </div>
  );
}

function DepositPane({ id }: { id: string }) {
  const { t, code, amount, dateTime } = useTexts();
  const s = useSlipTexts();
  const operator = useOperator();
  const query = useLive(readDepositCase, { id });
  const [isReturning, setReturning] = useState(false);
  const isFinance = may(operator, ['finance']);
  const mayMatch = isFinance && query.data?.status === 'pending' && query.data.kind !== 'crypto';
  useKeys({
    u: () => query.data && goTo('customers', query.data.customer.id),
    r: () => mayMatch && setReturning(true),
  });
  return (
    <Pane
      query={query}
      head={(shown) => (
        <>
          <h2 className="mono">{shown.order_number}</h2>
          <Tag look={shown.status === 'pending' ? 'brand' : undefined}>
            {shown.recovery || shown.elsewhere ? code('step', shown.step) : code('status', shown.status)}
          </Tag>
        </>
      )}
      bar={(shown) =>
        mayMatch ? (
          <Button size="small" look="danger" onClick={() => setReturning(true)}>
            {t('deposits.return')} <KeyHint name="r" />
          </Button>
        ) : (
          hasRecoveryBar(shown, operator) && <RecoveryBar shown={shown} />
        )
      }
    >
      {(shown) => (
        <>
          <ClaimBar kind="deposit" id={id} />
          {!shown.elsewhere && (!shown.recovery || shown.reason === 'below_minimum') && (
            <p>
              <span className="amount num">{amount(shown.fiat?.amount ?? shown.amount)}</span>{' '}
              {shown.fiat ? shown.fiat.currency : 'USDT'}
            </p>
          )}
          <RecoveryFacts shown={shown} />
          <NetworkFacts shown={shown} />
          {shown.same_picture_as && (
            <p className="note" data-look="danger">
              {s('same_picture', { number: shown.same_picture_as })}
            </p>
          )}
          {shown.has_slip && may(operator, ['finance', 'compliance']) && <Slip id={shown.id} />}
          <Facts
            facts={[
              [
                t('customer'),
                <a key="customer" href={hashOf('customers', shown.customer.id)}>
                  <bdi>{shown.customer.username}</bdi>
                </a>,
              ],
              ...(shown.fiat
                ? ([
                    [
                      t('deposits.reference'),
                      <span key="ref" className="mono">
                        {shown.fiat.reference}
                      </span>,
                    ],
                    [t('deposits.rate'), `${shown.fiat.rate} · ${dateTime(shown.fiat.rate_until)}`],
                  ] as [string, ReactNode][])
                : []),
              ...(shown.recovery || shown.elsewhere
                ? []
                : ([[t('deposits.credited'), `${amount(shown.amount)} USDT`]] as [string, string][])),
              [t('deposits.step'), code('step', shown.step)],
              [
                t('deposits.confirmations'),
                shown.confirmations === null ? '–' : `${shown.confirmations} / ${shown.confirmations_needed}`,
              ],
              [t('ledger.at'), dateTime(shown.created_at)],
            ]}
          />
          {shown.reason && <p className="note">{code('reason', shown.reason)}</p>}
          {Number(shown.shortfall) > 0 && (
            <p className="note" data-look="danger">
              {t('deposits.shortfall', { amount: amount(shown.shortfall) })}
            </p>
          )}
          {shown.hash && <p className="mono break">{shown.hash}</p>}
          {mayMatch && <Match shown={shown} />}
          {isReturning && <Return shown={shown} onClose={() => setReturning(false)} />}
        </>
      )}
    </Pane>
  );
}

/** Matches a slip with a line of the bank's statement. From the threshold on, a second operator confirms the match. */
function Match({ shown }: { shown: DepositCase }) {
  const { t, code, amount, dateTime } = useTexts();
  const lines = useLive(listBankLines, { near: shown.id, unused: 'true' });
  const match = useAct(matchDeposit);
  const [line, setLine] = useState<string | null>(null);
  const [isDeciding, setDeciding] = useState(false);
  const { decision } = shown;
  const chosen = decision?.line ?? line;
  const send = (more: object = {}) =>
    match.run({ id: shown.id, version: String(shown.version), line: chosen ?? '', ...more });
  const begin = () => {
    if (chosen === null) return;
    if (decision) setDeciding(true);
    else void send();
  };
  useKeys({ m: begin });
  return (
    <>
      <h3 className="c">{t('deposits.lines')}</h3>
      <Loaded query={lines} rows={3}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="c">{t('deposits.no_lines')}</p>
          ) : (
            <ul className="plain">
              {items.map((one) => (
                <li key={one.id} className="line">
                  <label className="row">
                    <input
                      type="radio"
                      name="line"
                      checked={chosen === one.id}
                      disabled={decision !== null}
                      onChange={() => setLine(one.id)}
                    />
                    <span className="grow two-lines">
                      <b className="num">{amount(one.amount)}</b> <bdi>{one.payer}</bdi>
                      <small>
                        {dateTime(one.at)} · <span className="mono">{one.reference}</span>
                      </small>
                    </span>
                    <span className="row">
                      {one.agrees_on.map((what) => (
                        <Tag key={what} look="ok">
                          {code('agrees', what)}
                        </Tag>
                      ))}
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {decision && (
        <p className="note">
          {t('deposits.second', { by: decision.made_by?.work_name ?? '–' })}
          {decision.refusal && ` ${code('refused', decision.refusal)}`}
        </p>
      )}
      <div className="row">
        <Button
          size="small"
          disabled={chosen === null || (decision !== null && decision.refusal !== null)}
          busy={match.isBusy}
          onClick={begin}
        >
          {t('deposits.match')} <KeyHint name="m" />
        </Button>
      </div>
      <Refusal refused={match.refused} />
      {isDeciding && decision && (
        <StepUp
          decision={{
            op: 'approval.approve',
            id: decision.approval,
            fingerprint: decision.fingerprint,
            title: t('deposits.match'),
            act: t('approvals.approve'),
          }}
          onClose={() => setDeciding(false)}
          onConfirmed={async (step_up) => {
            const done = await send({ fingerprint: decision.fingerprint, step_up });
            return done.ok ? null : done.refused;
          }}
        >
          <Facts
            facts={[
              [t('customer'), <bdi key="customer">{shown.customer.username}</bdi>],
              [t('deposits.credited'), `${amount(shown.amount)} USDT`],
            ]}
          />
        </StepUp>
      )}
    </>
  );
}

function Return({ shown, onClose }: { shown: DepositCase; onClose: () => void }) {
  const { t } = useTexts();
  const back = useAct(returnDeposit);
  const [reason, setReason] = useState<(typeof RETURN_REASONS)[number]>('not_arrived');
  return (
    <Dialog label={t('deposits.return')} onClose={onClose}>
      <div className="bd col">
        <h2>{t('deposits.return')}</h2>
        <Select
          label={t('customers.reason')}
          value={reason}
          onChange={({ target }) => setReason(target.value as typeof reason)}
          options={RETURN_REASONS.map((one) => [one, t(`reason.${one}`)])}
        />
        <CustomerSees>{t(`reason.${reason}`)}</CustomerSees>
        <Refusal refused={back.refused} />
        <Button
          size="small"
          busy={back.isBusy}
          onClick={async () => {
            if ((await back.run({ id: shown.id, version: String(shown.version), reason })).ok) onClose();
          }}
        >
          {t('act.send')}
        </Button>
      </div>
    </Dialog>
  );
}
