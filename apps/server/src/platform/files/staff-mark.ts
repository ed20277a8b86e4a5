/** A font of five by seven dots, one number per row, so that no font has to be installed. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  B: [30, 17, 17, 30, 17, 17, 30],
  C: [14, 17, 16, 16, 16, 17, 14],
  D: [30, 17, 17, 17, 17, 17, 30],
  E: [31, 16, 16, 30, 16, 16, 31],
  F: [31, 16, 16, 30, 16, 16, 16],
  G: [14, 17, 16, 23, 17, 17, 15],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  J: [7, 2, 2, 2, 2, 18, 12],
  K: [17, 18, 20, 24, 20, 18, 17],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  P: [30, 17, 17, 30, 16, 16, 16],
  Q: [14, 17, 17, 17, 21, 18, 13],
  R: [30, 17, 17, 30, 20, 18, 17],
  S: [15, 16, 16, 14, 1, 1, 30],
  T: [31, 4, 4, 4, 4, 4, 4],
  U: [17, 17, 17, 17, 17, 17, 14],
  V: [17, 17, 17, 17, 17, 10, 4],
  W: [17, 17, 17, 21, 21, 21, 10],
  X: [17, 17, 10, 4, 10, 17, 17],
  Y: [17, 17, 10, 4, 4, 4, 4],
  Z: [31, 1, 2, 4, 8, 16, 31],
  0: [14, 17, 19, 21, 25, 17, 14],
  1: [4, 12, 4, 4, 4, 4, 14],
  2: [14, 17, 1, 6, 8, 16, 31],
  3: [31, 2, 4, 2, 1, 17, 14],
  4: [2, 6, 10, 18, 31, 2, 2],
  5: [31, 16, 30, 1, 1, 17, 14],
  6: [6, 8, 16, 30, 17, 17, 14],
  7: [31, 1, 2, 4, 8, 8, 8],
  8: [14, 17, 17, 14, 17, 17, 14],
  9: [14, 17, 17, 15, 1, 2, 12],
  '.': [0, 0, 0, 0, 0, 12, 12],
  '-': [0, 0, 0, 31, 0, 0, 0],
  ':': [0, 12, 12, 0, 12, 12, 0],
};
const COLUMNS = 5;
const ROWS = 7;
/**
 * Dark with a light edge, so that it is readable on any picture, and translucent, so that the picture stays visible.
 */
const INK = [40, 20, 10, 60] as const;
const EDGE = [255, 255, 255, 60] as const;
/** The picture's shorter side is this many dots long. */
const DOTS_A_SIDE = 150;

interface Raster {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Renders a line of text as transparent pixels; each dot of a letter is `dot` pixels wide. */
function rasterOf(text: string, dot: number): Raster {
  const letters = [...text.toUpperCase()];
  const width = (letters.length * (COLUMNS + 1) + 1) * dot;
  const height = (ROWS + 2) * dot;
  const data = Buffer.alloc(width * height * 4);
  const fill = (column: number, row: number, colour: readonly number[]): void => {
    for (let y = row * dot; y < (row + 1) * dot; y += 1)
      for (let x = column * dot; x < (column + 1) * dot; x += 1) data.set(colour, (y * width + x) * 4);
  };
  for (const [colour, shift] of [
    [EDGE, 1],
    [INK, 0],
  ] as const)
    for (const [n, letter] of letters.entries())
      for (let row = 0; row < ROWS; row += 1)
        for (let column = 0; column < COLUMNS; column += 1)
          if (((GLYPHS[letter]?.[row] ?? 0) >> (COLUMNS - 1 - column)) & 1)
            fill(n * (COLUMNS + 1) + column + shift, row + shift, colour);
  return { data, width, height };
}

/**
 * Renders the viewer's name along both diagonals of a picture, so that a leaked photo of the document shows on whose
 * screen it was. The area beside the diagonals stays readable.
 */
export function drawStaffMark(text: string, width: number, height: number): Buffer {
  const line = rasterOf(`${text}   `, Math.max(1, Math.round(Math.min(width, height) / DOTS_A_SIDE)));
  const canvas = Buffer.alloc(width * height * 4);
  const length = Math.hypot(width, height);
  // Half of the letters' height, measured along a row of the picture.
  const half = (line.height * length) / (2 * height);
  for (const fall of [height, -height])
    for (let y = 0; y < height; y += 1) {
      // Along the rising diagonal the distance is measured from the lower edge.
      const down = fall > 0 ? y : y - height;
      const middle = (down * width) / fall;
      for (let x = Math.max(0, Math.floor(middle - half)); x < Math.min(width, middle + half); x += 1) {
        const along = Math.floor((x * width + down * fall) / length);
        const below = Math.floor((down * width - x * fall) / length + line.height / 2);
        if (below < 0 || below >= line.height) continue;
        const from = (below * line.width + (along % line.width)) * 4;
        if (line.data[from + 3] !== 0) line.data.copy(canvas, (y * width + x) * 4, from, from + 4);
      }
    }
  return canvas;
}
