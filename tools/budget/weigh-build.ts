import { statSync } from 'node:fs';
import path from 'node:path';

/** One entry of Vite's build manifest. */
interface ManifestEntry {
  readonly file: string;
  readonly name?: string;
  readonly src?: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}
export type BuildManifest = Readonly<Record<string, ManifestEntry>>;

interface BudgetWeight {
  readonly name: string;
  readonly bytes: number;
  /** In bytes. A size above the aim is reported; above the limit the build fails. */
  readonly aim: number;
  readonly limit: number;
}

const KB = 1000;
const BUDGETS = {
  firstRoute: { aim: 100 * KB, limit: 109.75 * KB },
  furtherRoute: { aim: 8 * KB, limit: 16.75 * KB },
  /**
   * The parts that every page loads exclude the calls of deposits and withdrawals. Only the pages that need these calls
   * load them, so their weight counts there.
   */
  fundsRoute: { aim: 8 * KB, limit: 16.5 * KB },
  forms: { aim: 5 * KB, limit: 6 * KB },
  parts: { aim: 9 * KB, limit: 12.5 * KB },
  companions: { aim: 10 * KB, limit: 12 * KB },
  orders: { aim: 3 * KB, limit: 4 * KB },
  money: { aim: 5 * KB, limit: 6 * KB },
  overlays: { aim: 30 * KB, limit: 32 * KB },
  chart: { aim: 60 * KB, limit: 60 * KB },
  catalogue: { aim: 10 * KB, limit: 10.8 * KB },
  cataloguePart: { aim: 4 * KB, limit: 6 * KB },
  /** Operators use desktop computers. The limits are for the whole frame at once, and for each page separately. */
  console: { aim: 135 * KB, limit: 145 * KB },
  consolePage: { aim: 7 * KB, limit: 10 * KB },
  /** These pages bring their own texts, for which the frame has no room, or compute what people sign. */
  consoleBooks: { aim: 7 * KB, limit: 18.5 * KB },
} as const;

const BOOKS =
  /\/(?:corrections|correction-pane|new-correction|journals|money-disputes|money-dispute-pane|treasury|bank-runs)\.tsx$/;
const FUNDS = /\/(?:qr-pay|bank-pay|deposit|deposit-details|account-details)\.tsx$/;

/** Returns a chunk's files: its own and everything that it imports statically, scripts and styles. */
export function filesWith(
  manifest: BuildManifest,
  key: string,
  found = new Set<string>(),
  seen = new Set<string>(),
): Set<string> {
  const entry = manifest[key];
  if (!entry || seen.has(key)) return found;
  seen.add(key);
  found.add(entry.file);
  for (const css of entry.css ?? []) found.add(css);
  for (const imported of entry.imports ?? []) filesWith(manifest, imported, found, seen);
  return found;
}

/** Compares every budget with a build. `totalBytesOf` returns a file's compressed size; `screens` starts with home. */
export function weighBuild(
  manifest: BuildManifest,
  sizeOf: (file: string) => number,
  // Leaves out home, which is part of the shell.
  [, ...screens]: readonly string[],
): BudgetWeight[] {
  const keys = Object.keys(manifest);
  const one = (pattern: RegExp): string => {
    const key = keys.find((candidate) => pattern.test(candidate));
    if (key === undefined) throw new Error(`the build has nothing like ${pattern}`);
    return key;
  };
  const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + sizeOf(file), 0);
  const without = (files: Set<string>, taken: ReadonlySet<string>) => [...files].filter((file) => !taken.has(file));

  const first = new Set(
    [one(/^_shell-.*\.js$/), one(/catalogue\/th\/first$/)].flatMap((key) => [...filesWith(manifest, key)]),
  );
  // Only the chunk itself counts. Its imports are shared with other screens and counted there.
  const alone = (pattern: RegExp): string[] => {
    const { file, css = [] } = manifest[one(pattern)] as ManifestEntry;
    return [file, ...css];
  };
  const forms = new Set(alone(/^_forms-.*\.js$/));
  const parts = new Set(alone(/^_commonParts-.*\.js$/));
  // Loaded after any page has settled.
  const companions = new Set(alone(/companions(-.*\.js|\.tsx)$/));
  const orders = new Set(alone(/^_orders-.*\.js$/));
  const money = new Set(alone(/^_money-.*\.js$/));
  const once = new Set([...first, ...forms, ...parts, ...companions, ...orders, ...money]);

  // Only the chart panel loads the chart. Files that both share are loaded before and count for the pages.
  const chart = one(/candle-chart\.tsx$/);
  const beside = keys.filter((key) => manifest[key]?.dynamicImports?.includes(chart));
  const beforeChart = new Set([...first, ...beside.flatMap((key) => [...filesWith(manifest, key)])]);

  return [
    { name: 'first route, Thai', bytes: sum(first), ...BUDGETS.firstRoute },
    { name: 'forms, once', bytes: sum(forms), ...BUDGETS.forms },
    { name: 'parts, once', bytes: sum(parts), ...BUDGETS.parts },
    { name: 'companions, once', bytes: sum(companions), ...BUDGETS.companions },
    { name: 'orders, once', bytes: sum(orders), ...BUDGETS.orders },
    { name: 'money, once', bytes: sum(money), ...BUDGETS.money },
    ...screens.map((key) => ({
      name: `route ${path.basename(key, '.tsx')}`,
      bytes: sum(without(filesWith(manifest, key), once)),
      ...(FUNDS.test(key) ? BUDGETS.fundsRoute : BUDGETS.furtherRoute),
    })),
    ...keys
      .filter((key) => /overlay\/(sheet|confirm)-panel\.tsx$/.test(key))
      .map((key) => ({
        name: `overlay ${path.basename(key, '.tsx')}`,
        bytes: sum(without(filesWith(manifest, key), first)),
        ...BUDGETS.overlays,
      })),
    { name: 'chart', bytes: sum(without(filesWith(manifest, chart), beforeChart)), ...BUDGETS.chart },
    ...keys
      .filter((key) => /catalogue\/[a-z]{2}\/first$/.test(key))
      .map((key) => ({
        name: `catalogue ${key.slice(-8, -6)}, both parts`,
        bytes: sum(filesWith(manifest, key)) + sum(filesWith(manifest, key.replace(/first$/, 'rest'))),
        ...BUDGETS.catalogue,
      })),
    ...keys
      .filter((key) => /catalogue\/[a-z]{2}\/(?!first$|rest$)/.test(key))
      .map((key) => ({
        name: `catalogue ${key.replace(/^.*catalogue\//, '').replace('/', ', ')}`,
        bytes: sum(filesWith(manifest, key)),
        ...BUDGETS.cataloguePart,
      })),
  ];
}

