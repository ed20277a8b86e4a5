import path from 'node:path';
import { type SourceTree, type TidyFault, workspaceOf } from './tree.ts';
import { moduleFolderOf, pathFromWing, whyMisplaced, whyWingRefused } from './wings.ts';

/** The dependency rule: which of our packages each workspace may import. */
export const DEPENDENCY_RULE: Readonly<Record<string, readonly string[]>> = {
  'packages/money': [],
  'packages/matching': ['money'],
  'packages/settlement': ['money'],
  'packages/proof': ['money'],
  'packages/identity': [],
  'packages/transparency': ['proof'],
  'packages/ccxt': ['proof'],
  'packages/treasury': ['proof', 'settlement'],
  // Lists that a decision and a call share belong to the decision.
  'packages/api': ['money', 'identity', 'settlement'],
  'packages/text': ['api'],
  'packages/brand': ['api', 'text'],
  'packages/ui': ['money', 'identity', 'text'],
  'packages/app': ['api', 'text', 'ui'],
  // The apps use settlement for estimates only, because the server decides.
  'apps/web': ['api', 'text', 'ui', 'app', 'brand', 'money', 'proof', 'settlement', 'identity', 'transparency'],
  'apps/console': ['api', 'text', 'ui', 'app', 'brand', 'money', 'proof', 'settlement', 'identity', 'treasury'],
  'apps/server': [
    'api',
    'text',
    'brand',
    'money',
    'proof',
    'settlement',
    'matching',
    'identity',
    'transparency',
    'treasury',
    // Tests trade with it as a customer's program does.
    'ccxt',
  ],
  tools: ['api', 'app', 'text', 'money', 'proof', 'settlement', 'matching', 'server', 'transparency'],
};

/**
 * Other modules import a server module through its `index.ts`. The exceptions are files that every handler, a small
 * process, or only tests need.
 */
const SIDE_DOORS = new Set([
  'edge/handle.ts',
  'edge/sessions.ts',
  // The log's small process loads only this file.
  'log/run-log.ts',
  'edge/topic-source.ts',
  // The watcher's small process loads only these files.
  'customers/freeze-store.ts',
  'deposits/watch-deposits.ts',
  'messages/send-notices.ts',
  // So do the watcher's, the signer's and the start's.
  'treasury/declare-treasury.ts',
  'treasury/demo-owner.ts',
  'treasury/official-contracts.ts',
  'treasury/read-safe.ts',
  'treasury/treasury-contracts.ts',
  'treasury/treasury-state.ts',
  'operators/audit.ts',
  'bus/testing.ts',
  'customers/api-keys/testing-api-key.ts',
  'customers/device-keys/testing-device.ts',
  'customers/second-factor/testing-passkey.ts',
  'customers/testing-customers.ts',
  'database/testing.ts',
  'edge/testing.ts',
  'edge/testing-document.ts',
  'ledger/testing.ts',
  'market/testing.ts',
  'operators/testing-operators.ts',
  'options/testing.ts',
  'withdrawals/testing-withdrawals.ts',
]);

/**
 * Folders that all subjects of an app may import. Every other folder in `src/` is a subject: only files outside all
 * subjects may import it.
 */
const SHARED_AREAS = new Set(['parts', 'shell']);

const ENGINES = /^packages\/(money|matching|settlement|proof|transparency|identity)\/src\/(?!.*\.test\.ts$)/;
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(?:([\w*{}\s,$]+?)\s+from\s+)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g;
const OPENER = /\/open-[a-z-]+\.ts$/;

export interface ImportStatement {
  readonly from: string;
  readonly specifier: string;
  /** The path of the imported file; null unless the import is relative. */
  readonly target: string | null;
  /** True if it imports or exports at least one type. */
  readonly takesTypes: boolean;
}

