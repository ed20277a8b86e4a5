import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const ID = /[A-L][0-9]{1,2}/;
/** A title that begins with the ids of threats, among those of the specification: `S9.7 G1: serves …`. */
const TITLE = /['`](?:S[0-9.]+ )*((?:[A-L][0-9]{1,2}(?:, |: | to (?=[A-L])| (?=[A-Z][0-9])| ))+)/g;

const page = read('docs/threats.md');
const [tables = '', unnamed = ''] = page.split('## Without a test of their name');
const idsOfRows = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    const [, id = ''] = /^\| ([A-L][0-9]{1,2}) \|/.exec(line) ?? [];
    return id === '' ? [] : [id];
  });

test('each threat names its test or says why it has none, and no test names a threat outside the list', () => {
  const files = globSync('{apps,packages,tools}/**/*.{test,spec}.ts', { cwd: root, exclude: ['**/node_modules/**'] });
  const named = new Set<string>();
  for (const file of files)
    for (const line of read(file).split('\n')) {
      if (!/(?:\b(?:it|test|describe)\b|^\s*\}?\)\()/.test(line) && !/^\s*['`]/.test(line)) continue;
      for (const [, ids = ''] of line.matchAll(TITLE))
        for (const id of ids.match(new RegExp(ID, 'g')) ?? []) named.add(id);
    }
  const listed = idsOfRows(tables);
  const excused = idsOfRows(unnamed);
  expect(listed).toHaveLength(new Set(listed).size);
  expect(listed).toHaveLength(125);
  expect(listed.filter((id) => !named.has(id) && !excused.includes(id))).toEqual([]);
  expect(excused.filter((id) => named.has(id) || !listed.includes(id))).toEqual([]);
  for (const line of unnamed.split('\n').filter((each) => /^\| [A-L]/.test(each)))
    expect(line.split('|')[2]?.trim().length, line).toBeGreaterThan(20);
});
