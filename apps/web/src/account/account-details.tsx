import { listAccountRecords, type ResultOf } from '@sathorn/api';
import { failureText, readKey, rowsOf, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useTopic } from '@sathorn/app/stream';
import { isCoinCode, scaleOf } from '@sathorn/money';
import { formatDate, formatDecimalText, type MessageKey } from '@sathorn/text';
import { Card, EmptyState, ErrorState, HIDDEN_AMOUNT, ListRow, Money, SkeletonRows, Tabs, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useAreAmountsHidden, WithEye } from '../parts/account/with-eye.tsx';
import { ListEnd } from '../parts/list/list-end.tsx';
import './account-details.css';
import '@sathorn/app/forms/form-page.css';

const SETUPS = ['all', 'income', 'expenditure'] as const;
type Setup = (typeof SETUPS)[number];
type Record = ResultOf<typeof listAccountRecords>['items'][number];

/** `#/pages/accountDetails/accountDetails`: what came in and went out. */
export default function AccountDetails() {
  const texts = useText();
  const { t } = texts;
  const { switchTab } = useNavigation();
  const [setup, setSetup] = useState<Setup>('all');
  // Money may have moved a moment ago on another page, so the list is read again whenever it is opened and when
  // balances change.
  const list = useReadPages(listAccountRecords, { setup }, { freshForMs: 0 });
  const queries = useQueryClient();
  const refresh = useCallback(
    () => void queries.invalidateQueries({ queryKey: readKey(listAccountRecords) }),
    [queries],
  );
  useTopic('balances', refresh);
  const records = rowsOf(list.data);

  return (
    <div className="page">
      <WithEye>
        <Tabs
          label={t('screen.account_details')}
          tabs={SETUPS.map((value) => ({ value, label: t(`details.${value}`) }))}
          value={setup}
          onChange={setSetup}
          panelId="records"
        />
      </WithEye>
      <p className="form-lead">{t('details.lead')}</p>
      <div id="records" role="tabpanel" aria-label={t(`details.${setup}`)}>
        {/* A page may be empty and not the last: the server looks through so many lines and no more for one. */}
        {records.length > 0 || list.hasNextPage ? (
          <>
            {records.length > 0 && (
              <Card tight className="account-records">
                {records.map((record) => (
                  <RecordRow key={record.id} record={record} />
                ))}
              </Card>
            )}
            <ListEnd list={list} />
          </>
        ) : (
          <Card tight>
            {list.error ? (
              <ErrorState
                title={t('details.failed')}
                action={{ label: t('shell.try_again'), onPress: () => void list.refetch() }}
              >
                {failureText(list.error.failure, texts)}
              </ErrorState>
            ) : list.data ? (
              <EmptyState
                icon="coin"
                title={t('details.none')}
                action={{ label: t('mine.trade'), onPress: () => switchTab('/pages/optionRule/index') }}
              >
                {t('details.none_lead')}
              </EmptyState>
            ) : (
              <SkeletonRows rows={7} label={t('shell.loading')} />
            )}
          </Card>
        )}
      </div>
    </div>
  );
}

function RecordRow({ record }: { record: Record }) {
  const { t, has, presentation } = useText();
  const isHidden = useAreAmountsHidden();
  const kind: string = `record.${record.kind}`;
  const name: MessageKey = has(kind) ? kind : 'record.other';
  const decimals = record.asset === 'POINTS' ? 0 : 2;
  return (
    <ListRow
      title={t(name)}
      note={formatDate(record.at, 'dateTimeSeconds', presentation)}
      value={
        <>
          <b data-income={isHidden || record.amount.startsWith('-') ? undefined : ''}>
            <Money amount={record.amount} asset={record.asset} decimals={decimals} exact signed hidden={isHidden} />
          </b>
          {record.balance_after !== null && (
            <span className="cap num account-record-balance">
              {t('details.balance', {
                amount: isHidden
                  ? HIDDEN_AMOUNT
                  : formatDecimalText(record.balance_after, presentation, {
                      minDecimals: decimals,
                      // A balance of coins is seldom worth two decimals.
                      maxDecimals: isCoinCode(record.asset) ? scaleOf(record.asset) : decimals,
                    }),
              })}
            </span>
          )}
        </>
      }
    />
  );
}
