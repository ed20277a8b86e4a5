import { type PAGE_TEXTS, readPageText } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { RichTextView } from '@sathorn/app/content';
import { useNavigation } from '@sathorn/app/navigation';
import { formatDate } from '@sathorn/text';
import { Card, ErrorState, Skeleton, useText } from '@sathorn/ui';

/** A card with one of the platform's published texts. */
export function PageText({ of }: { of: (typeof PAGE_TEXTS)[number] }) {
  const { t, presentation } = useText<'activities'>();
  const texts = useText();
  const { navigate } = useNavigation();
  const { data, error, refetch } = useRead(readPageText, { of }, { freshForMs: 60_000 });
  if (!data)
    return error ? (
      <Card tight>
        <ErrorState
          title={t('activities.text_failed')}
          action={{ label: texts.t('shell.try_again'), onPress: () => void refetch() }}
        >
          {failureText(error.failure, texts)}
        </ErrorState>
      </Card>
    ) : (
      <div role="status" aria-label={texts.t('shell.loading')}>
        <Skeleton height={320} />
      </div>
    );
  return (
    <Card className="page-text">
      {data.picture && <img src={data.picture} alt="" width="750" height="300" />}
      <h2 className="page-text-title">{data.title}</h2>
      <RichTextView tree={data.content} onPage={navigate} />
      {data.changed_at && (
        <p className="activity-changed">
          {t('activities.changed', { date: formatDate(data.changed_at, 'date', presentation) })}
        </p>
      )}
    </Card>
  );
}
