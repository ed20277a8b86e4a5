import { listAccountRecords } from '@sathorn/api';
import { readQueryKey, rowsOfPages, useReadPages } from '@sathorn/app/client';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { practiceOf } from '@sathorn/app/practice';
import { useTopic } from '@sathorn/app/stream';
import { isCoinCode, scaleOf } from '@sathorn/money';
import { figureSeparator, formatDate, formatDecimalText } from '@sathorn/text';
import {
  Button,
  Card,
  EmptyState,
  HIDDEN_AMOUNT,
  Icon,
  type IconName,
  ListRow,
  Money,
  Tabs,
  useText,
} from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { HideAmountsHead, useAreAmountsHidden } from '../parts/account/hide-amounts-head.tsx';
import { ListEnd } from '../parts/list/list-end.tsx';
import { NoRows } from '../parts/list/no-rows.tsx';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';
import { MoneyTexts } from '../parts/money/money-texts.tsx';
import { RecordList } from '../parts/money/record-list.tsx';
import { StaleLine } from '../parts/money/stale-line.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { areRecordsGapless, type DayGroup, groupRecordsByDay } from './day-groups.ts';
import { ExportRecordsButton } from './export-records-button.tsx';
import { ExportStatementButton } from './export-statement-button.tsx';
import { recordName } from './record-name.ts';
import { useCheckedRows } from './use-checked-rows.ts';
import './account-details.css';
import '@sathorn/app/forms/form-page.css';

const PATH = '/pages/accountDetails/accountDetails';
const POSTED = ['all', 'income', 'expenditure'] as const;
const SETUPS = practiceOf === null ? ([...POSTED, 'recharge', 'withdraw'] as const) : POSTED;
type Setup = (typeof SETUPS)[number];
const loadPosting = () => import('./posting-sheet.tsx');

/** `#/pages/accountDetails/accountDetails`: the statement of income and expenditure. Each row opens its posting. */
export default function AccountDetails() {
  return (
    <MoneyTexts>
      <Statement />
    </MoneyTexts>
  );
}

function Statement() {
  const { t } = useText<'money'>();
  const { query, redirect, navigate } = useNavigation();
  const setup = SETUPS.find((known) => known === query.get('setup')) ?? 'all';
  const label = (value: Setup) => t(`details.${value}`);
  return (
    <div className="page account-details">
      <HideAmountsHead>
        <Tabs
          label={t('screen.account_details')}
          tabs={SETUPS.map((value) => ({ value, label: label(value) }))}
          value={setup}
          onChange={(value) => redirect(PATH, { setup: value })}
          panelId="records"
        />
      </HideAmountsHead>
      <StaleLine />
      <div id="records" role="tabpanel" aria-label={label(setup)} className="stack">
        {setup === 'recharge' || setup === 'withdraw' ? (
          <RecordList
            key={setup}
            setup={setup}
            action={
              setup === 'recharge'
                ? { label: t('deposit.title'), onPress: () => navigate('/pages/Recharge/Recharge') }
                : { label: t('withdrawal.title'), onPress: () => navigate('/pages/Withdraw/Withdraw') }
            }
          />
        ) : (
          <Postings key={setup} setup={setup} />
        )}
      </div>
    </div>
  );
}

const NO_RECORDS: readonly AccountRecord[] = [];

