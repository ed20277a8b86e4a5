import path from 'node:path';
import { importsOf } from '../tidy/imports.ts';
import type { Tree } from '../tidy/tree.ts';

/** Composes the whole server: through it every test of a call would count as related to every file. */
const STOP = 'apps/server/src/start-platform.ts';
const TEST = /^(apps\/server|tools\/simulate)\/.*(?<!\.faults)\.test\.ts$/;

function targetsOf(tree: Tree, file: string): string[] {
  return importsOf(file, tree.get(file) ?? '').flatMap(({ specifier, target }) => {
    if (target !== null) return tree.has(target) ? [target] : [];
    const name = /^@sathorn\/([^/]+)/.exec(specifier)?.[1];
    return name && tree.has(`packages/${name}/src/index.ts`) ? [`packages/${name}/src/index.ts`] : [];
  });
}

/** The server's tests that import a changed file, directly or not, or lie in the folder of one. */
export function relatedTests(tree: Tree, changed: readonly string[]): string[] {
  const isChanged = new Set(changed);
  const folders = new Set(changed.filter((file) => file.startsWith('apps/server/src/')).map((f) => path.dirname(f)));
  return [...tree.keys()].filter((test) => {
    if (!TEST.test(test)) return false;
    if (folders.has(path.dirname(test)) && path.dirname(test) !== 'apps/server/src') return true;
    const seen = new Set([test]);
    for (const file of seen) {
      if (isChanged.has(file)) return true;
      if (file !== STOP) for (const target of targetsOf(tree, file)) seen.add(target);
    }
    return false;
  });
}
