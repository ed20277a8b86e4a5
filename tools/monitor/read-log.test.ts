import { type Checkpoint, readCheckpoint, readNote, readWitnessPolicy, tilePath } from '@sathorn/transparency';
import { describe, expect, it } from 'vitest';
import { judgeServed, readBundle, tilesOf } from './read-log.ts';
import { BEGAN_MS, headsAt, TestingPlatform } from './testing-platform.ts';

const batchOf = (count: number, from: number) =>
  Array.from({ length: count }, (_, n) =>
    headsAt(BEGAN_MS + from + n, { promises: [String(from + n + 1), 'a'.repeat(64)] }),
  );

function policyOf(platform: TestingPlatform) {
  const policy = readWitnessPolicy(platform.policy);
  if ('fault' in policy) throw new Error(policy.fault);
  return policy;
}
function checkpointOf(platform: TestingPlatform): Checkpoint {
  const note = readNote(platform.checkpoint);
  const checkpoint = typeof note === 'string' ? undefined : readCheckpoint(note.text);
  if (checkpoint === undefined) throw new Error('no checkpoint');
  return checkpoint;
}

describe('the entries of a log', () => {
  it('lead to the root at every size, each of them', async () => {
    const platform = new TestingPlatform();
    let [size, previous]: [number, Checkpoint | null] = [0, null];
    for (const more of [1, 2, 253, 1, 255, 300]) {
      await platform.log(batchOf(more, size));
      size += more;
      const tile = tilesOf(platform.readFile);
      const note = new TextEncoder().encode(platform.checkpoint);
      const found = await judgeServed(note, policyOf(platform), previous, tile);
      expect([found.isAccepted, found.checkpoint?.size]).toEqual([true, size]);
      previous = checkpointOf(platform);
      const read: number[] = [];
      for (let index = 0; index * 256 < size; index += 1)
        read.push((await readBundle(index, previous, tile))?.length ?? 0);
      expect(read).toEqual([...Array(Math.floor(size / 256)).fill(256), ...(size % 256 === 0 ? [] : [size % 256])]);
    }
  });

  it('are refused where any byte of them, or of a tile on their way, is another', async () => {
    const platform = new TestingPlatform();
    await platform.log(batchOf(600, 0));
    const checkpoint = checkpointOf(platform);
    const change = async (name: string, at: number): Promise<boolean> => {
      const bytes = platform.files.get(name);
      if (bytes === undefined) throw new Error(`no ${name}`);
      const other = bytes.slice();
      other.set([(other[at] ?? 0) ^ 1], at);
      platform.files.set(name, other);
      const entries = await readBundle(1, checkpoint, tilesOf(platform.readFile));
      platform.files.set(name, bytes);
      return entries === null;
    };
    const bundle = tilePath({ level: 'entries', index: 1, width: 256 });
    const length = platform.files.get(bundle)?.length ?? 0;
    for (let at = 0; at < length; at += 97) expect([at, await change(bundle, at)]).toEqual([at, true]);
    expect(await change(tilePath({ level: 1, index: 0, width: 2 }), 3)).toBe(true);
    // Its own tile is never asked for: its own hashes stand for it.
    expect(await change(tilePath({ level: 0, index: 1, width: 256 }), 3)).toBe(false);
    platform.files.delete(bundle);
    expect(await readBundle(1, checkpoint, tilesOf(platform.readFile))).toBeNull();
  });

  it('a checkpoint without the tiles that prove it is refused', async () => {
    const platform = new TestingPlatform();
    await platform.log(batchOf(300, 0));
    const previous = checkpointOf(platform);
    await platform.log(batchOf(300, 300));
    const note = new TextEncoder().encode(platform.checkpoint);
    const missing = tilesOf(async () => null);
    expect(await judgeServed(note, policyOf(platform), previous, missing)).toMatchObject({ refusal: 'proof_missing' });
  });
});
