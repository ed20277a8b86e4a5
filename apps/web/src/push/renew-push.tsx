import { readPush, subscribePush } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { usePreferences } from '@sathorn/app/preferences';
import { useSession } from '@sathorn/app/session';
import { useEffect } from 'react';
import { currentSubscription, readTold, rememberTold, toldOf } from './device-push.ts';

/** Browsers replace subscriptions now and then, and people change the language: the server is told of either. */
async function renew(language: string): Promise<void> {
  const told = readTold();
  if (told === null) return;
  const current = await currentSubscription();
  if (current === null) return rememberTold(null);
  const wanted = toldOf(language, current);
  if (told === wanted) return;
  const known = await callServer(readPush, {});
  if (!known.ok) return;
  // Whoever signs in anew on this device turns notifications on again.
  if (known.data.subscription === null) return rememberTold(null);
  if ((await callServer(subscribePush, current)).ok) rememberTold(wanted);
}

export default function RenewPush() {
  const token = useSession((session) => session.token);
  const language = usePreferences((preferences) => preferences.language);
  useEffect(() => {
    // Tried again when the app is opened next.
    if (token !== null) void renew(language).catch(() => undefined);
  }, [token, language]);
  return null;
}
