import { listStaffActions, type ResultOf } from '@sathorn/api';
import { failureText, rowsOf, useReadPages } from '@sathorn/app/client';
import { formatDate, type MessageKey } from '@sathorn/text';
import { Button, Card, EmptyState, ErrorState, type IconName, ListRow, SkeletonRows, useText } from '@sathorn/ui';
import '@sathorn/app/forms/form-page.css';

type Action = ResultOf<typeof listStaffActions>['items'][number];

/** Words of the log, as the customer reads them; the first that the word begins with. */
const WORDS: readonly (readonly [word: string, key: MessageKey, icon: IconName])[] = [
  ['customer.opened', 'staff.what.opened', 'eye'],
  ['customer.unmasked', 'staff.what.unmasked', 'eye'],
  ['certification.read', 'staff.what.document', 'document'],
  ['certification.picture', 'staff.what.document', 'document'],
  ['deposit.slip_viewed', 'staff.what.slip', 'document'],
  ['customer.frozen', 'staff.what.frozen', 'lock'],
  ['freeze_', 'staff.what.freeze_change', 'lock'],
  ['customer.sessions_ended', 'staff.what.sessions', 'exit'],
  ['customer.invites_changed', 'staff.what.invites', 'share'],
  ['certification.verified', 'staff.what.verified', 'check'],
  ['certification.sent_back', 'staff.what.sent_back', 'refresh'],
  ['deposit.match', 'staff.what.matched', 'check'],
  ['deposit.returned', 'staff.what.returned', 'refresh'],
  ['withdrawal.asked', 'staff.what.asked', 'info'],
];

function wordOf(what: string): readonly [key: MessageKey, icon: IconName] {
  const [, key, icon] = WORDS.find(([word]) => what.startsWith(word)) ?? [];
  if (key && icon) return [key, icon];
  if (what.endsWith('.approved')) return ['staff.what.approved', 'check'];
  if (what.endsWith('.rejected') || what.endsWith('.refused')) return ['staff.what.rejected', 'cross'];
  return ['staff.what.other', 'info'];
}

/** `#/pages/mine/setting/staff`: what staff did with this account, from the log that nobody can edit. */
export default function StaffActions() {
  const texts = useText();
  const { t, has, presentation } = texts;
  const query = useReadPages(listStaffActions, {});
  const { error } = query;
  const items = query.data && rowsOf(query.data);
  const reasonOf = (reason: string | null): string | null => {
    const key = `staff.reason.${reason}`;
    return has(key) ? t(key) : null;
  };
  const noteOf = ({ at, by, reason, until }: Action): string =>
    [
      formatDate(at, 'dateTime', presentation),
      by === null ? t('staff.platform') : t('staff.by', { by }),
      reasonOf(reason),
      until === null ? null : t('staff.until', { time: formatDate(until, 'dateTime', presentation) }),
    ]
      .filter((part) => part !== null)
      .join(' · ');
  return (
    <div className="page">
      <p className="form-lead">{t('staff.lead')}</p>
      <Card tight>
        {items?.map((action) => {
          const [key, icon] = wordOf(action.what);
          return <ListRow key={action.id} icon={icon} title={t(key)} note={noteOf(action)} />;
        })}
        {items?.length === 0 && <EmptyState icon="eye-off" title={t('staff.empty')} />}
        {query.isPending && <SkeletonRows rows={4} label={t('shell.loading')} />}
        {error && (
          <ErrorState
            title={failureText(error.failure, texts)}
            action={{ label: t('shell.try_again'), onPress: () => void query.refetch() }}
          />
        )}
      </Card>
      {query.hasNextPage && (
        <Button look="soft" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('staff.more')}
        </Button>
      )}
    </div>
  );
}
