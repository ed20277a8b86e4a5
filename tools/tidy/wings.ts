import path from 'node:path';

const SRC = 'apps/server/src/';

/** The server's wings, from the lowest floor up. Wings on one floor must not import each other. */
const FLOORS: readonly (readonly string[])[] = [
  ['platform'],
  ['ledger'],
  ['people'],
  ['staff'],
  ['exchange', 'money', 'earning'],
  ['checker', 'demo'],
  ['service'],
  ['process'],
];
/** A wing that consists of one module. */
const ROOM_WINGS = new Set(['ledger']);
/** Tests of the whole server and their harness. */
const WHOLE = 'whole';

/** Allowed imports from a higher floor, each with its reason. */
const MEANT = new Set([
  // An administrator starts this program directly, like `main.ts`, so it reads the same configuration.
  'staff/operators/create-operator.ts process/config.ts',
]);

/** Returns a path below the server's `src`; null for other files. */
const withinServer = (file: string): string | null => (file.startsWith(SRC) ? file.slice(SRC.length) : null);

/** Returns the file's path from its wing, such as `operators/audit.ts`; null for files outside the modules. */
export function pathFromWing(file: string): string | null {
  const [wing = '', ...rest] = withinServer(file)?.split('/') ?? [];
  if (ROOM_WINGS.has(wing)) return [wing, ...rest].join('/');
  return rest.length > 1 ? rest.join('/') : null;
}

/** Returns the server's module that contains a file; null for files beside the modules of their wing. */
export const moduleFolderOf = (file: string): string | null => pathFromWing(file)?.split('/')[0] ?? null;

/** Returns why a file is in the wrong place, or null. */
export function whyMisplaced(file: string): string | null {
  const inside = withinServer(file);
  if (inside === null || !inside.endsWith('.ts') || inside === 'main.ts') return null;
  const wing = inside.split('/')[0] ?? '';
  return wing === WHOLE || FLOORS.some((wings) => wings.includes(wing)) ? null : 'stands in no wing of the server';
}

const floorOf = (wing: string): number => FLOORS.findIndex((wings) => wings.includes(wing));

/** Returns why a file of one wing may not import a file of another, or null. */
export function whyWingRefused(from: string, target: string): string | null {
  const [here, there] = [withinServer(from), withinServer(target)];
  if (here === null || there === null || here === 'main.ts' || MEANT.has(`${here} ${there}`)) return null;
  const [wing = '', other = ''] = [here.split('/')[0], there.split('/')[0]];
  if (wing === other) return null;
  const specifier = path.posix.relative(path.posix.dirname(here), there);
  if (there === 'main.ts' || other === WHOLE || floorOf(wing) < floorOf(other))
    return `the wing ${wing} imports from above itself: ${specifier}`;
  return floorOf(wing) === floorOf(other)
    ? `the wing ${wing} imports ${other}, which stands beside it: ${specifier}`
    : null;
}
