import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { DrawReceipt, ProofKey } from '@sathorn/proof';
import { expect, it } from 'vitest';
import { judgeDraw, readDraw } from './judge-draw.ts';

const VECTORS = path.join(import.meta.dirname, '..', '..', 'packages', 'proof', 'vectors', 'draws.json');
const {
  keys,
  draws,
}: { keys: ProofKey[]; draws: { name: string; draw: DrawReceipt; kept: object; verified: boolean }[] } = JSON.parse(
  readFileSync(VECTORS, 'utf8'),
);

it('a draw that was saved by the app is judged, and each fault is named', async () => {
  let bad = 0;
  for (const { name, draw, kept, verified } of draws) {
    // The file does not contain data that only the device knows.
    if (Object.keys(kept).length > 0) continue;
    const shown = readDraw(JSON.stringify(draw));
    if (shown === undefined) throw new Error(`${name} is not read`);
    const { isVerified, lines } = await judgeDraw(shown, keys, null);
    expect(isVerified, name).toBe(verified);
    expect(
      lines.some((line) => line.startsWith('FAULT')),
      name,
    ).toBe(!verified);
    if (!verified) bad += 1;
  }
  expect(bad).toBeGreaterThan(10);
  for (const text of ['', '[]', '{"box":1}', '{"reservation":{}}']) expect(readDraw(text)).toBeUndefined();
});
