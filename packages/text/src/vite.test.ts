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

test('leaves other modules alone, and knows no other language', () => {
  expect(plugin.resolveId('react')).toBeUndefined();
  expect(plugin.load('/src/main.tsx')).toBeUndefined();
  expect(() => plugin.load('\0virtual:catalogue/xx')).toThrow('no catalogue for xx');
});
