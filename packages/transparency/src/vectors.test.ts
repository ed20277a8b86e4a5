import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeCheckpointVectors, refusalOfVector } from './testing-vectors.ts';

const FILE = path.join(import.meta.dirname, '..', 'vectors', 'checkpoints.json');

// Other readers are tested with this file. WRITE_VECTORS=1 rewrites it.
it('confirms the published vectors', async () => {
  const vectors: object[] = [];
  for (const each of makeCheckpointVectors()) vectors.push({ ...each, refused: await refusalOfVector(each) });
  const text = `${JSON.stringify({ checkpoints: vectors }, null, 1)}\n`;
  if (process.env.WRITE_VECTORS) {
    mkdirSync(path.dirname(FILE), { recursive: true });
    writeFileSync(FILE, text);
  }
  expect(readFileSync(FILE, 'utf8') === text, 'checkpoints.json is not up to date').toBe(true);
});
