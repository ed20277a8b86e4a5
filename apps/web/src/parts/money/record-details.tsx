import type { DepositRecord, WithdrawalRecord } from '@sathorn/api';
import { type CallFault, failureText } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { Card, ErrorState, Skeleton, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { type MoneyFact, MoneyFacts } from './facts.tsx';
import { useMoneyFormats } from './use-money.ts';

interface NoRecordProps {
  setup: 'recharge' | 'withdraw';
  /** Null if no record has that id, because a retry would not help. */
  error: CallFault | null;
  unknown: string;
  onRetry: () => unknown;
}

/** Explains why a deposit or a withdrawal cannot be shown, with a retry or a link to the list. */
export function NoRecord({ setup, error, unknown, onRetry }: NoRecordProps) {
  const texts = useText();
  const { redirect } = useNavigation();
  const action = error
    ? { label: texts.t('shell.try_again'), onPress: () => void onRetry() }
    : setup === 'recharge'
      ? { label: texts.t('screen.deposit_records'), onPress: () => redirect('/pages/Recharge/record') }
      : { label: texts.t('screen.withdraw_records'), onPress: () => redirect('/pages/Withdraw/record') };
  return (
    <div className="page">
      <Card>
        <ErrorState title={error ? failureText(error.failure, texts) : unknown} action={action} />
      </Card>
    </div>
  );
}

interface RecordGateProps<Record> {
  setup: 'recharge' | 'withdraw';
  read: { record: Record | null | undefined; error: CallFault | null; refetch: () => unknown };
  unknown: string;
  /** The heights of the cards while the record loads. */
  heights: readonly number[];
  children: (record: Record) => ReactNode;
}

/** Renders its content once the record is loaded. */
export function RecordGate<Record>({ setup, read, unknown, heights, children }: RecordGateProps<Record>) {
  const { record, error, refetch } = read;
  if (record) return children(record);
  const isUnknown = record === null || error?.failure.isAnswered;
  if (isUnknown || error)
    return <NoRecord setup={setup} error={isUnknown ? null : error} unknown={unknown} onRetry={refetch} />;
  return (
    <div className="page">
      {heights.map((height) => (
        <Card key={height}>
          <Skeleton height={height} />
        </Card>
      ))}
    </div>
  );
}

interface RecordFactsProps {
  record: DepositRecord | WithdrawalRecord;
  facts: readonly (MoneyFact | null)[];
}

/** The facts of a deposit or a withdrawal, between its number and its start time. */
export function RecordFacts({ record, facts }: RecordFactsProps) {
  const { t } = useText<'money'>();
  const { whole } = useMoneyFormats();
  return (
    <MoneyFacts
      facts={[
        {
          key: 'order',
          name: t('money.order'),
          value: record.order_number,
          copy: { text: record.order_number, label: t('money.copy_order') },
        },
        ...facts,
        { key: 'at', name: t('money.begun_at'), value: whole(record.created_at) },
      ]}
    />
  );
}
