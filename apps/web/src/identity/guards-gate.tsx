import { type ResultOf, readSecondFactor } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { Card, ErrorState, SkeletonRows, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';

export type Guards = ResultOf<typeof readSecondFactor>;

/** Renders its content once it is known what guards the account. */
export function GuardsGate({ children }: { children: (guards: Guards) => ReactNode }) {
  const texts = useText();
  const { data, error, refetch } = useRead(readSecondFactor, {}, { freshForMs: 0 });
  if (data) return children(data);
  return (
    <div className="page">
      <Card>
        {error ? (
          <ErrorState
            title={texts.t('mine.failed')}
            action={{ label: texts.t('shell.try_again'), onPress: () => void refetch() }}
          >
            {failureText(error.failure, texts)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={7} label={texts.t('shell.loading')} />
        )}
      </Card>
    </div>
  );
}
