import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COIN_COLOURS } from './coin-colours.ts';

test('a coin’s colour is the ground of its picture, and each picture has one', () => {
  const drawn = readFileSync(new URL('./coins.svg', import.meta.url), 'utf8');
  const grounds = [
    ...drawn.matchAll(/<view id="([a-z]+)"[^>]*>\s*<g[^>]*>(?:<defs>.*?<\/defs>)?<circle[^>]*? fill="(#[0-9a-f]{6})"/g),
  ].map(([, name = '', colour]) => [name.toUpperCase(), colour]);
  expect(Object.fromEntries(grounds)).toEqual(COIN_COLOURS);
  expect(grounds).toHaveLength(drawn.match(/<view /g)?.length ?? 0);
});
