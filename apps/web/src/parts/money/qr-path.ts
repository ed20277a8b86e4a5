import { encode } from 'uqr';

/** Returns a QR code's dark squares as one SVG path on a square of `size` units, in horizontal runs. */
export function qrPath(payload: string): { path: string; size: number } {
  const { data, size } = encode(payload, { ecc: 'M', border: 0 });
  let path = '';
  data.forEach((row, y) => {
    let from = -1;
    for (let x = 0; x <= row.length; x += 1) {
      if (row[x] && from < 0) from = x;
      if (row[x] || from < 0) continue;
      path += `M${from} ${y}h${x - from}v1h${from - x}z`;
      from = -1;
    }
  });
  return { path, size };
}
