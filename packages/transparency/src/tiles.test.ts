import {
  consistencyProof,
  inclusionPath,
  isConsistent,
  rootFromPath,
  toHex,
  treeRoot,
  utf8Bytes,
} from '@sathorn/proof';
import { describe, expect, it } from 'vitest';
import { readEntryBundle, writeEntryBundle } from './entry-bundle.ts';
import { leavesOf } from './testing-log.ts';
import { countAtLevel, readTilePath, type TilePlace, tilePath, widthOf } from './tile-path.ts';
import {
  consistencyFromTiles,
  growTiles,
  inclusionFromTiles,
  type ReadTile,
  readTile,
  rootFromTiles,
  TileMissing,
  writeTile,
} from './tiles.ts';

/** A folder of a log's tiles, grown in steps as a log does it. */
class TileFolder {
  readonly files = new Map<string, Uint8Array>();
  reads = 0;
  size = 0;

  readonly read: ReadTile = async (place) => {
    this.reads += 1;
    return this.files.get(tilePath(place));
  };

  async grow(count: number): Promise<void> {
    for (const tile of await growTiles(this.size, leavesOf(count, this.size), this.read))
      this.files.set(tilePath(tile), tile.bytes);
    this.size += count;
  }
}

async function folderOf(...steps: readonly number[]): Promise<TileFolder> {
  const folder = new TileFolder();
  for (const count of steps) await folder.grow(count);
  return folder;
}

describe('where tiles are', () => {
  const rows: readonly (readonly [TilePlace, string])[] = [
    // The example of the specification.
    [{ level: 0, index: 1_234_067, width: 256 }, 'tile/0/x001/x234/067'],
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 1, index: 999, width: 1 }, 'tile/1/999.p/1'],
    [{ level: 63, index: 1_000, width: 255 }, 'tile/63/x001/000.p/255'],
    [{ level: 'entries', index: 273, width: 112 }, 'tile/entries/273.p/112'],
  ];
  it.each(rows)('%o is %s', (place, path) => {
    expect(tilePath(place)).toBe(path);
    expect(readTilePath(path)).toEqual(place);
  });

  it.each([
    'tile/64/000',
    'tile/00/000',
    'tile/0/0',
    'tile/0/x000/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/0/000/001',
    'tile/-1/000',
    'tile/data/000',
    'tile/0/../000',
    'tile/0/000/',
    '/tile/0/000',
    'tile/0/x999/x999/x999/x999/x999/999',
    'checkpoint',
    '',
  ])('%s is no tile', (path) => expect(readTilePath(path)).toBeUndefined());

  it('has for 70,000 entries the tiles of the specification', () => {
    expect([0, 1, 2, 3].map((level) => countAtLevel(level, 70_000))).toEqual([70_000, 273, 1, 0]);
    expect(widthOf(0, 272, 70_000)).toBe(256);
    expect(widthOf(0, 273, 70_000)).toBe(112);
    expect(widthOf(0, 274, 70_000)).toBe(0);
    expect([widthOf(1, 0, 70_000), widthOf(1, 1, 70_000), widthOf(2, 0, 70_000)]).toEqual([256, 17, 1]);
    expect([widthOf(0, 0, 256), widthOf(1, 0, 256), widthOf(2, 0, 256)]).toEqual([256, 1, 0]);
  });
});

