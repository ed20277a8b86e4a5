import { leafHash, treeRoot, utf8Bytes } from '@sathorn/proof';
import { describe, expect, it } from 'vitest';
import { readEntryBundle } from './entry-bundle.ts';
import { growLog } from './grow-log.ts';
import { tilePath, widthOf } from './tile-path.ts';
import { TileMissing } from './tiles.ts';

const ORIGIN = 'log.example/a';
const entriesOf = (from: number, count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, n) => utf8Bytes(`entry ${from + n}`));

/** A log's folder, in which nothing may be replaced. */
class LogFolder {
  readonly files = new Map<string, Uint8Array>();
  size = 0;
  readonly read = async (place: Parameters<typeof tilePath>[0]) => this.files.get(tilePath(place));

  async add(count: number) {
    const { files, checkpoint } = await growLog(
      { origin: ORIGIN, size: this.size },
      entriesOf(this.size, count),
      this.read,
    );
    for (const file of files) {
      expect(this.files.has(tilePath(file))).toBe(false);
      this.files.set(tilePath(file), file.bytes);
    }
    this.size = checkpoint.size;
    return checkpoint;
  }
}

describe('a log that grows by batches', () => {
  it('has the root of all entries and every entry in its bundle, and replaces no file', async () => {
    const folder = new LogFolder();
    for (const count of [1, 9, 246, 1, 255, 300, 700, 0, 3]) {
      const checkpoint = await folder.add(count);
      const all = entriesOf(0, folder.size);
      const root = treeRoot(all.map(leafHash));
      expect(checkpoint).toEqual({ origin: ORIGIN, size: all.length, root, extensions: [] });
      for (let index = 0; widthOf(0, index, folder.size) > 0; index += 1) {
        const width = widthOf(0, index, folder.size);
        const bundle = folder.files.get(tilePath({ level: 'entries', index, width }));
        expect(bundle && readEntryBundle(bundle)).toEqual(all.slice(index * 256, index * 256 + width));
      }
    }
    expect(folder.size).toBe(1_515);
  });

  it('begins with nothing', async () => {
    const { files, checkpoint } = await growLog({ origin: ORIGIN, size: 0 }, [], async () => undefined);
    expect([files, checkpoint.size, checkpoint.root]).toEqual([[], 0, treeRoot([])]);
  });

  it('does not go on where a file is gone', async () => {
    for (const gone of ['tile/entries/001.p/44', 'tile/0/001.p/44', 'tile/1/000.p/1']) {
      const folder = new LogFolder();
      await folder.add(300);
      folder.files.delete(gone);
      await expect(folder.add(1)).rejects.toThrow(TileMissing);
    }
  });
});
