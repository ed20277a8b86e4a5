import { listOwnDisputes, type OwnDispute } from '@sathorn/api';
import { failureText, rowsOf, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { formatDate } from '@sathorn/text';
import { Badge, Button, Card, EmptyState, ErrorState, FactList, SkeletonRows, Tabs, useText } from '@sathorn/ui';
import { DisputeTexts } from '../parts/disputes/dispute-texts.tsx';
import { ListEnd } from '../parts/list/list-end.tsx';
import { MoneyDisputes } from './money-disputes.tsx';
import './disputes.css';

type Tab = 'trades' | 'money';

/** `#/pages/Option/orderRecord/disputes` */
export default function Disputes() {
  return (
    <DisputeTexts>
      <Body />
    </DisputeTexts>
  );
}

function Body() {
  const { t } = useText<'disputes'>();
  const { query, redirect } = useNavigation();
  const tab: Tab = query.get('tab') === 'money' ? 'money' : 'trades';
  return (
    <>
      <PageBar title={t('disputes.title')} />
      <div className="page">
        <Tabs<Tab>
          label={t('disputes.title')}
          tabs={(['trades', 'money'] as const).map((value) => ({ value, label: t(`disputes.tab.${value}`) }))}
          value={tab}
          onChange={(next) => redirect('/pages/Option/orderRecord/disputes', next === 'money' ? { tab: next } : {})}
        />
        {tab === 'money' ? <MoneyDisputes /> : <TradeDisputes />}
      </div>
    </>
  );
}

function TradeDisputes() {
  const { t } = useText<'disputes'>();
  const texts = useText();
  const list = useReadPages(listOwnDisputes, {}, { freshForMs: 5_000 });
  const disputes = rowsOf(list.data);
  return (
    <>
      <p className="disputes-lead">{t('disputes.lead')}</p>
      {disputes.length > 0 ? (
        <>
          {disputes.map((dispute) => (
            <Dispute key={dispute.id} dispute={dispute} />
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
              {t('disputes.none_lead')}
            </EmptyState>
          ) : (
            <SkeletonRows rows={3} label={t('shell.loading')} />
          )}
        </Card>
      )}
    </>
  );
}

function Dispute({ dispute }: { dispute: OwnDispute }) {
  const { t, presentation } = useText<'disputes'>();
  const { navigate } = useNavigation();
  const { order, statement, status, opened_at, deadline, finding, answer, answered_at, reviewers } = dispute;
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
      {finding && <h2 className="dispute-finding">{t(`disputes.finding.${finding}`)}</h2>}
      {answer && (
        <p className="dispute-answer" dir="auto">
          {answer}
        </p>
      )}
      <FactList
        facts={[
          { name: t('disputes.order'), value: <span className="mono dispute-order">{order}</span> },
          { name: t('disputes.opened'), value: at(opened_at) },
          answered_at === null
            ? { name: t('disputes.deadline'), value: at(deadline) }
            : { name: t('disputes.answered'), value: at(answered_at) },
          ...(reviewers.length > 0 ? [{ name: t('disputes.by'), value: reviewers.join(', ') }] : []),
        ]}
      />
      <Button look="soft" size="small" onClick={() => navigate('/pages/Option/orderRecord/receipt', { id: order })}>
        {t('disputes.receipt')}
      </Button>
    </Card>
  );
}
