import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { SPECIFICATION_RULES } from './rules.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Matches rule numbers at the start of a title, or of the first cell of a table row. */
const NAMES = /['"`]((?:S\d+\.\d+\b ?)+)/g;

it('each rule of the specification has a test that names it', () => {
  const files = globSync('{apps,packages,tools}/**/*.{test,spec}.{ts,tsx}', {
    cwd: ROOT,
    exclude: (name) => name.includes('node_modules'),
  });
  const named = new Set(
    files
      .flatMap((file) => [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(NAMES)])
      .flatMap(([, names = '']) => names.trim().split(' ')),
  );
  expect(Object.keys(SPECIFICATION_RULES).filter((rule) => !named.has(rule))).toEqual([]);
  expect([...named].filter((rule) => !(rule in SPECIFICATION_RULES))).toEqual([]);
});
