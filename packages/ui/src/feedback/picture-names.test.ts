import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PICTURE_NAMES } from './picture-names.ts';

test('the pictures’ file has one view per name, one below the other', () => {
  const file = readFileSync(new URL('./pictures.svg', import.meta.url), 'utf8');
  const views = [...file.matchAll(/<view id="(\w+)" viewBox="(.*?)"\/>\n<g transform="(.*?)">/g)];
  expect(views.map(([, name, box, place]) => [name, box, place])).toEqual(
    PICTURE_NAMES.map((name, row) => [name, `0 ${88 * row} 120 88`, `translate(0 ${88 * row})`]),
  );
  expect(file).toContain(`viewBox="0 0 120 ${88 * PICTURE_NAMES.length}"`);
});
