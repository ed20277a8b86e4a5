import { askPractice } from '@sathorn/api';
import { type Failure, failureText, useCall } from '@sathorn/app/client';
import { Card, ErrorState, SkeletonRows, useText } from '@sathorn/ui';
import { useEffect, useRef, useState } from 'react';

/** On the real platform: asks for a ticket and goes to the practice platform with it. */
export function OpenPractice() {
  const texts = useText();
  const { t } = useText<'practice'>();
  const ask = useCall(askPractice, { quiet: true });
  const [failure, setFailure] = useState<Failure | null>(null);
  const isAsked = useRef(false);
  const go = async () => {
    setFailure(null);
    const answer = await ask.submit({});
    // In place of this page, so that the way back leads to the page before.
    if (answer.ok) location.replace(answer.data.url);
    else setFailure(answer);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, because a ticket is used once.
  useEffect(() => {
    if (!isAsked.current) void go();
    isAsked.current = true;
  }, []);
  return (
    <div className="page">
      <Card>
        {failure ? (
          <ErrorState
            title={t('practice.failed')}
            action={{ label: texts.t('shell.try_again'), onPress: () => void go() }}
          >
            {failureText(failure, texts)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={3} label={t('practice.opening')} />
        )}
      </Card>
    </div>
  );
}
