import { qrPath } from '../parts/money/qr-path.ts';

export interface Poster {
  readonly brand: string;
  readonly host: string;
  readonly slogan: string;
  readonly lead: string;
  /** The name of the inviting customer; null for a visitor. */
  readonly invites: string | null;
  readonly code: string | null;
  readonly risk: string;
  readonly link: string;
  /** A note that the poster is from a demonstration; null in a live deployment. */
  readonly demo: string | null;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
}

const WIDTH = 1080;
const HEIGHT = 1260;
const SIDE = 72;
const QR = 330;

/** Breaks lines by the language's rules, because Thai and Japanese have no spaces between words. */
export function wrapText(
  text: string,
  language: string,
  widthMax: number,
  widthOf: (line: string) => number,
): string[] {
  const words = [...new Intl.Segmenter(language === 'jp' ? 'ja' : language, { granularity: 'word' }).segment(text)];
  const lines: string[] = [];
  let line = '';
  for (const { segment } of words) {
    if (line !== '' && widthOf(line + segment.trimEnd()) > widthMax) {
      lines.push(line.trim());
      line = '';
    }
    line += segment;
  }
  return line.trim() === '' ? lines : [...lines, line.trim()];
}

/** Draws the poster on this device, so that nobody else learns who shares it. */
export async function drawPoster(poster: Poster): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const paint = canvas.getContext('2d');
  if (!paint) throw new Error('this browser can’t draw');
  const font = getComputedStyle(document.body).fontFamily;
  const isRtl = poster.direction === 'rtl';
  const [start, end] = isRtl ? [WIDTH - SIDE, SIDE] : [SIDE, WIDTH - SIDE];
  paint.direction = poster.direction;

  const wood = paint.createLinearGradient(0, 0, WIDTH * 0.5, HEIGHT);
  wood.addColorStop(0, '#5e4330');
  wood.addColorStop(1, '#3a2618');
  paint.fillStyle = wood;
  paint.fillRect(0, 0, WIDTH, HEIGHT);
  // Draws a wave, because a decorative line must not look like a rising price.
  paint.strokeStyle = 'rgb(255 255 255 / 0.09)';
  paint.lineWidth = 6;
  paint.beginPath();
  for (let x = 0; x <= WIDTH; x += 20) paint.lineTo(x, 640 + Math.sin(x / 90) * 40 + Math.sin(x / 37) * 24);
  paint.stroke();

  const write = (text: string, y: number, size: number, weight: number, colour: string, place: 'start' | 'end') => {
    paint.font = `${weight} ${size}px ${font}`;
    paint.fillStyle = colour;
    paint.textAlign = place;
    paint.fillText(text, place === 'start' ? start : end, y);
  };
  const paragraph = (text: string, y: number, size: number, weight: number, colour: string): number => {
    paint.font = `${weight} ${size}px ${font}`;
    const lines = wrapText(text, poster.language, WIDTH - SIDE * 2, (line) => paint.measureText(line).width);
    for (const [place, line] of lines.entries()) write(line, y + place * size * 1.5, size, weight, colour, 'start');
    return y + lines.length * size * 1.5;
  };
  write(poster.brand, 130, 52, 700, '#ffffff', 'start');
  write(poster.host, 128, 34, 400, '#e5d6c5', 'end');
  const below = paragraph(poster.slogan, 300, 84, 750, '#ffe39a');
  paragraph(poster.lead, below + 10, 40, 400, '#f0e4d6');
  if (poster.demo !== null) paragraph(poster.demo, 700, 32, 600, '#ffe39a');

  const [x, y, w, h] = [SIDE, 780, WIDTH - SIDE * 2, QR + 90];
  paint.fillStyle = '#ffffff';
  paint.beginPath();
  paint.roundRect(x, y, w, h, 36);
  paint.fill();
  const { path, size } = qrPath(poster.link);
  const qrX = isRtl ? WIDTH - SIDE - 45 - QR : SIDE + 45;
  paint.save();
  paint.translate(qrX, y + 45);
  paint.scale(QR / size, QR / size);
  paint.fillStyle = '#17120e';
  paint.fill(new Path2D(path));
  paint.restore();
  const beside = isRtl ? qrX - 45 : qrX + QR + 45;
  const width = isRtl ? beside - SIDE - 45 : WIDTH - SIDE - 45 - beside;
  paint.textAlign = 'start';
  let line = y + 110;
  const aside = (text: string, px: number, weight: number, colour: string) => {
    paint.font = `${weight} ${px}px ${font}`;
    paint.fillStyle = colour;
    for (const one of wrapText(text, poster.language, width, (given) => paint.measureText(given).width)) {
      paint.fillText(one, beside, line);
      line += px * 1.45;
    }
  };
  if (poster.invites !== null) aside(poster.invites, 38, 400, '#6d5d50');
  if (poster.code !== null) {
    line += 26;
    aside(poster.code, 64, 750, '#2a1f18');
    line += 10;
  }
  aside(poster.risk, 34, 400, '#6d5d50');

  const picture = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (!picture) throw new Error('the picture is empty');
  return picture;
}
