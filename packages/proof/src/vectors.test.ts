import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeTestVectors } from './testing-vectors.ts';

const FOLDER = path.join(import.meta.dirname, '..', 'vectors');

// Other implementations of the verifier are tested with these files, so a code change that changes a verdict must fail
// here first. WRITE_VECTORS=1 rewrites them.
it('the verifier confirms the published vectors', async () => {
  for (const [name, vectors] of Object.entries(await makeTestVectors())) {
    const file = path.join(FOLDER, name);
    const text = `${JSON.stringify(vectors, null, 1)}\n`;
    if (process.env.WRITE_VECTORS) writeFileSync(file, text);
    expect(readFileSync(file, 'utf8') === text, `${name} is not up to date`).toBe(true);
  }
});

it('the vectors contain receipts of both kinds', () => {
  const { receipts }: { receipts: { name: string; verified: boolean; is_receipt: boolean; faults: object }[] } =
    JSON.parse(readFileSync(path.join(FOLDER, 'receipts.json'), 'utf8'));
  const names = receipts.filter(({ verified }) => verified).map(({ name }) => name);
  expect(names).toHaveLength(59);
  expect(names).toEqual(expect.arrayContaining(['won', 'lost', 'tie', 'void: no start tick', 'void: no end tick']));
  for (const { name, verified, is_receipt, faults } of receipts)
    if (!verified && is_receipt) expect(Object.keys(faults).length, name).toBeGreaterThan(0);
});
