import { useText } from '@sathorn/ui';
import { useEffect } from 'react';
import { queryClient } from '../client/query-client.ts';
import { useNavigation } from '../navigation/navigation.tsx';
import { needsSession } from '../navigation/plan.ts';
import { useSession } from '../session/session.ts';
import { showToast } from './toasts.ts';

/** Between the server's sentence and the sign-in page. */
export const LOGIN_REDIRECT_MS = 800;

/** When the server has ended the session: what it said, and where a session is needed, sign-in after 800 ms. */
export function SessionWatch() {
  const { t } = useText();
  const { address, redirect, table } = useNavigation();
  const token = useSession((session) => session.token);
  const endedBy = useSession((session) => session.endedBy);

  // Nothing of one customer stays for the next.
  useEffect(() => {
    if (token === null) queryClient.removeQueries({ predicate: (query) => query.queryKey.at(-1) !== null });
  }, [token]);

  useEffect(() => {
    if (endedBy === null || !needsSession(table, address)) return;
    showToast(endedBy || t('session.ended'));
    const timer = setTimeout(() => {
      useSession.setState({ endedBy: null });
      redirect(address);
    }, LOGIN_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [endedBy, address, redirect, table, t]);

  return null;
}
