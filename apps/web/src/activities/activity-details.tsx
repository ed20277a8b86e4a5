import { readActivity } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { ActivityHead, RichTextView } from '@sathorn/app/content';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { formatDate } from '@sathorn/text';
import { Button, Card, ErrorState, Skeleton, useText } from '@sathorn/ui';
import { screenOf } from '../paths.ts';
import { ActivityTexts } from './activity-texts.tsx';
import { useActivityTimeText } from './use-activity-time-text.ts';

/** `#/pages/activeList/activeDetails` and `#/pages/index/welfareDetails`, `?id=` */
export default function ActivityDetails() {
  return (
    <ActivityTexts>
      <Details />
    </ActivityTexts>
  );
}

const WELFARE = '/pages/index/welfare';

function Details() {
  const { t, presentation } = useText<'activities'>();
  const texts = useText();
  const { address, query, navigate, redirect } = useNavigation();
  const whenOf = useActivityTimeText();
  const { data, error, refetch } = useRead(readActivity, { id: query.get('id') ?? '' }, { freshForMs: 30_000 });
  // When the server does not know the id, a retry would not help.
  const isUnknown = error?.failure.isAnswered;
  const list = address.includes('/welfareDetails') ? WELFARE : '/pages/activeList/index';
  const screen = screenOf(address);
  const isLeading = data !== undefined && data.link !== '' && screenOf(data.link) !== undefined;
  return (
    <>
      <PageBar title={screen ? texts.t(screen.title) : ''} />
      {data && <ActivityHead title={data.title} picture={data.picture} when={whenOf(data)} />}
      <div className="page activity-page">
        {data ? (
          <>
            {data.is_over && <p className="activity-over">{t('activities.is_over')}</p>}
            <Card>
              {data.summary && <p className="activity-lead">{data.summary}</p>}
              <RichTextView tree={data.content} onPage={navigate} />
            </Card>
            {isLeading && !data.is_over && <Button onClick={() => navigate(data.link)}>{t('activities.go')}</Button>}
            <p className="activity-changed">
              {t('activities.changed', { date: formatDate(data.changed_at, 'date', presentation) })}
            </p>
          </>
        ) : error ? (
          <Card tight>
            {isUnknown ? (
              <ErrorState
                title={failureText(error.failure, texts)}
                action={{
                  label: texts.t(list === WELFARE ? 'screen.welfare' : 'screen.activities'),
                  onPress: () => redirect(list),
                }}
              />
            ) : (
              <ErrorState
                title={t('activities.text_failed')}
                action={{ label: texts.t('shell.try_again'), onPress: () => void refetch() }}
              >
                {failureText(error.failure, texts)}
              </ErrorState>
            )}
          </Card>
        ) : (
          <div role="status" aria-label={texts.t('shell.loading')} className="activities">
            <Skeleton height={168} />
            <Skeleton height={240} />
          </div>
        )}
      </div>
    </>
  );
}
