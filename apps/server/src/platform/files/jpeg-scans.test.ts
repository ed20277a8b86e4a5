import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { countJpegScans } from './jpeg-scans.ts';
import { redrawPicture } from './redraw.ts';

const segment = (kind: number, ...body: number[]) => [0xff, kind, 0, body.length + 2, ...body];
const zeros = (count: number) => Array<number>(count).fill(0);

/** A grey picture of 64 blocks: one scan for their averages, and then `steps` scans per frequency. */
function scannedIn(steps: number): Buffer {
  const scans = Array.from({ length: 63 * steps }, (_, n) => {
    const [frequency, step] = [1 + Math.floor(n / steps), steps - 1 - (n % steps)];
    const before = step === steps - 1 ? 0 : step + 1;
    // One byte encodes that all blocks are empty.
    return [...segment(0xda, 1, 1, 0x10, frequency, frequency, (before << 4) | step), 0x01];
  });
  return Buffer.from([
    ...[0xff, 0xd8],
    ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
    ...segment(0xc2, 8, 0, 64, 0, 64, 1, 1, 0x11, 0),
    ...segment(0xc4, 0x00, 1, ...zeros(15), 0),
    ...segment(0xc4, 0x10, 1, ...zeros(15), 0x60),
    ...[...segment(0xda, 1, 1, 0, 0, 0, 0), ...zeros(8)],
    ...scans.flat(),
    ...[0xff, 0xd9],
  ]);
}

const photo = sharp({
  create: {
    width: 300,
    height: 200,
    channels: 3,
    background: '#000',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
});

describe('the number of scans of a JPEG', () => {
  it('is counted whatever bytes stand within, before or after the scans', async () => {
    expect(countJpegScans(scannedIn(14))).toBe(883);
    expect(countJpegScans(await photo.clone().jpeg().toBuffer())).toBe(1);
    const progressive = await photo.clone().jpeg({ progressive: true }).toBuffer();
    const scans = countJpegScans(progressive);
    expect(scans).toBeGreaterThan(5);
    expect(scans).toBeLessThan(20);
    const thumbnail = Buffer.from(segment(0xe1, ...scannedIn(1).subarray(0, 250)));
    const dressed = Buffer.concat([progressive.subarray(0, 2), thumbnail, progressive.subarray(2), scannedIn(14)]);
    expect(countJpegScans(dressed)).toBe(scans);
    for (const none of [Buffer.alloc(0), Buffer.from([0xff, 0xd8, 0xff]), await photo.clone().png().toBuffer()])
      expect(countJpegScans(none)).toBe(0);
  });

  it('reads photos of front cameras, whose scan header ends with 0 instead of 63', async () => {
    const bytes = await photo.clone().jpeg().toBuffer();
    const scan = bytes.indexOf(Buffer.from([0xff, 0xda]));
    const end = scan + 2 + bytes.readUInt16BE(scan + 2) - 2;
    expect(bytes[end]).toBe(63);
    bytes[end] = 0;
    expect(await redrawPicture(bytes)).toMatchObject({ ok: true, effect: { width: 300 } });
  });

  it('G1: can’t be hidden from the limit', async () => {
    expect(await redrawPicture(scannedIn(1))).toMatchObject({ ok: true, effect: { width: 64 } });
    expect(await redrawPicture(scannedIn(14))).toEqual({ ok: false, refusal: 'picture_too_large' });
    expect(await redrawPicture(await photo.clone().jpeg({ progressive: true }).toBuffer())).toMatchObject({ ok: true });
  });
});
