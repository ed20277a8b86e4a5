import { qrPath } from '../parts/money/qr-path.ts';
import { saveFile } from '../parts/money/save-file.ts';

interface QrPicture {
  payload: string;
  title: string;
  lines: readonly string[];
  name: string;
}

const WIDTH = 720;
const CODE = 560;

/** Saves the QR code with its amount as a picture, for banking apps that read codes from the photo album. */
export async function saveQrPicture({ payload, title, lines, name }: QrPicture): Promise<void> {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = 150 + CODE + 40 + lines.length * 48;
  const paint = canvas.getContext('2d');
  if (!paint) throw new Error('this browser can’t draw');
  paint.fillStyle = '#ffffff';
  paint.fillRect(0, 0, canvas.width, canvas.height);
  paint.fillStyle = '#17120e';
  paint.textAlign = 'center';
  const font = getComputedStyle(document.body).fontFamily;
  paint.font = `700 56px ${font}`;
  paint.fillText(title, WIDTH / 2, 96);
  const { path, size } = qrPath(payload);
  paint.save();
  paint.translate((WIDTH - CODE) / 2, 140);
  paint.scale(CODE / size, CODE / size);
  paint.fill(new Path2D(path));
  paint.restore();
  paint.font = `500 32px ${font}`;
  for (const [place, line] of lines.entries()) paint.fillText(line, WIDTH / 2, 140 + CODE + 58 + place * 48);
  const picture = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (!picture) throw new Error('the picture is empty');
  saveFile(picture, name);
}
