import {
  type DepositCase,
  listBankLines,
  matchDeposit,
  matchedText,
  RETURN_REASONS,
  type ResultOf,
  readDepositCase,
  readDepositSlip,
  returnDeposit,
} from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { Button } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { useKeys } from '../../keys.ts';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { CasePane } from '../../parts/case-page.tsx';
import { ClaimBar } from '../../parts/claim.tsx';
import { Select } from '../../parts/field.tsx';
import { CustomerSeesNote, Facts, KeyHint, Money, Tag } from '../../parts/parts.tsx';
import { sha256 } from '../../parts/sha256.ts';
import { ReadGate, RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { groupedShortDecimal, useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { goToRoute, routeHash } from '../../route.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { refusedActOf, useAct } from '../../use-act.ts';
import { NetworkFacts } from '../other-network/network-case.tsx';
import { useSlipTexts } from '../slips/texts.ts';
import { hasRecoveryBar, isCreditableCase, RecoveryBar, RecoveryFacts } from './recovery.tsx';

/** Long enough to read the message and follow its link. */
const SEEN_MS = 10_000;

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
      <RefusalNote refused={slip.error && refusedActOf(slip.error.failure)} />
    </div>
  );
}

export default function DepositPane({ id }: { id: string }) {
  const { t, code, amount, dateTime } = useTexts();
  const s = useSlipTexts();
  const operator = useOperator();
  const query = useLiveRead(readDepositCase, { id });
  const [isReturning, setReturning] = useState(false);
  const isFinance = hasAnyRole(operator, ['finance']);
  // Money may arrive after its order has ended.
  const mayMatch = isFinance && query.data?.kind !== 'crypto' && query.data?.status !== 'completed';
  const mayReturn = mayMatch && query.data?.status === 'pending';
  useKeys({
    u: () => query.data && goToRoute('customers', query.data.customer.id),
    r: () => mayReturn && setReturning(true),
  });
  return (
    <CasePane
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
        mayReturn ? (
          <Button size="small" look="danger" onClick={() => setReturning(true)}>
            {t('deposits.return')} <KeyHint name="r" />
          </Button>
        ) : (
          hasRecoveryBar(shown, operator) && <RecoveryBar shown={shown} />
        )
      }
      side={(shown) => (
        <>
          <ClaimBar kind="deposit" id={id} />
          {!shown.elsewhere && (!shown.recovery || isCreditableCase(shown)) && (
            <p>
              <span className="amount num">
                <Money of={shown.fiat?.came ?? shown.fiat?.amount ?? shown.amount} />
              </span>{' '}
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
          {shown.similar_picture_as && (
            <p className="note" data-look="danger">
              {s('similar_picture', { number: shown.similar_picture_as })}
            </p>
          )}
          <Facts
            facts={[
              [
                t('customer'),
                <a key="customer" href={routeHash('customers', shown.customer.id)}>
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
                    [t('deposits.rate'), `${amount(shown.fiat.rate)} · ${dateTime(shown.fiat.rate_until)}`],
                  ] as [string, ReactNode][])
                : []),
              ...(shown.recovery || shown.elsewhere
                ? []
                : ([
                    [
                      t('deposits.credited'),
                      <span key="credited">
                        <Money of={shown.amount} /> USDT
                      </span>,
                    ],
                  ] as [string, ReactNode][])),
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
              {t('deposits.shortfall', { amount: groupedShortDecimal(shown.shortfall) })}
            </p>
          )}
          {shown.undone && (
            <p className="note" data-look={Number(shown.undone.gained) > 0 ? 'danger' : undefined}>
              {s('undone', {
                used: groupedShortDecimal(shown.undone.used),
                gained: groupedShortDecimal(shown.undone.gained),
                left: groupedShortDecimal(shown.undone.left),
              })}
            </p>
          )}
          {shown.counted && <p className="note">{s('counted', shown.counted)}</p>}
          {shown.hash && <p className="mono break">{shown.hash}</p>}
          {isReturning && <Return shown={shown} onClose={() => setReturning(false)} />}
        </>
      )}
    >
      {(shown) => {
        const hasSlip = shown.has_slip && hasAnyRole(operator, ['finance', 'compliance']);
        return hasSlip || mayMatch ? (
          <div className="evidence" data-pair={hasSlip && mayMatch ? '' : undefined}>
            {hasSlip && <Slip id={shown.id} />}
            {mayMatch && (
              <div className="col">
                <Match shown={shown} />
              </div>
            )}
          </div>
        ) : (
          <p className="empty">{s('no_evidence')}</p>
        );
      }}
    </CasePane>
  );
}

type Line = ResultOf<typeof listBankLines>['items'][number];
const COMPARED = ['amount', 'reference'] as const;

