import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../docs/decisions');

test('the index lists each decision record by its title, and no other', () => {
  const records = readdirSync(folder).filter((file) => /^\d{4}-/.test(file));
  const rows = records.sort().map((file) => {
    const [, number, title] = /^# (\d{4}) (.+)$/m.exec(readFileSync(path.join(folder, file), 'utf8')) ?? [];
    return `- [${number}](${file}) ${title}`;
  });
  const index = readFileSync(path.join(folder, 'README.md'), 'utf8').split('\n');
  expect(index.filter((line) => line.startsWith('- '))).toEqual(rows);
});