const PANELS = ['overlay/sheet-panel.tsx', 'overlay/confirm-panel.tsx'];
/** A first visit loads these files besides chunks: the page itself, and the files of the installed app. */
const BESIDES = ['index.html', 'first-paint.js', 'icon.svg', 'manifest.webmanifest', 'sw.js'];
/** The chunks of every page, by the name of a group or the end of a source's path. */
const EVERY_PAGE = ['shell', 'companions', 'workbox-window', 'catalogue/th/first', 'catalogue/th/rest'];

/**
 * The files that a signed-in customer's browser loads by itself on a first visit of a page: the page's chunk, and the
 * parts that it requests without any press. Not counted are an open notice, an incident, parts loaded after a press,
 * and about a dozen calls. Limits are in bytes as the server sends them, and in files.
 */
export const FIRST_VISITS = {
  home: { loads: [], bytes: 144.75 * KB, files: 16 },
  option: {
    loads: [
      ...['src/options/option-trade.tsx', 'src/parts/orders/chain-ticks.ts'],
      ...['offer', 'purchase', 'proofKeys', ...PANELS],
    ],
    bytes: 239 * KB,
    files: 43,
  },
  contracts: {
    loads: [
      ...['contracts', 'desk-parts', 'below-ticket', 'confirm-order'].map((name) => `src/contracts/${name}.tsx`),
      ...['offer', 'catalogue/th/contracts', ...PANELS],
    ],
    bytes: 219.75 * KB,
    files: 41,
  },
  'sign-in': { loads: ['sign-in/sign-in.tsx'], bytes: 166.5 * KB, files: 27 },
  mine: { loads: ['account/account.tsx'], bytes: 167.25 * KB, files: 25 },
  'coin list': { loads: ['coins/coin-list.tsx'], bytes: 159 * KB, files: 22 },
} as const;

interface VisitWeight {
  readonly name: string;
  readonly bytes: number;
  readonly bytesMax: number;
  readonly files: number;
  readonly filesMax: number;
}

/** Returns all transfers of each page's first visit, by `FIRST_VISITS`; `totalBytesOf` is the size as sent. */
export function weighVisits(manifest: BuildManifest, sizeOf: (file: string) => number): VisitWeight[] {
  const filesOf = (name: string): string[] => {
    const key = Object.keys(manifest).find(
      (candidate) => (candidate.startsWith(`_${name}-`) && candidate.endsWith('.js')) || candidate.endsWith(name),
    );
    const found = key ?? Object.keys(manifest).find((candidate) => manifest[candidate]?.name?.startsWith(name));
    if (found === undefined) throw new Error(`the build has nothing like ${name}`);
    return [...filesWith(manifest, found)];
  };
  return Object.entries(FIRST_VISITS).map(([name, { loads, bytes, files }]) => {
    const loaded = new Set([...BESIDES, ...[...EVERY_PAGE, ...loads].flatMap(filesOf)]);
    const sum = [...loaded].reduce((total, file) => total + sizeOf(file), 0);
    return { name: `first visit of ${name}`, bytes: sum, bytesMax: bytes, files: loaded.size, filesMax: files };
  });
}

/** Weighs the console's frame with its first English texts, and each of its pages. */
export function weighConsole(manifest: BuildManifest, sizeOf: (file: string) => number): BudgetWeight[] {
  const keys = Object.keys(manifest);
  const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + sizeOf(file), 0);
  // The entry and its styles are part of the shell's chunk.
  const frame = keys
    .filter((key) => /^_shell-.*\.(?:js|css)$/.test(key))
    .flatMap((key) => [...filesWith(manifest, key)]);
  const english = keys.find((key) => /catalogue\/en\/first$/.test(key)) ?? '';
  const first = new Set([...frame, ...filesWith(manifest, english)]);
  return [
    { name: 'console, English', bytes: sum(first), ...BUDGETS.console },
    ...keys
      .filter((key) => /^src\/pages\/.*\.tsx$/.test(key))
      .map((key) => ({
        name: `console ${path.basename(key, '.tsx')}`,
        bytes: sum([...filesWith(manifest, key)].filter((file) => !first.has(file))),
        ...(BOOKS.test(key) ? BUDGETS.consoleBooks : BUDGETS.consolePage),
      })),
  ];
}

/** Returns a file's size as the server sends it: the build has compressed all but the small files. */
export function sentSize(folder: string): (file: string) => number {
  const sizeOf = (file: string) => statSync(path.join(folder, file), { throwIfNoEntry: false })?.size;
  return (file) => sizeOf(`${file}.br`) ?? sizeOf(file) ?? 0;
}
