import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
// A title in code may contain an escaped straight apostrophe.
const plain = (text: string): string => text.replaceAll("\\'", "'").replaceAll('’', "'");

const rows = read('docs/riggings.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('.test.ts`'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('each rigging names a test that exists', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const cells of rows)
    for (const named of (cells[5] ?? '').split(' · ')) {
      const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(named) ?? [];
      expect(title, named).not.toBe('');
      expect(plain(read(file)), named).toContain(plain(title));
    }
});

test('each invariant that a rigging names is one that the checker asks', () => {
  const folder = 'apps/server/src/checker/checker';
  const sources = globSync(`${folder}/*.ts`, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map(read)
    .join('\n');
  const ids = new Set(
    rows.flatMap((cells) => Array.from((cells[3] ?? '').matchAll(/\b[A-Z]{1,3}[0-9]+[a-z]?\b/g), ([id]) => id)),
  );
  for (const id of ids) expect(sources, id).toMatch(new RegExp(`['"\`]${id}['" \`]`));
});
