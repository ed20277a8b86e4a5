import { create } from 'zustand';
import { createIntentKey, type IntentKey } from '../client/intent-key.ts';
import { useSession } from './session.ts';

// Texts that a customer has typed but not sent, with the idempotency keys for sending them. They stay in memory while
// the app is open, also after leaving a page or when the server ends the session. Signing out, or another customer's
// sign-in, clears them.

const useDrafts = create<Readonly<Record<string, unknown>>>(() => ({}));
const intents = new Map<string, IntentKey>();

/** Undefined while the customer is unknown; then a new session counts as another customer's. */
let owner = useSession.getState().user?.id;
useSession.subscribe(({ token, user, endedBy }, before) => {
  const hasSignedOut = token === null && before.token !== null && endedBy === null;
  const isSomebodyElse = token !== null && token !== before.token && (user === null || user.id !== owner);
  if (hasSignedOut || isSomebodyElse) {
    useDrafts.setState({}, true);
    intents.clear();
  }
  if (token !== null) owner = user?.id;
});

export interface Drafts<T> {
  use(name: string): T;
  read(name: string): T;
  change(name: string, part: Partial<T>): void;
}

/** Drafts of one kind by name; a draft that does not exist reads as `empty`. */
export function openDrafts<T extends object>(kind: string, empty: T): Drafts<T> {
  const of = (drafts: Readonly<Record<string, unknown>>, name: string) =>
    (drafts[`${kind} ${name}`] as T | undefined) ?? empty;
  return {
    use: (name) => useDrafts((drafts) => of(drafts, name)),
    read: (name) => of(useDrafts.getState(), name),
    change: (name, part) => useDrafts.setState((drafts) => ({ [`${kind} ${name}`]: { ...of(drafts, name), ...part } })),
  };
}

/** A draft's idempotency key. It stays the same when the customer leaves the page, so a retry does nothing twice. */
export function intentKeyOf(name: string): IntentKey {
  const kept = intents.get(name) ?? createIntentKey();
  intents.set(name, kept);
  return kept;
}
