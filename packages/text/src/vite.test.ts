import { expect, test } from 'vitest';
import { catalogues } from './vite.ts';

const plugin = catalogues();

test('serves a language as a module of compiled messages', () => {
  const id = plugin.resolveId('virtual:catalogue/th');
  expect(id).toBe('\0virtual:catalogue/th');
  const code = plugin.load(id ?? '') ?? '';
  expect(code).toMatch(/^export default JSON\.parse\("/);
  expect(code).toContain('field.required');
});

test('the first part and the rest are the whole, with nothing twice', () => {
  const keysOf = (id: string): string[] => {
    const code = plugin.load(`\0virtual:catalogue/${id}`) ?? '';
    const literal = /JSON\.parse\((.*)\)$/s.exec(code)?.[1] ?? '""';
    return Object.keys(JSON.parse(JSON.parse(literal)));
  };
  const first = keysOf('th/first');
  const rest = keysOf('th/rest');
  expect([...first, ...rest].sort()).toEqual(keysOf('th').sort());
  // What is needed when nothing else could be fetched.
  expect(first).toEqual(expect.arrayContaining(['REQUEST_ERROR', 'NO_RESPONDING', 'http.503']));
  expect([...first, ...rest].filter((key) => key.startsWith('refusal.'))).toEqual([]);
});

test('leaves other modules alone, and knows no other language', () => {
  expect(plugin.resolveId('react')).toBeUndefined();
  expect(plugin.load('/src/main.tsx')).toBeUndefined();
  expect(() => plugin.load('\0virtual:catalogue/xx')).toThrow('no catalogue for xx');
});
