import type { User } from '@sathorn/api';
import { useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { PageNotLoaded } from '../read/not-loaded.tsx';
import { useAccount } from './use-account.ts';

/** Renders a page that needs the customer's data: a skeleton while it loads, or the error with a retry. */
export function AccountGate({ children }: { children: (user: User) => ReactNode }) {
  const texts = useText();
  const { user, error, retry } = useAccount();
  if (user) return children(user);
  return <PageNotLoaded read={{ error, refetch: retry }} failed={texts.t('mine.failed')} rows={3} />;
}
