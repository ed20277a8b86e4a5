import { type Draw, readBoxFile } from '@sathorn/api';
import { callServer, failureText } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { saveFile } from '../parts/money/save-file.ts';
import { drawReceiptOf } from './draw-receipt.ts';

const save = (content: unknown, name: string): void =>
  saveFile(new Blob([`${JSON.stringify(content, null, 1)}\n`], { type: 'application/json' }), name);

/** Downloads every draw of a box in the format that `npx sathorn-verify` reads. */
export async function downloadBoxFile(id: string, texts: Parameters<typeof failureText>[1]): Promise<void> {
  const answer = await callServer(readBoxFile, { id });
  if (answer.ok) save(answer.data, `box-${id.slice(0, 8)}.json`);
  else showToast(failureText(answer, texts), 'danger');
}

export function downloadDraw(draw: Draw): void {
  const receipt = drawReceiptOf(draw);
  if (receipt) save(receipt, `draw-${draw.i}-${draw.id.slice(0, 8)}.json`);
}