describe('a log of tiles', () => {
  it('has the same tiles however it grew', async () => {
    const atOnce = await folderOf(70_000);
    const inSteps = await folderOf(1, 254, 1, 1, 255, 256, 511, 4_257, 60_000, 4_464);
    expect(inSteps.size).toBe(70_000);
    for (const [path, bytes] of atOnce.files) expect([path, inSteps.files.get(path)]).toEqual([path, bytes]);
    // What it has besides are partial tiles of the sizes in between.
    for (const path of inSteps.files.keys()) expect(atOnce.files.has(path) || path.includes('.p/')).toBe(true);
    expect([...atOnce.files.keys()].filter((path) => path.includes('.p/')).sort()).toEqual([
      'tile/0/273.p/112',
      'tile/1/001.p/17',
      'tile/2/000.p/1',
    ]);
  });

  it('gives the root and the proofs of RFC 6962', async () => {
    const leaves = leavesOf(1_100);
    const folder = await folderOf(1_100);
    for (const size of [1, 2, 3, 255, 256, 257, 511, 512, 513, 767, 1_024, 1_099, 1_100]) {
      const some = leaves.slice(0, size);
      const root = treeRoot(some);
      // Only the tiles of 1,100 entries are there: a log may drop partial tiles that became full.
      const read: ReadTile = async (place) => {
        const { level } = place;
        if (level === 'entries') return undefined;
        const had = folder.files.get(tilePath({ ...place, width: widthOf(level, place.index, 1_100) }));
        return had?.slice(0, place.width * 32);
      };
      expect(toHex(await rootFromTiles(size, read))).toBe(toHex(root));
      for (const index of [0, 1, 2, 127, 255, 256, 511, 700, 1_023, size - 1].filter((each) => each < size)) {
        const path = await inclusionFromTiles(index, size, read);
        expect(path).toEqual(inclusionPath(some, index));
        expect(rootFromPath(leaves[index] ?? new Uint8Array(), index, size, path)).toEqual(root);
      }
      for (const before of [1, 2, 3, 128, 255, 256, 257, 500, 512, 1_000, 1_024, size].filter((each) => each <= size)) {
        const proof = await consistencyFromTiles(before, size, read);
        expect(proof).toEqual(consistencyProof(some, before));
        const first = { size: before, root: treeRoot(leaves.slice(0, before)) };
        expect(isConsistent(first, { size, root }, proof)).toBe(true);
      }
    }
    expect(toHex(await rootFromTiles(0, folder.read))).toBe(toHex(treeRoot([])));
    expect(await consistencyFromTiles(0, 1_100, folder.read)).toEqual([]);
  });

  it('knows the root of a size at which it signed nothing', async () => {
    const folder = await folderOf(10, 400);
    for (const size of [11, 255, 256, 257, 311, 409])
      expect(await rootFromTiles(size, folder.read, 410)).toEqual(treeRoot(leavesOf(size)));
    await expect(rootFromTiles(311, folder.read)).rejects.toThrow(TileMissing);
  });

  it('takes a full tile where the partial one is gone', async () => {
    const folder = await folderOf(200, 100);
    folder.files.delete('tile/0/000.p/200');
    expect(toHex(await rootFromTiles(200, folder.read))).toBe(toHex(treeRoot(leavesOf(200))));
  });

  it('reads a few tiles for a proof in a large log', async () => {
    const folder = await folderOf(70_000);
    folder.reads = 0;
    await inclusionFromTiles(12_345, 70_000, folder.read);
    await consistencyFromTiles(65_537, 70_000, folder.read);
    expect(folder.reads).toBeLessThan(12);
  });

  it('says when a tile is missing or has another length', async () => {
    const folder = await folderOf(300);
    folder.files.set('tile/0/000', new Uint8Array(8_191));
    // The root needs only what the level above has of a full tile; a path within it needs the tile.
    await expect(rootFromTiles(300, folder.read)).resolves.toEqual(treeRoot(leavesOf(300)));
    await expect(inclusionFromTiles(5, 300, folder.read)).rejects.toThrow(TileMissing);
    folder.files.delete('tile/0/000');
    await expect(inclusionFromTiles(5, 300, folder.read)).rejects.toThrow(TileMissing);
    folder.files.delete('tile/0/001.p/44');
    await expect(growTiles(300, leavesOf(1), folder.read)).rejects.toThrow(TileMissing);
    await expect(inclusionFromTiles(300, 300, folder.read)).rejects.toThrow(RangeError);
    await expect(consistencyFromTiles(301, 300, folder.read)).rejects.toThrow(RangeError);
  });

  it('is not believed where a tile was altered', async () => {
    const folder = await folderOf(600);
    const root = await rootFromTiles(600, folder.read);
    const tile = folder.files.get('tile/0/001');
    if (tile === undefined) throw new Error('no tile');
    tile[5] = (tile[5] ?? 0) ^ 1;
    const path = await inclusionFromTiles(300, 600, folder.read);
    const [leaf] = leavesOf(1, 300);
    expect(rootFromPath(leaf ?? new Uint8Array(), 300, 600, path)).not.toEqual(root);
  });
});

describe('tiles and bundles', () => {
  it('of hashes have exactly their width', () => {
    const hashes = leavesOf(3);
    expect(readTile(writeTile(hashes), 3)).toEqual(hashes);
    expect(readTile(writeTile(hashes), 2)).toBeUndefined();
    expect(readTile(new Uint8Array(), 1)).toBeUndefined();
  });

  it('of entries are their lengths and bytes', () => {
    const entries = ['', 'a', 'x'.repeat(300), 'x'.repeat(65_535)].map(utf8Bytes);
    const bundle = writeEntryBundle(entries);
    expect([...bundle.slice(0, 5)]).toEqual([0, 0, 0, 1, 97]);
    expect(readEntryBundle(bundle)).toEqual(entries);
    expect(() => writeEntryBundle([utf8Bytes('x'.repeat(65_536))])).toThrow(RangeError);
    for (const end of [1, 3, 4, bundle.length - 1]) expect(readEntryBundle(bundle.slice(0, end))).toBeUndefined();
    expect(readEntryBundle(new Uint8Array())).toBeUndefined();
    expect(readEntryBundle(writeEntryBundle(Array.from({ length: 257 }, () => utf8Bytes('a'))))).toBeUndefined();
  });
});
