import { listOwnMoneyDisputes, type OwnMoneyDispute } from '@sathorn/api';
import { failureText, rowsOf, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { formatAsset, formatDate } from '@sathorn/text';
import { Badge, Button, Card, EmptyState, ErrorState, FactList, SkeletonRows, useText } from '@sathorn/ui';
import { ListEnd } from '../parts/list/list-end.tsx';

const PAGES = {
  deposit: '/pages/Recharge/orderDetails',
  withdrawal: '/pages/Withdraw/orderDetails',
  correction: '/pages/mine/corrections',
} as const;

/** The customer's disputes about deposits, withdrawals and corrections. */
export function MoneyDisputes() {
  const { t } = useText<'disputes'>();
  const texts = useText();
  const list = useReadPages(listOwnMoneyDisputes, {}, { freshForMs: 5_000 });
  const disputes = rowsOf(list.data);
  return (
    <>
      <p className="disputes-lead">{t('money_dispute.lead')}</p>
      {disputes.length > 0 ? (
        <>
          {disputes.map((dispute) => (
            <MoneyDispute key={dispute.id} dispute={dispute} />
          ))}
          <ListEnd list={list} />
        </>
      ) : (
        <Card>
          {list.error ? (
            <ErrorState
              title={t('disputes.failed')}
              action={{ label: t('shell.try_again'), onPress: () => void list.refetch() }}
            >
              {failureText(list.error.failure, texts)}
            </ErrorState>
          ) : list.data ? (
            <EmptyState icon="flag" title={t('disputes.none')}>
              {t('money_dispute.none_lead')}
            </EmptyState>
          ) : (
            <SkeletonRows rows={3} label={t('shell.loading')} />
          )}
        </Card>
      )}
    </>
  );
}

function MoneyDispute({ dispute }: { dispute: OwnMoneyDispute }) {
  const { t, presentation } = useText<'disputes'>();
  const { navigate } = useNavigation();
  const { kind, subject, order, statement, status, opened_at, deadline, finding, answer, answered_at } = dispute;
  const isClosed = status === 'closed';
  const at = (time: string) => formatDate(time, 'dateTime', presentation);
  return (
    <Card className="dispute">
      <div className="row">
        <Badge tone={isClosed ? 'success' : 'warn'} mark={isClosed ? 'check' : 'clock'}>
          {t(`disputes.state.${status}`)}
        </Badge>
      </div>
      <blockquote className="dispute-said" dir="auto">
        {statement}
      </blockquote>
      {finding && <h2 className="dispute-finding">{t(`money_dispute.finding.${finding}`)}</h2>}
      {answer && (
        <p className="dispute-answer" dir="auto">
          {answer}
        </p>
      )}
      <FactList
        facts={[
          {
            name: t('money_dispute.about'),
            value: (
              <>
                {t(`money_dispute.kind.${kind}`)} <bdi className="mono dispute-order">{order}</bdi>
              </>
            ),
          },
          ...(dispute.correction
            ? [{ name: t('money_dispute.correction'), value: <span className="mono">{dispute.correction}</span> }]
            : []),
          { name: t('disputes.opened'), value: at(opened_at) },
          answered_at === null
            ? { name: t('disputes.deadline'), value: at(deadline) }
            : { name: t('disputes.answered'), value: at(answered_at) },
          ...(dispute.reviewers.length > 0 ? [{ name: t('disputes.by'), value: dispute.reviewers.join(', ') }] : []),
        ]}
      />
      <Button look="soft" size="small" onClick={() => navigate(PAGES[kind], { id: subject })}>
        {t(`money_dispute.see.${kind}`, {
          amount: formatAsset(dispute.amount, dispute.asset, presentation, {
            minDecimals: 2,
            signed: kind === 'correction',
          }),
          date: formatDate(dispute.at, 'day', presentation),
        })}
      </Button>
    </Card>
  );
}
