import { create } from 'zustand';
import { createIntentKey, type IntentKey } from '../client/intent-key.ts';
import { useSession } from './session.ts';

// What a customer has typed and not sent, and the keys that it is sent with. In memory only, as long as the app is
// open: a page that is left and opened again, or a session that the server ended, loses nothing; who signs out, or
// somebody else, finds nothing.

const useDrafts = create<Readonly<Record<string, unknown>>>(() => ({}));
const intents = new Map<string, IntentKey>();

/** Undefined while nobody knows who it is: then a new session counts as somebody else's. */
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

/** Drafts of one kind, by name; one that nobody has begun is `empty`. */
export function draftsOf<T extends object>(kind: string, empty: T): Drafts<T> {
  const of = (drafts: Readonly<Record<string, unknown>>, name: string) =>
    (drafts[`${kind} ${name}`] as T | undefined) ?? empty;
  return {
    use: (name) => useDrafts((drafts) => of(drafts, name)),
    read: (name) => of(useDrafts.getState(), name),
    change: (name, part) => useDrafts.setState((drafts) => ({ [`${kind} ${name}`]: { ...of(drafts, name), ...part } })),
  };
}

/** The key of what is being typed there: the same after the page was left, so that trying again does nothing twice. */
export function intentOf(name: string): IntentKey {
  const kept = intents.get(name) ?? createIntentKey();
  intents.set(name, kept);
  return kept;
}
