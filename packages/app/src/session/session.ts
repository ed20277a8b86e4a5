import { create } from 'zustand';
import { storageKeyOf } from '../storage-key-of.ts';

/** The specification sets these names in local storage. */
const TOKEN = storageKeyOf('token');
const USER = storageKeyOf('userInfo');

/** The signed-in person; each app adds further fields. */
export interface SessionUser {
  readonly id: string;
}

export interface Session {
  readonly token: string | null;
  /** The last known person, until the server's answer arrives. */
  readonly user: SessionUser | null;
  /** The server's sentence about why the session ended; shown once. */
  readonly endedBy: string | null;
  /** The customer is signing out. */
  readonly isLeaving: boolean;
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
function write(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Private windows may refuse storage; then the session lasts until the page is closed.
  }
}
function readUser(): SessionUser | null {
  try {
    return JSON.parse(read(USER) ?? 'null') as SessionUser | null;
  } catch {
    return null;
  }
}

export const useSession = create<Session>(() => ({
  token: read(TOKEN),
  user: readUser(),
  endedBy: null,
  isLeaving: false,
}));

export const isSignedIn = (): boolean => useSession.getState().token !== null;

export function beginSession(token: string, user: SessionUser): void {
  write(TOKEN, token);
  write(USER, JSON.stringify(user));
  useSession.setState({ token, user, endedBy: null, isLeaving: false });
}

export function rememberUser(user: SessionUser): void {
  if (!isSignedIn()) return;
  write(USER, JSON.stringify(user));
  useSession.setState({ user });
}

/** `message` is set if the server ended it (ret −1; empty without a reason), and null if the customer did. */
export function endSession(message: string | null = null): void {
  if (!isSignedIn()) return;
  write(TOKEN, null);
  write(USER, null);
  useSession.setState({ token: null, user: null, endedBy: message, isLeaving: false });
}

// Signing in or out in one tab applies to all tabs.
if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key === TOKEN || event.key === null)
      useSession.setState({ token: read(TOKEN), user: readUser(), endedBy: null });
  });
}
