import { useNavigation } from '@sathorn/app/navigation';
import { Tabs, useText } from '@sathorn/ui';
import { HideAmountsHead } from '../account/hide-amounts-head.tsx';
import { MoneyTexts } from './money-texts.tsx';
import { RecordList } from './record-list.tsx';
import { StaleLine } from './stale-line.tsx';

const STATUSES = ['all', 'completed', 'undone'] as const;

interface RecordPageProps {
  setup: 'recharge' | 'withdraw';
  path: string;
  /** The path of the page on which customers make the first record. */
  start: string;
}

/** A page of records. Its filter is part of the address, so that going back restores it. */
export function RecordPage(props: RecordPageProps) {
  return (
    <MoneyTexts>
      <Records {...props} />
    </MoneyTexts>
  );
}

function Records({ setup, path, start }: RecordPageProps) {
  const { t } = useText<'money'>();
  const { query, redirect, navigate } = useNavigation();
  const status = STATUSES.find((known) => known === query.get('status')) ?? 'all';
  return (
    <div className="page">
      <HideAmountsHead>
        <Tabs
          label={t(setup === 'recharge' ? 'screen.deposit_records' : 'screen.withdraw_records')}
          tabs={STATUSES.map((value) => ({ value, label: t(`money.filter.${value}`) }))}
          value={status}
          onChange={(chosen) => redirect(path, { status: chosen })}
          panelId="records"
        />
      </HideAmountsHead>
      <StaleLine />
      <div id="records" role="tabpanel" aria-label={t(`money.filter.${status}`)}>
        <RecordList
          key={status}
          setup={setup}
          status={status}
          action={{
            label: t(setup === 'recharge' ? 'deposit.title' : 'withdrawal.title'),
            onPress: () => navigate(start),
          }}
        />
      </div>
    </div>
  );
}