/** The line that agrees with the slip in the most points; null if several do and a person must choose. */
function bestOf(lines: readonly Line[]): string | null {
  const free = lines.filter(({ is_own: isOwn }) => !isOwn);
  const most = Math.max(0, ...free.map(({ agrees_on: agrees }) => agrees.length));
  const best = most === 0 ? [] : free.filter(({ agrees_on: agrees }) => agrees.length === most);
  return best.length === 1 ? (best[0]?.id ?? null) : null;
}

/**
 * Matches a slip with a line of the bank's statement, after restating it and with a proof of the operator's factor.
 * From the published sums on, a second operator confirms the match. Importers of a line cannot match it.
 */
function Match({ shown }: { shown: DepositCase }) {
  const { t, code, amount, dateTime } = useTexts();
  const lines = useLiveRead(listBankLines, { near: shown.id, unused: 'true' });
  const match = useAct(matchDeposit);
  const [line, setLine] = useState<string | null>(null);
  /** The fingerprint of the restated content while the confirmation of a line is open; otherwise null. */
  const [deciding, setDeciding] = useState<string | null>(null);
  const s = useSlipTexts();
  const { decision, match_asks: asks } = shown;
  const chosen = decision?.line ?? line ?? bestOf(lines.data?.items ?? []);
  const paying = lines.data?.items.find(({ id }) => id === chosen);
  const version = String(shown.version);
  const close = () => setDeciding(null);
  const send = async (more: object = {}) => {
    const done = await match.run({ id: shown.id, version, line: chosen ?? '', ...more });
    if (!done.ok) return done.refused;
    const credited = { amount: amount(done.data.amount), customer: shown.customer.username };
    showToast(
      t(done.data.step === 'credited' ? 'deposits.was_credited' : 'deposits.was_proposed', credited),
      'success',
      {
        durationMs: SEEN_MS,
        action: { label: t('act.see'), onPress: () => goToRoute('deposits', shown.id, { tab: 'credited' }) },
      },
    );
    return null;
  };
  const begin = async () => {
    if (chosen === null || (decision !== null && decision.refusal !== null)) return;
    if (decision) setDeciding(decision.fingerprint);
    else setDeciding(await sha256(new TextEncoder().encode(matchedText({ id: shown.id, line: chosen, version }))));
  };
  useKeys({ m: () => void begin() });
  const restated = (
    <>
      <Facts
        facts={[
          [t('customer'), <bdi key="customer">{shown.customer.username}</bdi>],
          [t('deposits.received'), paying ? `฿${amount(paying.amount)}` : '–'],
          [t('deposits.at_rate'), paying?.rate ? amount(paying.rate) : '–'],
          [t('deposits.credited'), paying?.credits ? `${amount(paying.credits)} USDT` : '–'],
        ]}
      />
      {paying?.credits && (
        <CustomerSeesNote>{t('deposits.sees_match', { amount: amount(paying.credits) })}</CustomerSeesNote>
      )}
    </>
  );
  return (
    <>
      <h3 className="c">{t('deposits.lines')}</h3>
      <ReadGate query={lines} rows={3}>
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
                      disabled={decision !== null || one.is_own}
                      onChange={() => setLine(one.id)}
                    />
                    <span className="grow two-lines">
                      <b className="num">
                        <Money of={one.amount} />
                      </b>{' '}
                      <bdi>{one.payer}</bdi>
                      <small>
                        {dateTime(one.at)} · <span className="mono">{one.reference}</span>
                      </small>
                      <small>
                        {s(`source.${one.source ?? 'before'}`)}
                        {one.source === 'upload' && ` · ${s(one.is_attested ? 'attested' : 'unattested')}`}
                        {one.is_twin && ` · ${s('twin')}`}
                        {one.is_own && ` · ${s('own')}`}
                      </small>
                    </span>
                    <span className="row">
                      {COMPARED.map((what) => (
                        <Tag key={what} look={one.agrees_on.includes(what) ? 'ok' : 'warn'}>
                          {one.agrees_on.includes(what) ? '' : '≠ '}
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
      </ReadGate>
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
          onClick={() => void begin()}
        >
          {t('deposits.match')} <KeyHint name="m" />
        </Button>
      </div>
      <RefusalNote refused={match.refused} />
      {deciding !== null && (
        <StepUp
          decision={{
            op: decision ? 'approval.approve' : 'deposit.match',
            id: decision?.approval ?? shown.id,
            fingerprint: deciding,
            title: t('deposits.match'),
            act: t(decision ? 'approvals.approve' : asks === 'two_people' ? 'deposits.propose' : 'deposits.credit'),
          }}
          onClose={close}
          onConfirmed={(step_up) => send({ step_up, ...(decision && { fingerprint: deciding }) })}
        >
          {restated}
          {!decision && asks === 'two_people' && <p className="c">{t('deposits.asks_two')}</p>}
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
        <CustomerSeesNote>{t(`reason.${reason}`)}</CustomerSeesNote>
        <RefusalNote refused={back.refused} />
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
