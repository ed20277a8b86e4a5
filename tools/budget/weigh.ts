import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** One entry of Vite's build manifest. */
export interface ManifestEntry {
  readonly file: string;
  readonly name?: string;
  readonly src?: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}
export type Manifest = Readonly<Record<string, ManifestEntry>>;

export interface Weight {
  readonly name: string;
  readonly bytes: number;
  /** In bytes. A size above the aim is reported; above the limit the build fails. */
  readonly aim: number;
  readonly limit: number;
}

const KB = 1000;
export const BUDGETS = {
  firstRoute: { aim: 110 * KB, limit: 122 * KB },
  furtherRoute: { aim: 8 * KB, limit: 16 * KB },
  /**
   * The calls of deposits and withdrawals are not among the parts that every page loads. Only the pages that
   * need them load them, so their weight counts there.
   */
  fundsRoute: { aim: 8 * KB, limit: 16.5 * KB },
  forms: { aim: 5 * KB, limit: 6 * KB },
  parts: { aim: 9 * KB, limit: 12.5 * KB },
  companions: { aim: 9 * KB, limit: 10 * KB },
  overlays: { aim: 30 * KB, limit: 32 * KB },
  chart: { aim: 60 * KB, limit: 60 * KB },
  catalogue: { aim: 10 * KB, limit: 10.8 * KB },
  cataloguePart: { aim: 4 * KB, limit: 5.6 * KB },
  /** Operators use desktop computers: the whole frame at once, and each page separately. */
  console: { aim: 135 * KB, limit: 145 * KB },
  consolePage: { aim: 7 * KB, limit: 10 * KB },
  /** The books bring their own texts, which the frame has no room for. */
  consoleBooks: { aim: 7 * KB, limit: 16.5 * KB },
} as const;

const BOOKS = /\/(?:corrections|correction-pane|new-correction|journals|money-disputes|money-dispute-pane)\.tsx$/;
const FUNDS = /\/(?:qr-pay|bank-pay|deposit|deposit-details|account-details)\.tsx$/;

/** A chunk's files: its own and everything that it imports statically, scripts and styles. */
export function filesWith(
  manifest: Manifest,
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

/** Compares every budget with a build. `sizeOf` returns a file's compressed size; `screens` starts with home. */
export function weigh(
  manifest: Manifest,
  sizeOf: (file: string) => number,
  [home = '', ...screens]: readonly string[],
): Weight[] {
  const keys = Object.keys(manifest);
  const one = (pattern: RegExp): string => {
    const key = keys.find((candidate) => pattern.test(candidate));
    if (key === undefined) throw new Error(`the build has nothing like ${pattern}`);
    return key;
  };
  const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + sizeOf(file), 0);
  const without = (files: Set<string>, taken: ReadonlySet<string>) => [...files].filter((file) => !taken.has(file));

  const shell = filesWith(manifest, 'index.html');
  const first = new Set([...shell, ...filesWith(manifest, home), ...filesWith(manifest, one(/catalogue\/th\/first$/))]);
  // Only the chunk itself: what it imports is shared with other screens and counted there.
  const alone = (pattern: RegExp): string[] => {
    const { file, css = [] } = manifest[one(pattern)] as ManifestEntry;
    return [file, ...css];
  };
  const forms = new Set(alone(/^_forms-.*\.js$/));
  const parts = new Set(alone(/^_commonParts-.*\.js$/));
  // Loaded after the first paint, whichever page is opened.
  const companions = new Set(alone(/companions(-.*\.js|\.tsx)$/));
  const once = new Set([...first, ...forms, ...parts, ...companions]);

  // Only the chart panel loads the chart. What they share is loaded before and counts for the pages.
  const chart = one(/candle-chart\.tsx$/);
  const beside = keys.filter((key) => manifest[key]?.dynamicImports?.includes(chart));
  const beforeChart = new Set([...first, ...beside.flatMap((key) => [...filesWith(manifest, key)])]);

  return [
    { name: 'first route, Thai', bytes: sum(first), ...BUDGETS.firstRoute },
    { name: 'forms, once', bytes: sum(forms), ...BUDGETS.forms },
    { name: 'parts, once', bytes: sum(parts), ...BUDGETS.parts },
    { name: 'companions, once', bytes: sum(companions), ...BUDGETS.companions },
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

/** The console's frame with its first English texts, and each of its pages. */
export function weighConsole(manifest: Manifest, sizeOf: (file: string) => number): Weight[] {
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

export function gzipSize(folder: string): (file: string) => number {
  return (file) => gzipSync(readFileSync(path.join(folder, file)), { level: 9 }).length;
}
