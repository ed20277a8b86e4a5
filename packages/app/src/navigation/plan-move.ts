import {
  type PageMemory,
  queryOf,
  rememberPage,
  replaceQuery,
  replaceTopPage,
  stepBackInMemory,
} from './page-memory.ts';
import type { ScreenTable } from './screen-table.ts';

export type MoveKind = 'navigate' | 'redirect' | 'switchTab' | 'relaunch' | 'back';

interface MoveIntention {
  readonly kind: MoveKind;
  /** The address with its query. Unused by `back`. */
  readonly to: string;
  /** Overrides the screen table: opens the page without a session, or requires one. */
  readonly needsSession?: boolean;
}

export interface MovePlan {
  readonly address: string;
  readonly memory: PageMemory;
  /** Adds no entry to the browser's history. */
  readonly replaces: boolean;
}

/** Decides where a move leads and what is remembered. It is pure and the same for every kind and caller. */
export function planMove(
  table: ScreenTable,
  intention: MoveIntention,
  memory: PageMemory,
  isSignedIn: boolean,
): MovePlan {
  const { home } = table;
  const isTab = (address: string): boolean => table.screenOf(address)?.bar === 'tab';
  if (intention.kind === 'back') {
    // A signed-in customer is not taken back to a sign-in page.
    const step = stepBackInMemory(
      isSignedIn ? memory.filter((page, place) => place === memory.length - 1 || !table.isSignIn(page)) : memory,
    );
    if (!step) return { address: home, memory: [home], replaces: true };
    // After signing out, pages that need a session are not shown again.
    if (needsSession(table, step.address) && !isSignedIn) return { address: home, memory: [home], replaces: true };
    return { address: step.address, memory: step.memory, replaces: true };
  }

  const { to } = intention;
  if (needsSession(table, to, intention.needsSession) && !isSignedIn) {
    const login = replaceQuery(table.login, { from: to });
    const opens = intention.kind === 'redirect' || intention.kind === 'relaunch';
    return {
      address: login,
      memory: opens ? replaceTopPage(memory, login) : rememberPage(memory, login),
      replaces: opens,
    };
  }

  if (intention.kind === 'relaunch') return { address: to, memory: [to], replaces: true };
  if (intention.kind === 'redirect') return { address: to, memory: replaceTopPage(memory, to), replaces: true };
  // Opening a tab in any way switches to it: pages above it are closed, other tabs stay below it.
  if (intention.kind === 'switchTab' || isTab(to)) {
    return { address: to, memory: rememberPage(memory.filter(isTab), to), replaces: false };
  }
  return { address: to, memory: rememberPage(memory, to), replaces: false };
}

export function needsSession(table: ScreenTable, address: string, callerSays?: boolean): boolean {
  return callerSays ?? table.screenOf(address)?.access === 'customer';
}

/** Returns the page to open after signing in: the page that required it, if it is one of ours. */
export function addressAfterLogin({ home, login, screenOf }: ScreenTable, address: string): string {
  const from = queryOf(address).get('from');
  return from?.startsWith('/') && screenOf(from) && screenOf(from)?.path !== login ? from : home;
}
