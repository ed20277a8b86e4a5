import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { pictureLookOf, redrawPicture } from './redraw.ts';

const [WIDTH, HEIGHT] = [600, 900];
/** Draws a slip: rows of dark marks on a light ground, at places that follow from the seed. */
async function slip(seed: number): Promise<Buffer> {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3, 240);
  let state = seed;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  for (let mark = 0; mark < 60; mark += 1) {
    const [left, top, width, height] = [next(WIDTH - 160), next(HEIGHT - 60), 40 + next(120), 12 + next(40)];
    for (let y = top; y < top + height; y += 1)
      pixels.fill(next(3) * 40, (y * WIDTH + left) * 3, (y * WIDTH + left + width) * 3);
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png()
    .toBuffer();
}
async function looksOf(picture: Buffer): Promise<Buffer[]> {
  const drawn = await redrawPicture(picture);
  if (!drawn.ok) throw new Error(drawn.refusal);
  const { bytes } = await pictureLookOf(drawn.effect.bytes);
  return Array.from({ length: 7 }, (_, n) => bytes.subarray(n * 32, n * 32 + 32));
}
const differ = (one: Buffer, other: Buffer): number =>
  one.reduce((sum, byte, n) => sum + (byte ^ (other[n] ?? 0)).toString(2).replaceAll('0', '').length, 0);
/** Compares as the database does: whole with whole, or the whole of one with a crop of the other. */
const distance = (one: Buffer[], other: Buffer[]): number =>
  Math.min(
    ...other.map((look) => differ(one[0] as Buffer, look)),
    ...one.map((look) => differ(other[0] as Buffer, look)),
  );

describe('the perceptual hash of a slip', () => {
  let picture: Buffer;
  let looks: Buffer[];
  beforeAll(async () => {
    picture = await slip(7);
    looks = await looksOf(picture);
  });

  it.each<[string, (given: Buffer) => Promise<Buffer>]>([
    ['saved as JPEG', (given) => sharp(given).jpeg({ quality: 50 }).toBuffer()],
    ['made smaller', (given) => sharp(given).resize(300).jpeg({ quality: 70 }).toBuffer()],
    ['brighter', (given) => sharp(given).modulate({ brightness: 1.05 }).png().toBuffer()],
    [
      'cropped at all sides',
      (given) => sharp(given).extract({ left: 30, top: 45, width: 540, height: 810 }).png().toBuffer(),
    ],
    [
      'cropped at the top',
      (given) => sharp(given).extract({ left: 0, top: 90, width: 600, height: 810 }).png().toBuffer(),
    ],
  ])('stays the same when the slip is %s', async (_, change) => {
    expect(distance(looks, await looksOf(await change(picture)))).toBeLessThanOrEqual(10);
  });

  it('differs for another slip', async () => {
    for (const seed of [8, 9, 10]) expect(distance(looks, await looksOf(await slip(seed)))).toBeGreaterThan(40);
  });
});
