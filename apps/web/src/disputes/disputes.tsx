import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { Tabs, useText } from '@sathorn/ui';
import { DisputeTexts } from '../parts/disputes/dispute-texts.tsx';
import { MoneyDisputes } from './money-disputes.tsx';
import { TradeDisputes } from './trade-disputes.tsx';
import './disputes.css';

type Tab = 'trades' | 'money';

/** `#/pages/Option/orderRecord/disputes`: the customer's disputes. */
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
