import { readPush, subscribePush } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { usePreferences } from '@sathorn/app/preferences';
import { useSession } from '@sathorn/app/session';
import { useEffect } from 'react';
import {
  currentSubscription,
  readReportedSubscription,
  rememberReportedSubscription,
  reportedSubscriptionOf,
} from './device-push.ts';

/** Tells the server about a new subscription, which browsers create now and then, and a changed language. */
async function renew(language: string): Promise<void> {
  const told = readReportedSubscription();
  if (told === null) return;
  const current = await currentSubscription();
  if (current === null) return rememberReportedSubscription(null);
  const wanted = reportedSubscriptionOf(language, current);
  if (told === wanted) return;
  const known = await callServer(readPush, {});
  if (!known.ok) return;
  // After a new sign-in on this device, the customer must turn notifications on again.
  if (known.data.subscription === null) return rememberReportedSubscription(null);
  if ((await callServer(subscribePush, current)).ok) rememberReportedSubscription(wanted);
}

export default function RenewPush() {
  const token = useSession((session) => session.token);
  const language = usePreferences((preferences) => preferences.language);
  useEffect(() => {
    // If it fails, the next start of the app tries again.
    if (token !== null) void renew(language).catch(() => undefined);
  }, [token, language]);
  return null;
}
