import { CALLS } from '@sathorn/api';
import type { Fault, Tree } from './tree.ts';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Every call has exactly one handler, in the file with its name. */
export function checkHandlers(
  tree: Tree,
  calls: Readonly<Record<string, { method: string; path: string }>> = CALLS,
): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<string, string>();
  for (const [name, { method, path }] of Object.entries(calls)) {
    const route = `${method} ${path}`;
    const ending = `/${kebab(name)}.ts`;
    const files = [...tree.keys()].filter((file) => file.startsWith('apps/server/src/') && file.endsWith(ending));
    if (files.length !== 1)
      faults.push({
        file: `packages/api (${name})`,
        says: `${route} has ${files.length} files named ${kebab(name)}.ts on the server; it takes one`,
      });
    else if (!new RegExp(`handle\\(\\s*${name}\\b`).test(tree.get(files[0] ?? '') ?? ''))
      faults.push({ file: files[0] ?? '', says: `does not handle ${name}` });
    const other = seen.get(route);
    if (other) faults.push({ file: `packages/api (${name})`, says: `${route} is also ${other}` });
    seen.set(route, name);
  }
  return faults;
}
