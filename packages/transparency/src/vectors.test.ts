import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  faultOfContradiction,
  makeCheckpointVectors,
  makeLogContradictions,
  refusalOfVector,
} from './testing-vectors.ts';

const FOLDER = path.join(import.meta.dirname, '..', 'vectors');

/** Other readers are tested with these files. WRITE_VECTORS=1 rewrites them. */
function expectPublished(name: string, vectors: object): void {
  const text = `${JSON.stringify(vectors, null, 1)}\n`;
  if (process.env.WRITE_VECTORS) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path.join(FOLDER, name), text);
  }
  expect(readFileSync(path.join(FOLDER, name), 'utf8') === text, `${name} is not up to date`).toBe(true);
}

it('confirms the published vectors', async () => {
  const checkpoints: object[] = [];
  for (const each of makeCheckpointVectors()) checkpoints.push({ ...each, refused: await refusalOfVector(each) });
  expectPublished('checkpoints.json', { checkpoints });
});

it('confirms the published contradictions of a log', async () => {
  const contradictions: { name: string; fault: string | null }[] = [];
  for (const each of makeLogContradictions())
    contradictions.push({ ...each, fault: await faultOfContradiction(each.file) });
  expectPublished('log-contradictions.json', { contradictions });
  // Ten prove two histories, and each of the others is refused.
  expect(contradictions.flatMap(({ fault }, n) => (fault === null ? n : []))).toEqual([...Array(10).keys()]);
});
