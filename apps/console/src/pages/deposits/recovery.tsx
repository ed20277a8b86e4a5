import { approveApproval, type DepositCase, planRecovery, rejectApproval } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../../keys.ts';
import { hasAnyRole } from '../../operator.ts';
import { TextArea } from '../../parts/field.tsx';
import { CustomerSeesNote, Facts, GroupedText, KeyHint, Money } from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';
import { useProposal } from '../../use-proposal.ts';
import { NetworkFacts, NetworkPlans } from '../other-network/network-case.tsx';
import { useNetworkTexts } from '../other-network/texts.ts';

/** True for USDT that no rule credits, but that two people can credit. */
export const isCreditableCase = ({ reason }: DepositCase): boolean =>
  reason === 'below_minimum' || reason === 'counted';

/** Shows the transfer that arrived and the wallet to which it may be returned. */
export function RecoveryFacts({ shown }: { shown: DepositCase }) {
  const { t, amount } = useTexts();
  const { recovery } = shown;
  if (!recovery) return null;
  const isSmall = isCreditableCase(shown);
  return (
    <>
      <Facts
        facts={[
          ...(isSmall
            ? []
            : ([
                [t('deposits.units'), amount(recovery.units)],
                [
                  t('deposits.token'),
                  recovery.token === null ? t('deposits.coin') : <GroupedText key="token" text={recovery.token} />,
                ],
                [
                  t('deposits.back_to'),
                  recovery.to === null ? (
                    t('deposits.no_wallet')
                  ) : (
                    <span key="to">
                      <bdi>{recovery.to.name}</bdi> <GroupedText text={recovery.to.address} />
                    </span>
                  ),
                ],
              ] as [string, React.ReactNode][])),
          ...(shown.unassigned > 0
            ? ([[t('deposits.unassigned'), String(shown.unassigned)]] as [string, string][])
            : []),
          ...(isSmall
            ? ([
                [
                  t('deposits.recovery_fee'),
                  <span key="fee">
                    <Money of={recovery.fee} /> USDT
                  </span>,
                ],
              ] as [string, React.ReactNode][])
            : []),
        ]}
      />
      {recovery.hash && <p className="mono break">{recovery.hash}</p>}
    </>
  );
}

export const hasRecoveryBar = (
  { step, recovery, elsewhere, plan }: DepositCase,
  operator: Parameters<typeof hasAnyRole>[0],
): boolean =>
  step === 'recovery' &&
  (recovery !== null || elsewhere !== null) &&
  (plan !== null || hasAnyRole(operator, ['finance']));

/** Finance plans how to handle the money and compliance decides. One person can stop a plan. */
export function RecoveryBar({ shown }: { shown: DepositCase }) {
  const { t, code, amount } = useTexts();
  const n = useNetworkTexts();
  const approve = useAct(approveApproval);
  const reject = useAct(rejectApproval);
  const [deciding, setDeciding] = useState<'approve' | 'reject' | null>(null);
  const [reason, setReason] = useState('');
  const { recovery, elsewhere, plan: planned } = shown;
  const isSmall = isCreditableCase(shown);
  const ending = planned?.plan === 'unrecoverable' ? 'unrecoverable' : 'return';
  const name = elsewhere ? n(`plan.${ending}`) : t(isSmall ? 'deposits.plan_credit' : 'deposits.plan_return');
  const plan = useProposal(planRecovery, name);
  const mayDecide = planned !== null && planned.refusal === null;
  useKeys({
    a: () => mayDecide && setDeciding('approve'),
    r: () => mayDecide && setDeciding('reject'),
  });
  if (!recovery && !elsewhere) return null;
  const what = isSmall ? 'credit' : 'return';
  if (!planned && elsewhere) return <NetworkPlans shown={shown} />;
  if (!planned)
    return (
      <>
        <Button
          size="small"
          busy={plan.isBusy}
          disabled={!isSmall && !recovery?.to}
          onClick={() => void plan.propose({ id: shown.id, version: String(shown.version), plan: what })}
        >
          {name}
        </Button>
        <span className="m sm">{t('customers.needs_second')}</span>
        <RefusalNote refused={plan.refused} />
        {plan.signing && (
          <StepUp {...plan.signing}>
            <Facts facts={[[t('customer'), <bdi key="customer">{shown.customer.username}</bdi>]]} />
            <RecoveryFacts shown={shown} />
          </StepUp>
        )}
      </>
    );
  const { approval, fingerprint } = planned;
  return (
    <>
      <span className="sm">{t('deposits.planned', { what: name, by: planned.made_by?.work_name ?? '–' })}</span>
      {mayDecide ? (
        <>
          <Button size="small" onClick={() => setDeciding('approve')}>
            {t('approvals.approve')} <KeyHint name="a" />
          </Button>
          <Button size="small" look="danger" onClick={() => setDeciding('reject')}>
            {t('approvals.reject')} <KeyHint name="r" />
          </Button>
        </>
      ) : (
        <span className="m sm">{code('refused', planned.refusal ?? '')}</span>
      )}
      {deciding && (
        <StepUp
          decision={{
            op: deciding === 'approve' ? 'approval.approve' : 'approval.reject',
            id: approval,
            fingerprint,
            title: `${t(deciding === 'approve' ? 'approvals.approve' : 'approvals.reject')}: ${name}`,
            act: t(deciding === 'approve' ? 'approvals.approve' : 'approvals.reject'),
          }}
          onClose={() => setDeciding(null)}
          onConfirmed={async (step_up) => {
            const decision = { id: approval, fingerprint, step_up };
            const done =
              deciding === 'approve' ? await approve.run(decision) : await reject.run({ ...decision, reason });
            return done.ok ? null : done.refused;
          }}
        >
          <Facts facts={[[t('customer'), <bdi key="customer">{shown.customer.username}</bdi>]]} />
          <RecoveryFacts shown={shown} />
          {elsewhere && <NetworkFacts shown={shown} />}
          {elsewhere && planned.to && <p className="mono break">{planned.to}</p>}
          {deciding === 'approve' ? (
            <CustomerSeesNote>
              {elsewhere
                ? n(`sees.${ending}`)
                : isSmall
                  ? t('deposits.sees_credit', { fee: amount(recovery?.fee ?? '0') })
                  : t('deposits.sees_return')}
            </CustomerSeesNote>
          ) : (
            <TextArea
              label={t('approvals.why_reject')}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
              fault={reject.refused?.fields.reason}
            />
          )}
        </StepUp>
      )}
    </>
  );
}
