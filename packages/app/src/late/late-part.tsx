import { ErrorState, useText } from '@sathorn/ui';
import { type ComponentType, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { onReturn } from '../stream/live.ts';
import type { Chunk } from './chunk-of.ts';
import { Rescue } from './rescue.tsx';

interface LatePartProps<Props> {
  chunk: Chunk<Props>;
  /** Keeps its place until it is there. */
  waiting: ReactNode;
  children: (Part: ComponentType<Props>) => ReactNode;
}

/** What has a chunk of its own: the rest of the page does not depend on it. */
export function LatePart<Props>({ chunk, waiting, children }: LatePartProps<Props>) {
  const [attempt, setAttempt] = useState(0);
  const tryAgain = useCallback(() => {
    chunk.renew();
    setAttempt((attempts) => attempts + 1);
  }, [chunk]);
  return (
    <Rescue key={attempt} instead={<Failed onRetry={tryAgain} />}>
      <Suspense fallback={waiting}>{children(chunk.Part)}</Suspense>
    </Rescue>
  );
}

/** Tries again when it is pressed, and by itself when the connection is back. */
function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useText();
  useEffect(() => onReturn(onRetry), [onRetry]);
  return <ErrorState title={t('chunk.failed')} action={{ label: t('shell.try_again'), onPress: onRetry }} />;
}
