/** Where a log's files are (C2SP `tlog-tiles`), below the address of the log. */

/** How many hashes or entries a full tile has. */
export const TILE_WIDTH = 256;

/** A file of hashes at a level, from 0 at the leaves; or of the entries themselves. */
export interface TilePlace {
  readonly level: number | 'entries';
  readonly index: number;
  /** 1 to 256; below that the tile is partial. */
  readonly width: number;
}

const LEVEL_MAX = 63;

/** `tile/0/x001/x234/067`, with `.p/<width>` behind it for a partial tile. */
export function tilePath({ level, index, width }: TilePlace): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const parts = padded.match(/.{3}/g) ?? [];
  const last = parts.pop() ?? '';
  const partial = width === TILE_WIDTH ? '' : `.p/${width}`;
  return ['tile', String(level), ...parts.map((part) => `x${part}`), last].join('/') + partial;
}

/** Undefined unless the path is exactly the one of a tile, so that each file has one address. */
export function readTilePath(path: string): TilePlace | undefined {
  const [, levelText = '', indexText = '', widthText] =
    /^tile\/(0|[1-9][0-9]?|entries)\/((?:x[0-9]{3}\/){0,5}[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/.exec(path) ?? [];
  const level: TilePlace['level'] = levelText === 'entries' ? levelText : Number(levelText);
  const index = Number(indexText.replaceAll(/[x/]/g, ''));
  const width = widthText === undefined ? TILE_WIDTH : Number(widthText);
  if (levelText === '' || (level !== 'entries' && level > LEVEL_MAX) || !Number.isSafeInteger(index)) return undefined;
  const place = { level, index, width };
  return tilePath(place) === path ? place : undefined;
}

/** How many hashes of a level a log of `size` entries has: those of full tiles of the level below. */
export function countAtLevel(level: number, size: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** How wide a tile of a log of `size` entries is; 0 if it does not exist. */
export function widthOf(level: number, index: number, size: number): number {
  return Math.max(0, Math.min(TILE_WIDTH, countAtLevel(level, size) - index * TILE_WIDTH));
}
