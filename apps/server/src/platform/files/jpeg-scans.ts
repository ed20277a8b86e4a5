/** JPEG markers: start of image (SOI), end of image, start of scan. */
const MARKER = 0xff;
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;

/**
 * Counts the scans of a JPEG. Each scan makes the decoder process the whole area, however few bytes it has, and 130 kB
 * can contain 900 scans. Ignores what follows the end of the image. Returns 0 if the bytes are not a JPEG.
 */
export function countJpegScans(bytes: Buffer): number {
  if (bytes[0] !== MARKER || bytes[1] !== START) return 0;
  let scans = 0;
  let at = 2;
  while (at < bytes.length) {
    at = bytes.indexOf(MARKER, at);
    const kind = bytes[at + 1];
    if (at === -1 || kind === undefined || kind === END) break;
    if (kind === SCAN) scans += 1;
    // Within a scan, escaped bytes, restarts and fill bytes look like markers without a length.
    at += hasLength(kind) && at + 3 < bytes.length ? 2 + bytes.readUInt16BE(at + 2) : kind === MARKER ? 1 : 2;
  }
  return scans;
}

function hasLength(kind: number): boolean {
  return kind >= 0xc0 && kind !== MARKER && !(kind >= 0xd0 && kind <= START);
}
