/**
 * Proofs from a log's tiles, and the tiles of a log that grows. What comes from a server's tiles is a claim until it
 * leads to a checkpoint's root: `rootFromPath` and `isConsistent` decide.
 */
import { type Bytes, isConsistent, sha256, treeRoot } from '@sathorn/proof';
import { countAtLevel, TILE_WIDTH, type TilePlace, widthOf } from './tile-path.ts';

const HASH_BYTES = 32;
/** Levels of a tree between two levels of tiles: 256 is two to the eighth. */
const TILE_HEIGHT = 8;

export const writeTile = (hashes: readonly Uint8Array[]): Bytes => {
  const tile = new Uint8Array(hashes.length * HASH_BYTES);
  for (const [n, hash] of hashes.entries()) tile.set(hash, n * HASH_BYTES);
  return tile;
};

/** Undefined unless the bytes are exactly `width` hashes. */
export function readTile(tile: Uint8Array, width: number): Bytes[] | undefined {
  if (tile.length !== width * HASH_BYTES) return undefined;
  return Array.from({ length: width }, (_, n) => new Uint8Array(tile.slice(n * HASH_BYTES, (n + 1) * HASH_BYTES)));
}

/** Reads one of a log's files; undefined if it is not there. */
export type ReadTile = (place: TilePlace) => Promise<Uint8Array | undefined>;

/** A log's tile is missing or has another length. */
export class TileMissing extends Error {}

/** The hashes of a log of a certain size, each tile read once. */
class TreeOfTiles {
  readonly #size: number;
  readonly #read: ReadTile;
  readonly #tiles = new Map<string, Promise<readonly Bytes[]>>();

  constructor(size: number, read: ReadTile) {
    this.#size = size;
    this.#read = read;
  }

  #tile(level: number, index: number): Promise<readonly Bytes[]> {
    const name = `${level} ${index}`;
    const known = this.#tiles.get(name) ?? this.#load(level, index);
    this.#tiles.set(name, known);
    return known;
  }

  async #load(level: number, index: number): Promise<readonly Bytes[]> {
    const width = widthOf(level, index, this.#size);
    const exact = await this.#read({ level, index, width });
    // A log may drop a partial tile once the full one is there, and both begin alike.
    const full = exact ?? (width < TILE_WIDTH ? await this.#read({ level, index, width: TILE_WIDTH }) : undefined);
    const hashes = full && readTile(full.slice(0, width * HASH_BYTES), width);
    if (hashes === undefined || width === 0) throw new TileMissing(`tile ${level} ${index}`);
    return hashes;
  }

  /** The root of the entries from `from` to before `to`, a subtree of RFC 6962: `from` is a multiple of its width. */
  async rootOf(from: number, to: number): Promise<Bytes> {
    const count = to - from;
    const height = heightOf(count);
    if (2 ** height !== count) {
      const split = from + 2 ** (height - 1);
      return treeRoot([await this.rootOf(from, split), await this.rootOf(split, to)]);
    }
    const level = Math.floor(height / TILE_HEIGHT);
    const hashesInRange = 2 ** (height % TILE_HEIGHT);
    const first = from / TILE_WIDTH ** level;
    const tile = await this.#tile(level, Math.floor(first / TILE_WIDTH));
    const at = first % TILE_WIDTH;
    // A full tile's root is also the hash of it that the level above has.
    return treeRoot(tile.slice(at, at + hashesInRange));
  }
}

/** The height of the smallest full tree with room for `count` leaves. */
function heightOf(count: number): number {
  let height = 0;
  while (2 ** height < count) height += 1;
  return height;
}

/**
 * The root of a log's first `size` entries; of none the hash of nothing. `stored` is how many entries the tiles have:
 * there need be no partial tiles of a size at which the log signed nothing.
 */
export async function rootFromTiles(size: number, read: ReadTile, stored = size): Promise<Bytes> {
  return size === 0 ? sha256() : new TreeOfTiles(stored, read).rootOf(0, size);
}

/** The path from an entry to the root of a log of `size`, lowest first (RFC 6962, 2.1.1). */
export async function inclusionFromTiles(index: number, size: number, read: ReadTile): Promise<Bytes[]> {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) throw new RangeError('no such entry');
  const tree = new TreeOfTiles(size, read);
  const path: Bytes[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const split = from + 2 ** (heightOf(to - from) - 1);
    path.unshift(index < split ? await tree.rootOf(split, to) : await tree.rootOf(from, split));
    if (index < split) to = split;
    else from = split;
  }
  return path;
}

/**
 * Proves that a log of `size` begins with its first `before` entries (RFC 6962, 2.1.2). An empty one suffices from
 * nothing and from the same size.
 */
export async function consistencyFromTiles(before: number, size: number, read: ReadTile): Promise<Bytes[]> {
  if (!Number.isSafeInteger(before) || before < 0 || before > size) throw new RangeError('no such earlier tree');
  if (before === 0 || before === size) return [];
  const tree = new TreeOfTiles(size, read);
  const proof: Bytes[] = [];
  let [from, to] = [0, size];
  while (before !== to) {
    const split = from + 2 ** (heightOf(to - from) - 1);
    proof.unshift(before <= split ? await tree.rootOf(split, to) : await tree.rootOf(from, split));
    if (before <= split) to = split;
    else from = split;
  }
  // The earlier tree's own root is not repeated.
  return from === 0 ? proof : [await tree.rootOf(from, to), ...proof];
}

/** With which root a log begins at a smaller size, and the consistency proof from there to its own root. */
export interface ShownBeginning {
  readonly root: Bytes;
  readonly proof: readonly Bytes[];
}

/** How a log's tiles say that it begins; undefined if they are not there, or do not lead to its own root. */
export async function beginningFromTiles(
  size: number,
  log: { readonly size: number; readonly root: Bytes },
  read: ReadTile,
): Promise<ShownBeginning | undefined> {
  try {
    const root = await rootFromTiles(size, read, log.size);
    const proof = await consistencyFromTiles(size, log.size, read);
    return isConsistent({ size, root }, log, proof) ? { root, proof } : undefined;
  } catch (fault) {
    if (fault instanceof TileMissing) return undefined;
    throw fault;
  }
}

export interface WrittenTile extends TilePlace {
  readonly level: number;
  readonly bytes: Bytes;
}

/**
 * The tiles of hashes that a log of `size` needs when leaves are added: the new ones, and the partial ones that become
 * wider. `read` returns the tiles of the log as it was.
 */
export async function growTiles(size: number, leaves: readonly Uint8Array[], read: ReadTile): Promise<WrittenTile[]> {
  const written: WrittenTile[] = [];
  let added: readonly Uint8Array[] = leaves;
  for (let level = 0; added.length > 0; level += 1) {
    const had = countAtLevel(level, size);
    const first = Math.floor(had / TILE_WIDTH);
    const begun = had % TILE_WIDTH;
    const before = begun === 0 ? [] : readTile((await read({ level, index: first, width: begun })) ?? EMPTY, begun);
    if (before === undefined) throw new TileMissing(`tile ${level} ${first}`);
    const hashes = [...before, ...added];
    const above: Uint8Array[] = [];
    for (let n = 0; n < hashes.length; n += TILE_WIDTH) {
      const tile = hashes.slice(n, n + TILE_WIDTH);
      written.push({ level, index: first + n / TILE_WIDTH, width: tile.length, bytes: writeTile(tile) });
      if (tile.length === TILE_WIDTH) above.push(treeRoot(tile));
    }
    added = above;
  }
  return written;
}
const EMPTY = new Uint8Array();
