import type { CallFault } from '@sathorn/app/client';
import { failureText } from '@sathorn/app/client';
import { Card, ErrorState, SkeletonRows, useText } from '@sathorn/ui';

/** Shown while a page has no data: a loading state, or why the request failed. */
export function FailedRead({ title, error, retry }: { title: string; error: CallFault | null; retry: () => void }) {
  const texts = useText();
  return (
    <Card>
      {error ? (
        <ErrorState title={title} action={{ label: texts.t('shell.try_again'), onPress: retry }}>
          {failureText(error.failure, texts)}
        </ErrorState>
      ) : (
        <SkeletonRows rows={7} label={texts.t('shell.loading')} />
      )}
    </Card>
  );
}
