import { useText } from '@sathorn/ui';
import { useEffect } from 'react';
import { queryClient } from '../client/query-client.ts';
import { useNavigation } from '../navigation/navigation.tsx';
import { needsSession } from '../navigation/plan-move.ts';
import { useSession } from '../session/session.ts';
import { showToast } from './toasts.ts';

/** The server's sentence is shown for this long before sign-in opens. */
export const LOGIN_REDIRECT_MS = 800;

/**
 * When the server has ended the session, shows its reason, and opens sign-in after 800 ms if the page needs a session.
 */
export function SessionWatch() {
  const { t } = useText();
  const { address, redirect, table } = useNavigation();
  const token = useSession((session) => session.token);
  const endedBy = useSession((session) => session.endedBy);

  // Clears everything of the previous customer.
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
