import { expect, test } from 'vitest';
import { drawStaffMark } from './staff-mark.ts';

const WIDTH = 600;
const HEIGHT = 400;

/** True if the mark covers any pixel of a square around a point, given as shares of width and height. */
function isMarked(mark: Buffer, atX: number, atY: number): boolean {
  const side = 60;
  for (let y = Math.max(0, atY * HEIGHT - side / 2); y < Math.min(HEIGHT, atY * HEIGHT + side / 2); y += 1)
    for (let x = Math.max(0, atX * WIDTH - side / 2); x < Math.min(WIDTH, atX * WIDTH + side / 2); x += 1)
      if (mark[(y * WIDTH + x) * 4 + 3] !== 0) return true;
  return false;
}

test('the viewer’s name runs along both diagonals and leaves the area beside them readable', () => {
  const mark = drawStaffMark('PLOY 28-11-2026', WIDTH, HEIGHT);
  for (const at of [0.1, 0.25, 0.4, 0.6, 0.75, 0.9]) {
    expect(isMarked(mark, at, at), `falling, ${at}`).toBe(true);
    expect(isMarked(mark, at, 1 - at), `rising, ${at}`).toBe(true);
  }
  for (const [x, y] of [
    [0.5, 0.1],
    [0.5, 0.9],
    [0.1, 0.5],
    [0.9, 0.5],
  ] as const)
    expect(isMarked(mark, x, y), `${x}, ${y}`).toBe(false);
});
