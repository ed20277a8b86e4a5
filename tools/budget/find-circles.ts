import type { BuildManifest } from './weigh-build.ts';

/**
 * Circles of files that import each other at their start, by the names of their chunks, sorted. A file in a circle may
 * run before what it needs. Then a page does not load, or a shape lacks the fields of another file and drops them.
 */
export function findCircles(manifest: BuildManifest): readonly string[] {
  const circles = new Set<string>();
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const visit = (key: string): void => {
    state.set(key, 'open');
    path.push(key);
    for (const imported of manifest[key]?.imports ?? []) {
      if (state.get(imported) === 'open') circles.add(nameOf(path.slice(path.indexOf(imported))));
      else if (!state.has(imported)) visit(imported);
    }
    path.pop();
    state.set(key, 'done');
  };
  const nameOf = (keys: readonly string[]): string =>
    keys
      .map((key) => manifest[key]?.name ?? key)
      .sort()
      .join(' and ');
  for (const key of Object.keys(manifest)) if (!state.has(key)) visit(key);
  return [...circles].sort();
}

/** Circles whose files need nothing of each other while they start. Whoever adds one has looked at both. */
export const HARMLESS_CIRCLES: readonly string[] = [
  'keep-purchase-answer and purchase',
  'purchase and search-lost-purchase',
];
