import { listAccountRecords } from '@sathorn/api';
import { rowsOfPages, useReadPages } from '@sathorn/app/client';
import { Card, EmptyState, useText } from '@sathorn/ui';
import { ListEnd } from '../list/list-end.tsx';
import { NoRows } from '../list/no-rows.tsx';
import { DepositRow, WithdrawalRow } from './record-rows.tsx';
import { useMoneyNews } from './use-records.ts';

interface RecordListProps {
  setup: 'recharge' | 'withdraw';
  status?: 'all' | 'completed' | 'undone';
  /** The action offered when the list is empty. */
  action: { label: string; onPress: () => void };
}

/** Deposits or withdrawals, including pending ones, in pages and live. */
export function RecordList({ setup, status = 'all', action }: RecordListProps) {
  const { t } = useText<'money'>();
  useMoneyNews();
  const list = useReadPages(listAccountRecords, { setup, status }, { freshForMs: 0 });
  const rows = rowsOfPages(list.data).filter(({ deposit, withdrawal }) => deposit ?? withdrawal);
  if (rows.length > 0 || list.hasNextPage) {
    return (
      <>
        {rows.length > 0 && (
          <Card tight className="money-rows">
            {rows.map(({ id, deposit, withdrawal }) =>
              deposit ? (
                <DepositRow key={id} record={deposit} />
              ) : withdrawal ? (
                <WithdrawalRow key={id} record={withdrawal} />
              ) : null,
            )}
          </Card>
        )}
        <ListEnd list={list} />
      </>
    );
  }
  return (
    <Card tight>
      <NoRows
        list={list}
        failed={t('money.records_failed')}
        none={
          <EmptyState
            picture={setup === 'recharge' ? 'download' : 'upload'}
            title={t(setup === 'recharge' ? 'deposit.none' : 'withdrawal.none')}
            {...(status === 'all' ? { action } : {})}
          >
            {t(setup === 'recharge' ? 'deposit.none_lead' : 'withdrawal.none_lead')}
          </EmptyState>
        }
      />
    </Card>
  );
}
