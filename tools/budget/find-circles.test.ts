import { expect, test } from 'vitest';
import { findCircles } from './find-circles.ts';

test('finds files that import each other, directly or over a third', () => {
  const manifest = {
    'a.ts': { file: 'a.js', name: 'a', imports: ['b.ts'] },
    'b.ts': { file: 'b.js', name: 'b', imports: ['c.ts', 'd.ts'] },
    'c.ts': { file: 'c.js', name: 'c', imports: ['a.ts'] },
    'd.ts': { file: 'd.js', name: 'd', dynamicImports: ['b.ts'] },
    'e.ts': { file: 'e.js', name: 'e', imports: ['f.ts'] },
    'f.ts': { file: 'f.js', name: 'f', imports: ['e.ts'] },
  };
  expect(findCircles(manifest)).toEqual(['a and b and c', 'e and f']);
  expect(findCircles({ 'd.ts': { file: 'd.js' } })).toEqual([]);
});
