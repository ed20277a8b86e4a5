import { CALLS } from '@sathorn/api';
import type { SourceTree, TidyFault } from './tree.ts';

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns the files that handle a call: the one with its name, or a `calls.ts` with short handlers as rows. */
export function handlersOf(name: string, tree: SourceTree): string[] {
  const handles = new RegExp(`\\bhandle\\(\\s*${name}\\b`);
  return [...tree].flatMap(([file, text]) =>
    file.startsWith('apps/server/src/') &&
    (file.endsWith(`/${kebab(name)}.ts`) || file.endsWith('/calls.ts')) &&
    handles.test(text)
      ? file
      : [],
  );
}

/** Finds calls that do not have exactly one handler. */
export function checkHandlers(
  tree: SourceTree,
  calls: Readonly<Record<string, { method: string; path: string }>> = CALLS,
): TidyFault[] {
  const faults: TidyFault[] = [];
  const seen = new Map<string, string>();
  for (const [name, { method, path }] of Object.entries(calls)) {
    const route = `${method} ${path}`;
    const files = handlersOf(name, tree);
    if (files.length !== 1)
      faults.push({
        file: `packages/api (${name})`,
        says: `${route} is handled by ${files.length} files named ${kebab(name)}.ts or calls.ts; it takes one`,
      });
    const other = seen.get(route);
    if (other) faults.push({ file: `packages/api (${name})`, says: `${route} is also ${other}` });
    seen.set(route, name);
  }
  return faults;
}
