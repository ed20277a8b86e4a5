import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Source files by path from the root, with `/`. Tests add their own files to the map. */
export type SourceTree = ReadonlyMap<string, string>;

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.node24', '.cache', 'data', 'test-results', 'coverage']);
const READ = /\.(ts|tsx|css|sql|json|html)$/;

export function readTree(root: string): SourceTree {
  const tree = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const file = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) walk(file);
      } else if (READ.test(entry.name) && entry.name !== 'package-lock.json')
        tree.set(file, readFileSync(path.join(root, file), 'utf8'));
    }
  };
  walk('');
  return tree;
}

/** Returns `packages/money`, `apps/server` or `tools`, for example. */
export function workspaceOf(file: string): string | null {
  const [top, name] = file.split('/');
  if (top === 'tools') return 'tools';
  return (top === 'apps' || top === 'packages') && name ? `${top}/${name}` : null;
}

export interface TidyFault {
  readonly file: string;
  readonly says: string;
}
