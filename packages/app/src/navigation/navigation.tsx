import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from 'react';
import { isSignedIn } from '../session/session.ts';
import { addressInHash, openAddress, useHashAddress } from './hash-location.ts';
import { followBrowserMove, type PageMemory, parsePageMemory, queryOf, replaceQuery } from './page-memory.ts';
import { type MoveKind, planMove } from './plan-move.ts';
import type { ScreenTable } from './screen-table.ts';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;
interface Options {
  /** Overrides the screen table: whether this page needs a session. */
  needsSession?: boolean;
}

export interface Navigation {
  readonly table: ScreenTable;
  /** Opens a page on top of this one. */
  navigate(path: string, query?: Query, options?: Options): void;
  /** Opens a page in place of this one. */
  redirect(path: string, query?: Query, options?: Options): void;
  /** Goes to one of the five tabs. */
  switchTab(path: string, options?: Options): void;
  /** Clears the memory and starts from this page. */
  relaunch(path: string, query?: Query): void;
  /** Returns to the last remembered page, or to home if there is none. */
  back(): void;
  /** The current page with its query. */
  readonly address: string;
  readonly query: URLSearchParams;
  /** The scroll position at which the customer left the page; 0 for a newly opened page. */
  readonly place: number;
}

/** Called before every navigation; returning `false` cancels it. */
type NavigationHook = (intention: { kind: MoveKind; to: string; from: string }) => boolean | undefined;
let hook: NavigationHook | null = null;
export function interceptNavigation(next: NavigationHook | null): void {
  hook = next;
}

const STORED_AS = 'pages';
function readMemory(): PageMemory {
  try {
    return parsePageMemory(localStorage.getItem(STORED_AS));
  } catch {
    return [];
  }
}
function writeMemory(memory: PageMemory): void {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(memory));
  } catch {
    // Without storage the memory lasts until the page is closed.
  }
}

const NavigationContext = createContext<Navigation | null>(null);

export function useNavigation(): Navigation {
  const navigation = use(NavigationContext);
  if (!navigation) throw new Error('useNavigation needs a NavigationProvider above it');
  return navigation;
}

/** The specification's navigation by hash: memory of ten pages, five kinds of moves, redirect to sign-in, hooks. */
export function NavigationProvider({ table, children }: { table: ScreenTable; children: ReactNode }) {
  const { home, screenOf } = table;
  const inHash = useHashAddress();
  const address = inHash === '/' || inHash.startsWith('/?') ? `${home}${inHash.slice(1)}` : inHash;
  const memory = useRef<PageMemory>(null);
  memory.current ??= readMemory();
  const places = useRef(new Map<string, number>());
  const isBack = useRef(false);

  // This also follows the browser's own buttons and typed addresses.
  useEffect(() => {
    if (!screenOf(address)) return;
    memory.current = followBrowserMove(memory.current ?? [], address);
    writeMemory(memory.current);
  }, [address, screenOf]);

  const navigation = useMemo<Navigation>(() => {
    const go = (kind: MoveKind, to: string, options: Options = {}) => {
      // The customer has left the page that requested this move while it waited for an answer, so the current page must
      // stay.
      if (screenOf(addressInHash(location.hash)) !== screenOf(address)) return;
      if (hook?.({ kind, to, from: address }) === false) return;
      isBack.current = kind === 'back';
      if (kind !== 'back') places.current.set(address, scrollY);
      const planned = planMove(table, { kind, to, ...options }, memory.current ?? [], isSignedIn());
      memory.current = planned.memory;
      writeMemory(planned.memory);
      openAddress(planned.address, { replaces: planned.replaces, isReturn: kind === 'back' });
    };
    const pages = memory.current ?? [];
    // A move that is not in the memory yet was made with the browser's own buttons.
    const isReturn = pages.at(-1) === address ? isBack.current : pages.at(-2) === address;
    return {
      table,
      navigate: (path, query, options) => go('navigate', replaceQuery(path, query), options),
      redirect: (path, query, options) => go('redirect', replaceQuery(path, query), options),
      switchTab: (path, options) => go('switchTab', path, options),
      relaunch: (path, query) => go('relaunch', replaceQuery(path, query)),
      back: () => go('back', ''),
      address,
      query: queryOf(address),
      place: isReturn ? (places.current.get(address) ?? 0) : 0,
    };
  }, [table, screenOf, address]);

  return <NavigationContext value={navigation}>{children}</NavigationContext>;
}
