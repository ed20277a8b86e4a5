import type { CallFault } from '@sathorn/app/client';
import { failureText } from '@sathorn/app/client';
import { Card, ErrorState, SkeletonRows, useText } from '@sathorn/ui';

/** Shown until a page's data has arrived: that it is loading, or why it could not be read. */
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
