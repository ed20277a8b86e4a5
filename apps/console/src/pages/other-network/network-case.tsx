import { type DepositCase, planRecovery } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useOperator } from '../../operator.ts';
import { Field } from '../../parts/field.tsx';
import { Facts, GroupedText } from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { routeHash } from '../../route.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useProposal } from '../../use-proposal.ts';
import { useNetworkTexts } from './texts.ts';

/** Shows the stated facts of a transfer on another network, and the result of its case. */
export function NetworkFacts({ shown }: { shown: DepositCase }) {
  const { amount } = useTexts();
  const n = useNetworkTexts();
  const { elsewhere } = shown;
  if (!elsewhere) return null;
  const { network, token, amount: stated, hash, note, ending, returned_in: back, corrected } = elsewhere;
  return (
    <Facts
      facts={[
        [n('network'), n(`network.${network}`)],
        [n('amount'), <bdi key="amount" className="num">{`${amount(stated)} ${token}`}</bdi>],
        [n('hash'), <GroupedText key="hash" text={hash} />],
        [n('words'), <bdi key="words">{note}</bdi>],
        [n('opened_by'), <bdi key="by">{shown.opened_by?.work_name ?? '–'}</bdi>],
        ...(ending ? ([[n('ending'), n(`ending.${ending}`)]] as [string, string][]) : []),
        ...(back ? ([[n('returned_in'), <GroupedText key="back" text={back} />]] as [string, React.ReactNode][]) : []),
        ...(ending === 'credited' ? ([[n('corrected'), `${amount(corrected)} USDT`]] as [string, string][]) : []),
      ]}
    />
  );
}

/** The ways to end the case. The operator who opened it cannot propose the correction that pays it. */
export function NetworkPlans({ shown }: { shown: DepositCase }) {
  const { t } = useTexts();
  const n = useNetworkTexts();
  const operator = useOperator();
  const [isReturning, setReturning] = useState(false);
  const title = n(isReturning ? 'plan.return' : 'plan.unrecoverable');
  const plan = useProposal(planRecovery, title, () => setReturning(false));
  const [hash, setHash] = useState('');
  const { id, customer, opened_by: opener, elsewhere } = shown;
  const asked = { id, version: String(shown.version) };
  return (
    <>
      <Button size="small" onClick={() => setReturning(true)}>
        {n('plan.return')}
      </Button>
      <Button
        size="small"
        look="soft"
        busy={plan.isBusy && !isReturning}
        onClick={() => void plan.propose({ ...asked, plan: 'unrecoverable' })}
      >
        {n('plan.unrecoverable')}
      </Button>
      {elsewhere?.token === 'USDT' && opener?.id !== operator?.id && (
        <a
          href={routeHash('corrections', null, {
            tab: 'new',
            customer: customer.id,
            deposit: id,
            case_kind: 'deposit',
            case_id: id,
            reason: 'deposit_lost',
          })}
        >
          {n('by_correction')}
        </a>
      )}
      <span className="m sm">{t('customers.needs_second')}</span>
      {!isReturning && <RefusalNote refused={plan.refused} />}
      {isReturning && (
        <Dialog label={n('plan.return')} onClose={() => setReturning(false)}>
          <form
            className="bd col"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void plan.propose({ ...asked, plan: 'return', ...(hash.trim() && { hash: hash.trim() }) });
            }}
          >
            <h2>{n('plan.return')}</h2>
            <Field
              label={n('back_hash')}
              value={hash}
              fault={plan.refused?.fields.hash}
              dir="ltr"
              spellCheck={false}
              autoComplete="off"
              onChange={({ target }) => setHash(target.value)}
            />
            <RefusalNote refused={plan.refused} />
            <Button type="submit" size="small" busy={plan.isBusy}>
              {t('act.send')}
            </Button>
          </form>
        </Dialog>
      )}
      {plan.signing && (
        <StepUp {...plan.signing}>
          <Facts facts={[[t('customer'), <bdi key="customer">{customer.username}</bdi>]]} />
          <NetworkFacts shown={shown} />
          {isReturning && <p className="mono break">{hash.trim()}</p>}
        </StepUp>
      )}
    </>
  );
}
