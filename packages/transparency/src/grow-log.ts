import { leafHash } from '@sathorn/proof';
import type { Checkpoint } from './checkpoint.ts';
import { readEntryBundle, writeEntryBundle } from './entry-bundle.ts';
import { TILE_WIDTH, type TilePlace, tilePath } from './tile-path.ts';
import { growTiles, type ReadTile, rootFromTiles, TileMissing } from './tiles.ts';

export interface LogFile extends TilePlace {
  readonly bytes: Uint8Array;
}

/** What a log stores before it signs, and what it signs then. */
export interface GrownLog {
  /** New files, and partial ones that became wider under a new name. None replaces another. */
  readonly files: readonly LogFile[];
  readonly checkpoint: Checkpoint;
}

/**
 * Adds a batch of entries to a log. `read` returns the log's files as they are. Everything of the answer must be
 * durable before the checkpoint is signed: a log that lost an entry that it had signed is dead.
 */
export async function growLog(
  { origin, size }: Pick<Checkpoint, 'origin' | 'size'>,
  entries: readonly Uint8Array[],
  read: ReadTile,
): Promise<GrownLog> {
  const bundles = await growBundles(size, entries, read);
  const tiles = await growTiles(size, entries.map(leafHash), read);
  const files = [...bundles, ...tiles];
  const made = new Map(files.map((file) => [tilePath(file), file.bytes]));
  const grown = size + entries.length;
  const root = await rootFromTiles(grown, async (place) => made.get(tilePath(place)) ?? read(place));
  return { files, checkpoint: { origin, size: grown, root, extensions: [] } };
}

async function growBundles(size: number, entries: readonly Uint8Array[], read: ReadTile): Promise<LogFile[]> {
  const first = Math.floor(size / TILE_WIDTH);
  const begun = size % TILE_WIDTH;
  const place: TilePlace = { level: 'entries', index: first, width: begun };
  const before = begun === 0 || entries.length === 0 ? [] : readEntryBundle((await read(place)) ?? new Uint8Array());
  // An entry that is gone can't be proved any more, though the tree goes on without it.
  if (before === undefined || (entries.length > 0 && before.length !== begun)) throw new TileMissing(tilePath(place));
  const all = [...before, ...entries];
  const files: LogFile[] = [];
  for (let n = 0; n < all.length; n += TILE_WIDTH) {
    const some = all.slice(n, n + TILE_WIDTH);
    const index = first + n / TILE_WIDTH;
    files.push({ level: 'entries', index, width: some.length, bytes: writeEntryBundle(some) });
  }
  return files;
}
