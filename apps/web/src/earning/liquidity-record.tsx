import { type LiquidityRecord, listEarningOrders } from '@sathorn/api';
import { rowsOfPages, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { formatDate } from '@sathorn/text';
import { Badge, Card, EmptyState, ListRow, Money, Tabs, useText } from '@sathorn/ui';
import { useState } from 'react';
import { HideAmountsHead, useAreAmountsHidden } from '../parts/account/hide-amounts-head.tsx';
import { ListEnd } from '../parts/list/list-end.tsx';
import { NoRows } from '../parts/list/no-rows.tsx';
import { EarningTexts } from './earning-texts.tsx';
import { dayText } from './figures.ts';
import { type IncomeReceiptId, ReceiptSheet } from './receipt-sheet.tsx';
import { useEarningRefresh } from './use-earning-refresh.ts';

const KINDS = ['subscription', 'redemption', 'interest'] as const;
type Kind = (typeof KINDS)[number];

/** `#/pages/Liquidity/record`: subscriptions, redemptions and interest with their states. */
export default function LiquidityRecords() {
  return (
    <EarningTexts>
      <Records />
    </EarningTexts>
  );
}

function Records() {
  const { t } = useText<'earning'>();
  const texts = useText();
  const { query, redirect, navigate } = useNavigation();
  const asked = query.get('kind');
  const kind: Kind = KINDS.find((one) => one === asked) ?? 'subscription';
  const [receipt, setReceipt] = useState<IncomeReceiptId | null>(null);
  useEarningRefresh();
  const list = useReadPages(listEarningOrders, { type: 'liquidity', kind }, { freshForMs: 0 });
  const records = rowsOfPages(list.data).filter((one): one is LiquidityRecord => one.type === 'liquidity');
  return (
    <div className="page">
      <HideAmountsHead>
        <Tabs
          label={texts.t('screen.liquidity_records')}
          value={kind}
          onChange={(chosen) => redirect('/pages/Liquidity/record', { kind: chosen })}
          panelId="records"
          tabs={KINDS.map((value) => ({ value, label: t(`earning.kind.${value}`) }))}
        />
      </HideAmountsHead>
      <div id="records" role="tabpanel" aria-label={t(`earning.kind.${kind}`)} className="stack">
        {records.length > 0 ? (
          <>
            <Card tight>
              {records.map((record) => (
                <Row key={record.id} record={record} onReceipt={setReceipt} />
              ))}
            </Card>
            <ListEnd list={list} />
          </>
        ) : (
          <Card tight>
            <NoRows
              list={list}
              none={
                <EmptyState
                  picture="drop"
                  title={t(`earning.none.${kind}`)}
                  action={{ label: t('earning.subscribe'), onPress: () => navigate('/pages/Liquidity/buy') }}
                />
              }
            />
          </Card>
        )}
      </div>
      <ReceiptSheet of={receipt} onClose={() => setReceipt(null)} />
    </div>
  );
}

function Row({ record, onReceipt }: { record: LiquidityRecord; onReceipt: (of: IncomeReceiptId) => void }) {
  const { t, presentation } = useText<'earning'>();
  const isHidden = useAreAmountsHidden();
  const { kind, speed, state, day, at, latest_at: latest } = record;
  const isIncome = kind === 'interest';
  const title = isIncome
    ? t('earning.income_of', { day: dayText(day, 'date', presentation) })
    : t(
        kind === 'subscription'
          ? 'earning.subscription'
          : speed === 'quick'
            ? 'earning.quick_redemption'
            : 'earning.normal_redemption',
      );
  const note =
    latest === null
      ? formatDate(at, 'dateTime', presentation)
      : t('earning.pending_by', { time: formatDate(latest, 'dayTime', presentation) });
  return (
    <ListRow
      title={title}
      note={note}
      value={
        <span className="earning-record-value">
          <b>
            <Money amount={record.amount} exact signed={isIncome} hidden={isHidden} />
          </b>
          <Badge tone={state === 'pending' ? 'warn' : 'success'}>
            {t(isIncome && state === 'pending' ? 'earning.status.waiting' : `earning.status.${state}`)}
          </Badge>
        </span>
      }
      onPress={isIncome ? () => onReceipt({ order: null, day }) : undefined}
    />
  );
}
