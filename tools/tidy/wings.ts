import path from 'node:path';

const SRC = 'apps/server/src/';

/** The server's wings, from the lowest floor up. Wings on one floor stand side by side and do not know each other. */
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
/** A wing that is one room. */
const ROOM_WINGS = new Set(['ledger']);
/** Tests of the whole server and their harness. */
const WHOLE = 'whole';

/** Imports that point upwards, each with its reason. */
const MEANT = new Set([
  // An administrator starts this program as `main.ts` is started, so it reads the same configuration.
  'staff/operators/create-operator.ts process/config.ts',
]);

/** A path below the server's `src`; null for other files. */
const withinServer = (file: string): string | null => (file.startsWith(SRC) ? file.slice(SRC.length) : null);

/** The file's path from its wing, such as `operators/audit.ts`; null for files outside the rooms. */
export function pathFromWing(file: string): string | null {
  const [wing = '', ...rest] = withinServer(file)?.split('/') ?? [];
  if (ROOM_WINGS.has(wing)) return [wing, ...rest].join('/');
  return rest.length > 1 ? rest.join('/') : null;
}

/** The server's room that contains a file; null for files that stand beside the rooms of their wing. */
export const roomOf = (file: string): string | null => pathFromWing(file)?.split('/')[0] ?? null;

/** Says why a file's place is no place for it; null if it is one. */
export function misplaced(file: string): string | null {
  const inside = withinServer(file);
  if (inside === null || !inside.endsWith('.ts') || inside === 'main.ts') return null;
  const wing = inside.split('/')[0] ?? '';
  return wing === WHOLE || FLOORS.some((wings) => wings.includes(wing)) ? null : 'stands in no wing of the server';
}

const floorOf = (wing: string): number => FLOORS.findIndex((wings) => wings.includes(wing));

/** Says why a file of one wing may not import a file of another; null if it may. */
export function refusesWing(from: string, target: string): string | null {
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
