import { listSignIns, listStaffActions, type ResultOf } from '@sathorn/api';
import { rowsOfPages, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { formatDate } from '@sathorn/text';
import { Badge, Button, Card, EmptyState, ListRow, Tabs, useText } from '@sathorn/ui';
import { ListEnd } from '../parts/list/list-end.tsx';
import { NoRows } from '../parts/list/no-rows.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { AccessTexts } from './access-texts.tsx';
import './security.css';

const TABS = ['staff', 'logins'] as const;
type Of = (typeof TABS)[number];

/** `#/pages/mine/security/activity`: every access by staff, and every sign-in. */
export default function Activity() {
  return (
    <AccessTexts>
      <Page />
    </AccessTexts>
  );
}

function Page() {
  const { t } = useText<'accesses'>();
  const texts = useText();
  const { query, redirect } = useNavigation();
  const of: Of = query.get('of') === 'staff' ? 'staff' : 'logins';
  return (
    <div className="page">
      <Tabs
        label={texts.t('screen.activity')}
        tabs={TABS.map((value) => ({ value, label: t(`activity.${value}`) }))}
        value={of}
        onChange={(value) => redirect('/pages/mine/security/activity', { of: value })}
        panelId="activity"
      />
      <div id="activity" role="tabpanel" aria-label={t(`activity.${of}`)} className="stack">
        {of === 'staff' ? <Staff /> : <SignIns />}
      </div>
    </div>
  );
}

function SignIns() {
  const { t, presentation } = useText<'accesses'>();
  const { navigate } = useNavigation();
  const list = useReadPages(listSignIns, {}, { freshForMs: 0 });
  const rows = rowsOfPages(list.data);
  return (
    <>
      <Card tight>
        {rows.length === 0 && <Nothing list={list} none={t('activity.none_logins')} />}
        {rows.map((row) => (
          <ListRow
            key={row.id}
            icon="phone"
            title={
              <>
                {formatDate(row.at, 'dateTime', presentation)}{' '}
                {row.new_device && !row.failure && <Badge tone="warn">{t('activity.new_device')}</Badge>}
              </>
            }
            note={
              <>
                <bdi>{row.device}</bdi> <bdi dir="ltr">{row.address}</bdi>
                <br />
                {row.failure ? (
                  <span className="activity-failed">{t(`activity.failure.${row.failure}`)}</span>
                ) : (
                  t(`activity.factor.${row.factor}`)
                )}
              </>
            }
          />
        ))}
      </Card>
      {rows.length > 0 && <ListEnd list={list} />}
      <Card tight>
        <ListRow icon="key" title={t('activity.keys')} onPress={() => navigate('/pages/mine/security/keys')} />
      </Card>
      <Button look="soft" onClick={() => navigate('/pages/mine/security')}>
        {t('activity.not_me')}
      </Button>
    </>
  );
}

/** Groups acts that customers understand as one. */
const ACTS: readonly (readonly [RegExp, string])[] = [
  [/^withdrawal_(paid|failed|lost)\.|^withdrawal\.reconciled/, 'withdrawal_settled'],
  [/^deposit\.match/, 'deposit_matched'],
  [/freeze.*\.asked$/, 'freeze_asked'],
  [/^approval\./, 'approval_decided'],
  [/^deposit\.recovery/, 'deposit_recovery'],
];

type StaffAction = ResultOf<typeof listStaffActions>['items'][number];

function Staff() {
  const { t, has, presentation } = useText<'accesses'>();
  const list = useReadPages(listStaffActions, {}, { freshForMs: 0 });
  const rows: StaffAction[] = rowsOfPages(list.data);
  const said = (what: string): string => {
    const key = `activity.what.${ACTS.find(([of]) => of.test(what))?.[1] ?? what.replaceAll('.', '_')}`;
    return t(has(key) ? (key as 'activity.what.other') : 'activity.what.other');
  };
  /** Describes the reason and the end of a freeze. */
  const why = ({ reason, until }: StaffAction): string => {
    const key = `activity.freeze.${reason}`;
    const words = reason !== null && has(key) ? [t(key as 'activity.freeze.legal_order')] : [];
    if (until !== null) words.push(t('activity.freeze.until', { time: formatDate(until, 'dateTime', presentation) }));
    return words.join(' · ');
  };
  return (
    <>
      <Card tight>
        {rows.length === 0 && <Nothing list={list} none={t('activity.none_staff')} />}
        {rows.map((row) => (
          <ListRow
            key={row.id}
            icon={
              row.what.startsWith('certification') ? 'document' : row.what.startsWith('withdrawal') ? 'wallet' : 'eye'
            }
            title={said(row.what)}
            note={
              <>
                {why(row) && (
                  <>
                    {why(row)}
                    <br />
                  </>
                )}
                <bdi>{row.by ?? t('activity.platform')}</bdi>
                <br />
                {t('activity.number', { n: row.id })}
              </>
            }
            value={formatDate(row.at, 'dayTime', presentation)}
          />
        ))}
      </Card>
      {rows.length > 0 && <ListEnd list={list} />}
      <MoneyNote icon="shield" tone="success">
        {t('activity.entries_note')}
      </MoneyNote>
    </>
  );
}

function Nothing({ list, none }: { list: Parameters<typeof NoRows>[0]['list']; none: string }) {
  const { t } = useText();
  return <NoRows list={list} failed={t('mine.failed')} none={<EmptyState title={none} />} rows={4} />;
}
