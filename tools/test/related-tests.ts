import path from 'node:path';
import { importsOf } from '../tidy/imports.ts';
import type { SourceTree } from '../tidy/tree.ts';
import { moduleFolderOf } from '../tidy/wings.ts';

/** This file composes the whole server. Through it, every test of a call would count as related to every file. */
const STOP = 'apps/server/src/process/start-platform.ts';
const TEST = /^(apps\/server|tools\/simulate)\/.*(?<!\.faults)\.test\.ts$/;

function targetsOf(tree: SourceTree, file: string): string[] {
  return importsOf(file, tree.get(file) ?? '').flatMap(({ specifier, target }) => {
    if (target !== null) return tree.has(target) ? [target] : [];
    const name = /^@sathorn\/([^/]+)/.exec(specifier)?.[1];
    return name && tree.has(`packages/${name}/src/index.ts`) ? [`packages/${name}/src/index.ts`] : [];
  });
}

/**
 * Returns the server's tests that import a changed file, directly or not, or that are in the folder of a changed
 * module. The tests with the fewest imports in between come first.
 */
export function listRelatedTests(tree: SourceTree, changed: readonly string[]): string[] {
  const importers = new Map<string, string[]>();
  for (const file of tree.keys())
    for (const target of targetsOf(tree, file)) importers.set(target, [...(importers.get(target) ?? []), file]);
  const near = new Set(changed.filter((file) => tree.has(file)));
  const folders = new Set(changed.filter((file) => moduleFolderOf(file) !== null).map((f) => path.dirname(f)));
  for (const file of tree.keys()) if (TEST.test(file) && folders.has(path.dirname(file))) near.add(file);
  // A set keeps its order, so this loop goes outwards from the changes.
  for (const file of near) if (file !== STOP) for (const importer of importers.get(file) ?? []) near.add(importer);
  return [...near].filter((file) => TEST.test(file));
}

/** Returns as many of the first tests as fit into the seconds, and at least one. */
export function testsWithinSeconds(
  tests: readonly string[],
  secondsOf: (test: string) => number,
  seconds: number,
): string[] {
  let left = seconds;
  return tests.filter((test, nth) => {
    left -= secondsOf(test);
    return nth === 0 || left >= 0;
  });
}