function Postings({ setup }: { setup: 'all' | 'income' | 'expenditure' }) {
  const { t, presentation } = useText<'money'>();
  const { navigate } = useNavigation();
  const [opened, setOpened] = useState<AccountRecord>();
  const [isOpen, setOpen] = useState(false);
  // Money may just have moved on another page, so the list is read again whenever the page opens and when balances
  // change.
  const list = useReadPages(listAccountRecords, { setup }, { freshForMs: 0 });
  const queries = useQueryClient();
  const refresh = useCallback(
    () => void queries.invalidateQueries({ queryKey: readQueryKey(listAccountRecords) }),
    [queries],
  );
  useTopic('balances', refresh);
  const records = rowsOfPages(list.data);
  const checked = useCheckedRows(setup === 'all' ? records : NO_RECORDS);

  // A page may be empty without being the last, because the server scans a limited number of lines per page.
  if (records.length === 0 && !list.hasNextPage) {
    return (
      <Card tight>
        <NoRows
          list={list}
          failed={t('details.failed')}
          none={
            <EmptyState
              picture="ledger"
              title={t('details.none')}
              {...(practiceOf === null && {
                action: { label: t('deposit.title'), onPress: () => navigate('/pages/Recharge/Recharge') },
              })}
            >
              {t('details.none_lead')}
            </EmptyState>
          }
          rows={7}
        />
      </Card>
    );
  }
  const isGapless = setup === 'all' && areRecordsGapless(records) === true;
  return (
    <>
      <div className="account-summary">
        {checked.verdict !== null && setup === 'all' ? (
          <p>
            <Icon name={checked.verdict === 'follows' ? 'shield' : 'warning'} size={18} />
            <span>
              {checked.verdict === 'follows'
                ? t('details.chain', {
                    count: checked.count,
                    until: formatDate(checked.untilMs, 'dateTime', presentation),
                  })
                : t('details.chain_differs')}
            </span>
          </p>
        ) : isGapless ? (
          <p>
            <Icon name="shield" size={18} />
            <span>{t('details.gapless', { count: records.length })}</span>
          </p>
        ) : (
          <p>{t('details.lead')}</p>
        )}
        <div className="account-exports">
          <Button look="soft" size="small" icon="document" onClick={() => navigate('/pages/accountDetails/statement')}>
            {t('details.monthly')}
          </Button>
          <ExportRecordsButton />
          <ExportStatementButton />
        </div>
      </div>
      {groupRecordsByDay(records, !list.hasNextPage).map((day) => (
        <Day
          key={day.at}
          day={day}
          onOpen={(record) => {
            setOpened(record);
            setOpen(true);
          }}
        />
      ))}
      <ListEnd list={list} />
      <Late load={loadPosting} sheet={{ open: isOpen, onClose: () => setOpen(false) }}>
        {(PostingSheet) => (
          <PostingSheet
            open={isOpen}
            onClose={() => setOpen(false)}
            record={opened}
            older={setup === 'all' && opened ? olderOf(records, opened) : undefined}
          />
        )}
      </Late>
    </>
  );
}

function olderOf(records: readonly AccountRecord[], record: AccountRecord): AccountRecord | undefined {
  const at = records.findIndex(({ id }) => id === record.id);
  return at < 0 ? undefined : records.slice(at + 1).find(({ asset }) => asset === record.asset);
}

function Day({ day, onOpen }: { day: DayGroup; onOpen: (record: AccountRecord) => void }) {
  const { t, presentation } = useText<'money'>();
  const { plain } = useMoneyFormats();
  const isHidden = useAreAmountsHidden();
  return (
    <section className="account-day">
      <h2 className="account-day-head num">
        <span>{formatDate(day.at, 'date', presentation)}</span>
        {day.sums && !isHidden && (
          <span>
            {t('details.in', { amount: plain(day.sums.income) })}
            {figureSeparator(presentation)}
            {t('details.out', { amount: plain(day.sums.expenditure) })}
          </span>
        )}
      </h2>
      <Card tight className="account-records">
        {day.records.map((record) => (
          <RecordRow key={record.id} record={record} onPress={() => onOpen(record)} />
        ))}
      </Card>
    </section>
  );
}

const ICONS: readonly (readonly [kind: RegExp, icon: IconName])[] = [
  [/^deposit/, 'download'],
  [/^withdrawal/, 'upload'],
  [/^internal/, 'people'],
  [/^option/, 'option'],
  [/^contract/, 'coin'],
  [/^demo/, 'gift'],
];

function RecordRow({ record, onPress }: { record: AccountRecord; onPress: () => void }) {
  const { t, has, presentation } = useText<'money'>();
  const isHidden = useAreAmountsHidden();
  const isPoints = record.asset === 'POINTS';
  const decimals = isPoints ? 0 : 2;
  const isIncome = !record.amount.startsWith('-');
  return (
    <ListRow
      lead={
        <span className="account-record-mark" data-income={isIncome ? '' : undefined}>
          <Icon name={ICONS.find(([kind]) => kind.test(record.kind))?.[1] ?? 'list'} size={18} />
        </span>
      }
      title={t(recordName(record.kind, has))}
      note={
        <>
          {formatDate(record.at, 'seconds', presentation)}
          {figureSeparator(presentation)}
          <bdi className="account-record-posting" dir="ltr">
            #{record.id.slice(0, 6)}
          </bdi>
        </>
      }
      value={
        <>
          <b data-income={isHidden || !isIncome ? undefined : ''}>
            <Money
              amount={record.amount}
              asset={isPoints ? t('details.points') : record.asset}
              decimals={decimals}
              exact
              signed
              hidden={isHidden}
            />
          </b>
          {record.balance_after !== null && (
            <span className="cap num account-record-balance">
              {t('details.balance', {
                amount: isHidden
                  ? HIDDEN_AMOUNT
                  : formatDecimalText(record.balance_after, presentation, {
                      minDecimals: decimals,
                      // Two decimals would hide most balances of coins.
                      maxDecimals: isCoinCode(record.asset) ? scaleOf(record.asset) : decimals,
                    }),
              })}
            </span>
          )}
        </>
      }
      onPress={onPress}
    />
  );
}
