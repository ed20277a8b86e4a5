import { readdirSync, readFileSync } from 'node:fs';
import { COIN_CODES } from '@sathorn/money';
import { expect, test } from 'vitest';

const folder = new URL('../../../public/coins/', import.meta.url);
const together = readFileSync(new URL('../../../../../packages/ui/src/surface/coins.svg', import.meta.url), 'utf8');

test('the coins’ file has a view of each coin, identical to the coin’s own file', () => {
  const names = readdirSync(folder).map((file) => file.replace('.svg', ''));
  expect(names).toEqual(expect.arrayContaining(COIN_CODES.map((code) => code.toLowerCase())));
  names.forEach((name, place) => {
    const alone = readFileSync(new URL(`${name}.svg`, folder), 'utf8').trim();
    const drawing = alone.replace(/^<svg[^>]*>|<title>.*?<\/title>|<\/svg>$/g, '');
    expect(together).toContain(
      `<view id="${name}" viewBox="0 ${64 * place} 64 64"/>\n<g transform="translate(0 ${64 * place})">${drawing}</g>`,
    );
  });
  expect(together.match(/<view /g)).toHaveLength(names.length);
});
