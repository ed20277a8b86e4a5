import type { MessageKey } from '@sathorn/text';

export interface Screen {
  /** The hash path, exactly as in the specification. */
  readonly path: `/pages/${string}`;
  /** Other paths of the same screen. */
  readonly also?: readonly string[];
  /** `customer`: a visitor without a session must sign in and returns afterwards. */
  readonly access: 'anyone' | 'customer';
  /**
   * `tab`: tab bar and its own header. `title`: the standard bar with back button and title. `own`: the screen draws
   * its own bar.
   */
  readonly bar: 'tab' | 'title' | 'own';
  readonly title: MessageKey;
}

/** An app's hash paths. Plain data, because the build and the documentation read it without loading screens. */
export interface ScreenTable {
  readonly home: Screen['path'];
  readonly login: Screen['path'];
  readonly tabs: readonly Screen[];
  /** The screen of an address, ignoring its query; undefined if the app has no such page. */
  screenOf(address: string): Screen | undefined;
  /** True for a page on which a visitor signs in or registers. */
  isSignIn(address: string): boolean;
}

export function createScreenTable(
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

/** The file that a screen's loader imports, relative to the app's `src/`. A loader must consist of one import. */
export function screenFile(load: () => Promise<unknown>): string {
  return /import\(['"]\.\/([^'"]+)['"]\)/.exec(String(load))?.[1] ?? '';
}
