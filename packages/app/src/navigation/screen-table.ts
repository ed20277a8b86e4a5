import type { MessageKey } from '@sathorn/text';

export interface Screen {
  /** The hash path, exactly as the specification spells it. */
  readonly path: `/pages/${string}`;
  /** Other paths of the same screen. */
  readonly also?: readonly string[];
  /** `customer`: without a session the visitor is sent to sign in, and comes back. */
  readonly access: 'anyone' | 'customer';
  /** `tab`: tab bar, own head. `title`: our bar with back and the title. `own`: draws its own bar. */
  readonly bar: 'tab' | 'title' | 'own';
  readonly title: MessageKey;
  /** Not in the specification's list: ours. */
  readonly addition?: true;
  /** Nothing links to it yet. */
  readonly coming?: true;
}

/** An app's hash paths. Plain data: the build and the documents read it as well, without any screen's code. */
export interface ScreenTable {
  readonly home: Screen['path'];
  readonly login: Screen['path'];
  readonly tabs: readonly Screen[];
  /** The screen of an address, ignoring its query; undefined when the address is not ours. */
  screenOf(address: string): Screen | undefined;
  /** One of the pages by which a visitor gets a session. */
  isSignIn(address: string): boolean;
}

export function screenTable(
  screens: readonly Screen[],
  { home, login, signIn }: Pick<ScreenTable, 'home' | 'login'> & { signIn: string },
): ScreenTable {
  const byPath = new Map<string, Screen>(
    screens.flatMap((screen) => [screen.path, ...(screen.also ?? [])].map((path) => [path, screen] as const)),
  );
  const screenOf = (address: string) => byPath.get(address.split('?')[0] ?? '');
  return {
    home,
    login,
    tabs: screens.filter((screen) => screen.bar === 'tab'),
    screenOf,
    isSignIn: (address) => screenOf(address)?.path.startsWith(signIn) ?? false,
  };
}

/** The file that a screen's loader imports, from the app's `src/`: a loader is nothing but one import. */
export function screenFile(load: () => Promise<unknown>): string {
  return /import\(['"]\.\/([^'"]+)['"]\)/.exec(String(load))?.[1] ?? '';
}
