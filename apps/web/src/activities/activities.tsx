import { type Activity, listActivities } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { ActivityCard } from '@sathorn/app/content';
import { useNavigation } from '@sathorn/app/navigation';
import { Card, EmptyState, ErrorState, Skeleton, useText } from '@sathorn/ui';
import { useActivityTimeText } from './use-activity-time-text.ts';

const CARD_HEIGHT = 214;

/** Lists the activities of a kind that match the filter, or says why there are none. */
export function Activities({
  kind,
  passes = () => true,
}: {
  kind: Activity['kind'];
  passes?: (activity: Activity) => boolean;
}) {
  const { t } = useText<'activities'>();
  const texts = useText();
  const { navigate } = useNavigation();
  const whenOf = useActivityTimeText();
  const { data, error, refetch } = useRead(listActivities, {}, { freshForMs: 30_000 });
  const page = kind === 'welfare' ? '/pages/index/welfareDetails' : '/pages/activeList/activeDetails';
  if (!data)
    return error ? (
      <Card tight>
        <ErrorState
          title={t('activities.failed')}
          action={{ label: texts.t('shell.try_again'), onPress: () => void refetch() }}
        >
          {failureText(error.failure, texts)}
        </ErrorState>
      </Card>
    ) : (
      <div role="status" aria-label={texts.t('shell.loading')} className="activities">
        <Skeleton height={CARD_HEIGHT} />
        <Skeleton height={CARD_HEIGHT} />
      </div>
    );
  const shown = data.lists.filter((one) => one.kind === kind && passes(one));
  if (shown.length === 0)
    return (
      <Card tight>
        <EmptyState picture="gift" title={t('activities.none')}>
          {t('activities.none_text')}
        </EmptyState>
      </Card>
    );
  return (
    <ul className="activities">
      {shown.map((one) => (
        <li key={one.id}>
          <ActivityCard
            title={one.title}
            summary={one.summary}
            picture={one.picture}
            when={whenOf(one)}
            isOver={one.is_over}
            onPress={() => navigate(page, { id: one.id })}
          />
        </li>
      ))}
    </ul>
  );
}
