import { accept, type Decision, refuse } from '@sathorn/settlement';
import sharp, { type Sharp } from 'sharp';
import { countJpegScans } from './jpeg-scans.ts';
import { drawStaffMark } from './staff-mark.ts';

// Only the three supported formats may reach a decoder: SVG runs code and fetches URLs, and HEIC and TIFF have the most
// known vulnerabilities.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
// One thread per picture, because we limit the concurrency ourselves. No cache, so that no customer's data stays in
// memory.
sharp.concurrency(1);
sharp.cache(false);

/** Pixels after decoding: a PNG of 600 kB can unfold to 800 MB. */
const PIXELS_MAX = 40_000_000;
/** The most pixels, at four bytes each. A picture with 16 bits per colour takes twice that, and no camera makes one. */
const DECODED_BYTES_MAX = PIXELS_MAX * 4;
/** Larger than any panorama. A picture of one column and millions of rows takes ten seconds of CPU time. */
const SIDE_READ_MAX = 20_000;
/** A camera's JPEG has about ten scans; a scan of the largest picture takes about 16 ms of CPU time. */
const SCANS_MAX = 100;
const SIDE_MAX = 2_560;
const AVATAR_SIDE = 256;
const SECONDS_MAX = 15;

export interface RedrawnPicture {
  /** WebP. */
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** `picture_slow`: decoding exceeded the time limit. On a busy machine that says nothing about the picture. */
export type RedrawRefusal = 'picture_unreadable' | 'picture_too_large' | 'picture_slow';

function decoder(bytes: Buffer): Sharp {
  // Warnings are ignored: front cameras write scan headers that violate the standard.
  return sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 }).timeout({ seconds: SECONDS_MAX });
}

/** Reads only the header, because the decoder allocates by the size that it declares. */
async function isTooLargeToDecode(bytes: Buffer): Promise<boolean> {
  const { width, height, channels, depth } = await decoder(bytes).metadata();
  const bytesOfPixel = channels * (depth === 'uchar' ? 1 : 2);
  return Math.max(width, height) > SIDE_READ_MAX || width * height * bytesOfPixel > DECODED_BYTES_MAX;
}

async function draw(picture: Sharp): Promise<RedrawnPicture> {
  const { data, info } = await picture.webp({ quality: 85, effort: 3 }).toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

/**
 * Decodes a picture and encodes it again. Only its pixels survive: no metadata (such as the location), comment or
 * hidden second file. The name and the declared type are ignored.
 */
export async function redrawPicture(bytes: Buffer): Promise<Decision<RedrawnPicture, RedrawRefusal>> {
  try {
    if (countJpegScans(bytes) > SCANS_MAX || (await isTooLargeToDecode(bytes))) return refuse('picture_too_large');
    const upright = decoder(bytes).autoOrient();
    return accept(
      await draw(upright.resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true })),
    );
  } catch (error) {
    return refuse(redrawRefusalOf(error));
  }
}

/** Any other error of a decoder on a stranger's bytes means that the picture is unreadable. */
export function redrawRefusalOf(error: unknown): RedrawRefusal {
  const said = error instanceof Error ? error.message : '';
  if (/^timeout\b/i.test(said)) return 'picture_slow';
  return /pixel limit|too large|exceeds/i.test(said) ? 'picture_too_large' : 'picture_unreadable';
}

/** Makes a square avatar from a picture that we drew. */
export function redrawAsAvatar(bytes: Buffer): Promise<RedrawnPicture> {
  return draw(decoder(bytes).resize({ width: AVATAR_SIDE, height: AVATAR_SIDE, fit: 'cover', position: 'centre' }));
}

/** The hash is taken from a grid of this many brightness steps per side. */
const LOOK_SIDE = 16;
/** The parts to hash: the whole, and crops that cut left, top, right and bottom, in twentieths. */
const CROPS = [
  [0, 0, 0, 0],
  [1, 1, 1, 1],
  [2, 2, 2, 2],
  [0, 2, 0, 0],
  [0, 4, 0, 0],
  [0, 0, 0, 2],
  [0, 0, 0, 4],
] as const;

/**
 * Perceptual hash of a picture that we drew: a difference hash (dHash) of 16 × 16 steps for the whole and for each
 * crop. Saving the picture with another size or quality changes only a few bits.
 */
export async function pictureLookOf(bytes: Buffer): Promise<RedrawnPicture> {
  const { width, height } = await decoder(bytes).metadata();
  const looks: Buffer[] = [];
  for (const [left, top, right, bottom] of CROPS) {
    const part = {
      left: Math.floor((width * left) / 20),
      top: Math.floor((height * top) / 20),
      width: Math.max(1, Math.ceil((width * (20 - left - right)) / 20)),
      height: Math.max(1, Math.ceil((height * (20 - top - bottom)) / 20)),
    };
    part.width = Math.min(part.width, width - part.left);
    part.height = Math.min(part.height, height - part.top);
    const pixels = await decoder(bytes)
      .extract(part)
      .flatten({ background: '#fff' })
      .greyscale()
      .resize(LOOK_SIDE + 1, LOOK_SIDE, { fit: 'fill' })
      .raw()
      .toBuffer();
    const look = Buffer.alloc((LOOK_SIDE * LOOK_SIDE) / 8);
    for (let step = 0; step < LOOK_SIDE * LOOK_SIDE; step += 1) {
      const at = Math.floor(step / LOOK_SIDE) * (LOOK_SIDE + 1) + (step % LOOK_SIDE);
      if ((pixels[at] ?? 0) > (pixels[at + 1] ?? 0)) look[step >> 3] = (look[step >> 3] ?? 0) | (128 >> (step & 7));
    }
    looks.push(look);
  }
  return { bytes: Buffer.concat(looks), width: LOOK_SIDE, height: LOOK_SIDE * CROPS.length };
}

/** Draws a text all over a picture that we drew. */
export async function redrawMarked(bytes: Buffer, text: string): Promise<RedrawnPicture> {
  const { width, height } = await decoder(bytes).metadata();
  const input = drawStaffMark(text, width, height);
  return draw(decoder(bytes).composite([{ input, raw: { width, height, channels: 4 } }]));
}
