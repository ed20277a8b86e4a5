import { expect, test } from 'vitest';
import { qrPath } from './qr-path.ts';

test('draws the three finder patterns and nothing outside the square', () => {
  const { path, size } = qrPath('0x71C7656EC7ab88b098defB751B7401B5f6d8976F');
  expect(size).toBe(29);
  expect(path.startsWith('M0 0h7v1h-7z')).toBe(true);
  expect(path).toContain(`M${size - 7} 0h7v1h-7z`);
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1/g)].map(([, x, y, width]) => [
    Number(x),
    Number(y),
    Number(width),
  ]);
  expect(runs.every(([x = 0, y = 0, width = 0]) => width > 0 && x + width <= size && y < size)).toBe(true);
});