export function importsOf(file: string, text: string): ImportStatement[] {
  const imports: ImportStatement[] = [];
  for (const match of text.matchAll(IMPORT)) {
    const specifier = (match[2] ?? match[3] ?? '').replace(/\?.*$/, '');
    if (!specifier) continue;
    imports.push({
      from: file,
      specifier,
      target: specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : null,
      takesTypes: /\btype\s/.test(match[1] ?? ''),
    });
  }
  return imports;
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

interface Manifest {
  name?: string;
  exports?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

function readManifest(tree: SourceTree, workspace: string): Manifest {
  const text = tree.get(workspace ? `${workspace}/package.json` : 'package.json');
  return text ? (JSON.parse(text) as Manifest) : {};
}

/** Returns the folder directly under `src/` that contains an app's file; null for files outside all subjects. */
const areaOf = (file: string): string | null => /^apps\/(?!server\/)\w+\/src\/([^/]+)\//.exec(file)?.[1] ?? null;

const isTest = (file: string): boolean =>
  /\.test\.tsx?$|\/testing[-.]|\/e2e\/|\.spec\.ts$|(^|\/)(vite|vitest|playwright)\.config\.ts$/.test(file);

function checkRelative({ from, target, specifier, takesTypes }: ImportStatement, tree: SourceTree): string | null {
  if (target === null) return null;
  if (!/\.(css|json|svg|ts|tsx|mjs)$/.test(target)) return `imports ${specifier} without its extension`;
  if (/\.(ts|tsx)$/.test(target) && !tree.has(target)) return `imports ${specifier}, which does not exist`;
  if (workspaceOf(from) !== workspaceOf(target))
    return `reaches into ${workspaceOf(target) ?? target} by a path; import the package`;
  const [here, there] = [moduleFolderOf(from), moduleFolderOf(target)];
  if (there && here !== there) {
    const door = pathFromWing(target) ?? '';
    if (door !== `${there}/index.ts` && !SIDE_DOORS.has(door)) return `reaches past the door of ${there}: ${specifier}`;
  }
  // A module's opener imports its handlers, so a handler that imports a type from the opener would make a cycle.
  if (takesTypes && here && OPENER.test(target))
    return `takes a type from ${specifier}; a module's types are in the file of its name`;
  const [subject, other] = [areaOf(from), areaOf(target)];
  if (subject && other && subject !== other && !SHARED_AREAS.has(other))
    return SHARED_AREAS.has(subject)
      ? `${subject} is there for every subject and imports one: ${specifier}`
      : `the subject ${subject} imports another: ${specifier}`;
  return null;
}

function checkPackage({ from, specifier }: ImportStatement, tree: SourceTree): string | null {
  if (specifier.startsWith('node:') || specifier.startsWith('virtual:') || specifier.startsWith('#')) return null;
  const workspace = workspaceOf(from);
  if (!workspace) return null;
  const manifest = readManifest(tree, workspace);
  const name = packageOf(specifier);
  if (name === manifest.name) return `imports its own package by name: ${specifier}`;
  if (name.startsWith('@sathorn/')) {
    const short = name.slice('@sathorn/'.length);
    if (!DEPENDENCY_RULE[workspace]?.includes(short)) return `${workspace} may not import ${short}`;
    const at = ['packages', 'apps']
      .map((top) => `${top}/${short}`)
      .find((folder) => tree.has(`${folder}/package.json`));
    const doors = Object.keys((at && readManifest(tree, at).exports) || {});
    const door = specifier === name ? '.' : `.${specifier.slice(name.length)}`;
    if (!doors.some((known) => known === door || (known.endsWith('/*') && door.startsWith(known.slice(0, -1)))))
      return `reaches past the door of ${short}: ${specifier}`;
  }
  const declared = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  const root = readManifest(tree, '');
  if (!(name in declared) && !((workspace === 'tools' || isTest(from)) && name in { ...root.devDependencies }))
    return `imports ${name}, which ${workspace}/package.json does not declare`;
  return null;
}

function checkEngine({ from, specifier }: ImportStatement): string | null {
  return ENGINES.test(from) && specifier.startsWith('node:')
    ? `an engine imports ${specifier}; it has no clock, randomness or I/O`
    : null;
}

/**
 * Finds cycles between workspaces, between the server's modules and between files. Imports of types count, because a
 * reader must know both files to read either. Tests are ignored, because they may import everything.
 */
function findCycles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): void => {
    const at = trail.indexOf(node);
    if (at >= 0) {
      cycles.push([...trail.slice(at), node]);
      return;
    }
    if (done.has(node)) return;
    for (const next of edges.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return cycles;
}

export function checkImports(tree: SourceTree): TidyFault[] {
  const faults: TidyFault[] = [];
  const edges = new Map<string, Set<string>>();
  const connect = (a: string, b: string): void => {
    if (a !== b) edges.set(a, (edges.get(a) ?? new Set()).add(b));
  };
  for (const [file, text] of tree) {
    if (!/\.tsx?$/.test(file) || !workspaceOf(file)) continue;
    const stands = whyMisplaced(file);
    if (stands) faults.push({ file, says: stands });
    for (const each of importsOf(file, text)) {
      const says = each.target === null ? (checkPackage(each, tree) ?? checkEngine(each)) : checkRelative(each, tree);
      if (says) faults.push({ file, says });
      if (isTest(file)) continue;
      const upwards = each.target && whyWingRefused(file, each.target);
      if (upwards) faults.push({ file, says: upwards });
      if (each.target) connect(file, each.target);
      if (each.target === null && each.specifier.startsWith('@sathorn/'))
        connect(workspaceOf(file) ?? '', packageOf(each.specifier).replace('@sathorn/', 'packages/'));
      const [here, there] = [moduleFolderOf(file), each.target && moduleFolderOf(each.target)];
      if (here && there && !SIDE_DOORS.has(pathFromWing(each.target ?? '') ?? ''))
        connect(`room ${here}`, `room ${there}`);
    }
  }
  for (const cycle of findCycles(edges)) faults.push({ file: cycle[0] ?? '', says: `a cycle: ${cycle.join(' → ')}` });
  return faults;
}
