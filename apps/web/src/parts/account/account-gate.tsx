import type { User } from '@sathorn/api';
import { failureText } from '@sathorn/app/client';
import { Card, ErrorState, SkeletonRows, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { useAccount } from './use-account.ts';

/**
 * A page that needs the customer's data. Shows a skeleton until it is loaded; if loading fails, what happened and a
 * retry.
 */
export function AccountGate({ children }: { children: (user: User) => ReactNode }) {
  const texts = useText();
  const { user, error, retry } = useAccount();
  if (user) return children(user);
  return (
    <div className="page">
      <Card>
        {error ? (
          <ErrorState title={texts.t('mine.failed')} action={{ label: texts.t('shell.try_again'), onPress: retry }}>
            {failureText(error.failure, texts)}
          </ErrorState>
        ) : (
          <SkeletonRows rows={3} label={texts.t('shell.loading')} />
        )}
      </Card>
    </div>
  );
}
