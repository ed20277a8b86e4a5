import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
/** Variables that our own processes and tests set for each other, or that the system sets. */
const INTERNAL = ['PATH', 'ASK_CONSENT', 'CHAIN_PORT', 'CHAIN_BLOCK_MS'];
const isInternal = (name: string): boolean => INTERNAL.includes(name) || name.startsWith('CHECKER_');

test('the operators’ page lists every variable that the server reads, once, and no other', () => {
  const files = globSync('apps/server/src/**/*.ts', { cwd: root }).filter((file) => !/\.test\.ts$|testing/.test(file));
  const read = new Set(
    files.flatMap((file) =>
      Array.from(
        readFileSync(path.join(root, file), 'utf8').matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g),
        ([, name]) => name ?? '',
      ),
    ),
  );
  const page = readFileSync(path.join(root, 'docs/operating.md'), 'utf8');
  const table = page.slice(page.indexOf('## Variables'), page.indexOf('## The processor'));
  const named = table
    .split('\n')
    .filter((row) => row.startsWith('| `'))
    .flatMap((row) => Array.from((row.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g), ([, name]) => name ?? ''));
  expect(named.toSorted()).toEqual([...read].filter((name) => !isInternal(name)).toSorted());
});
