import { expect, test } from 'vitest';
import { catalogues } from './vite.ts';

const plugin = catalogues({ first: ['faults', 'shell'], rest: ['account', 'trade'] });

const keysOf = (id: string): string[] => {
  const code = plugin.load(`\0virtual:catalogue/${id}`) ?? '';
  const literal = /JSON\.parse\((.*)\)$/s.exec(code)?.[1] ?? '""';
  return Object.keys(JSON.parse(JSON.parse(literal)));
};

test('serves a language as a module of compiled messages', () => {
  const id = plugin.resolveId('virtual:catalogue/th/first');
  expect(id).toBe('\0virtual:catalogue/th/first');
  const code = plugin.load(id ?? '') ?? '';
  expect(code).toMatch(/^export default JSON\.parse\("/);
  expect(code).toContain('field.required');
});

test('the first part and the rest together are the whole catalogue, without duplicates', () => {
  const first = keysOf('th/first');
  const rest = keysOf('th/rest');
  const areas = ['faults', 'shell', 'account', 'trade'].map((area) => keysOf(`th/${area}`));
  expect([...first, ...rest].sort()).toEqual(areas.flat().sort());
  // These texts must be available when nothing else can be loaded.
  expect(first).toEqual(expect.arrayContaining(['REQUEST_ERROR', 'NO_RESPONDING', 'http.503']));
  expect([...first, ...rest].filter((key) => key.startsWith('refusal.'))).toEqual([]);
});

test('an area is a file: its loader has a chunk per language', () => {
  const id = plugin.resolveId('virtual:texts/receipt');
  const code = plugin.load(id ?? '') ?? '';
  expect(code.match(/import\("virtual:catalogue\/(\w+)\/receipt"\)/g)).toHaveLength(6);
  expect(keysOf('th/receipt').length).toBeGreaterThan(0);
  expect(() => keysOf('th/nothing')).toThrow('no text area nothing');
});

test('ignores other modules and unknown languages', () => {
  expect(plugin.resolveId('react')).toBeUndefined();
  expect(plugin.load('/src/main.tsx')).toBeUndefined();
  expect(() => plugin.load('\0virtual:catalogue/xx/first')).toThrow('no catalogue for xx');
});
