import { type Memory, queryOf, remember, replaceTop, stepBack, withQuery } from './memory.ts';
import type { ScreenTable } from './screen-table.ts';

export type Kind = 'navigate' | 'redirect' | 'switchTab' | 'relaunch' | 'back';

export interface Intention {
  readonly kind: Kind;
  /** With its query. Unused by `back`. */
  readonly to: string;
  /** The caller says otherwise than the table of screens: opens it without a session, or demands one. */
  readonly needsSession?: boolean;
}

export interface Plan {
  readonly address: string;
  readonly memory: Memory;
  /** The browser's history gets no new entry. */
  readonly replaces: boolean;
}

/** Decides where an intention leads and what is remembered then. Pure: the same for every kind and caller. */
export function plan(table: ScreenTable, intention: Intention, memory: Memory, isSignedIn: boolean): Plan {
  const { home } = table;
  const isTab = (address: string): boolean => table.screenOf(address)?.bar === 'tab';
  if (intention.kind === 'back') {
    // Whoever has signed in since is not led back to signing in.
    const step = stepBack(
      isSignedIn ? memory.filter((page, place) => place === memory.length - 1 || !table.isSignIn(page)) : memory,
    );
    if (!step) return { address: home, memory: [home], replaces: true };
    // A page that was left on signing out is not shown again without a session.
    if (needsSession(table, step.address) && !isSignedIn) return { address: home, memory: [home], replaces: true };
    return { address: step.address, memory: step.memory, replaces: true };
  }

  const { to } = intention;
  if (needsSession(table, to, intention.needsSession) && !isSignedIn) {
    const login = withQuery(table.login, { from: to });
    const opens = intention.kind === 'redirect' || intention.kind === 'relaunch';
    return { address: login, memory: opens ? replaceTop(memory, login) : remember(memory, login), replaces: opens };
  }

  if (intention.kind === 'relaunch') return { address: to, memory: [to], replaces: true };
  if (intention.kind === 'redirect') return { address: to, memory: replaceTop(memory, to), replaces: true };
  // Opening a tab by any kind of intention switches to it: pages above it are closed, other tabs stay under it.
  if (intention.kind === 'switchTab' || isTab(to)) {
    return { address: to, memory: remember(memory.filter(isTab), to), replaces: false };
  }
  return { address: to, memory: remember(memory, to), replaces: false };
}

export function needsSession(table: ScreenTable, address: string, callerSays?: boolean): boolean {
  return callerSays ?? table.screenOf(address)?.access === 'customer';
}

/** Where to go after signing in: the page that asked for it, if it is one of ours. */
export function afterLogin({ home, login, screenOf }: ScreenTable, address: string): string {
  const from = queryOf(address).get('from');
  return from?.startsWith('/') && screenOf(from) && screenOf(from)?.path !== login ? from : home;
}
