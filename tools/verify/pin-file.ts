import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ProofKey, SeenTick } from '@sathorn/proof';

/** The data that the command stores between runs: the keys, and each coin's newest tick. */
export interface Pins {
  readonly keys: readonly ProofKey[];
  readonly heads: Readonly<Record<string, SeenTick>>;
}

export const NO_PINS: Pins = { keys: [], heads: {} };

/** Throws if the file has another format, because treating it as a first run would drop the pins. */
export function readPins(file: string): Pins {
  if (!existsSync(file)) return NO_PINS;
  const fail = (): never => {
    throw new Error(`${file} is not a file of pins`);
  };
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof value !== 'object' || value === null || !('keys' in value) || !('heads' in value)) return fail();
  const { keys, heads } = value;
  if (!Array.isArray(keys) || typeof heads !== 'object' || heads === null) return fail();
  const isHex = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
  if (!keys.every((key: Partial<ProofKey> | null) => isHex(key?.public_key))) return fail();
  const read = Object.entries(heads as Record<string, { sequence?: unknown; hash?: unknown } | null>).map(
    ([coin, head]): [string, SeenTick] => {
      const sequence = String(head?.sequence);
      if (!/^[1-9][0-9]{0,17}$/.test(sequence) || !isHex(head?.hash)) return fail();
      return [coin, { sequence: BigInt(sequence), hash: head.hash }];
    },
  );
  return { keys, heads: Object.fromEntries(read) };
}

/** Writes a new file and renames it, because the next run would reject a truncated one. */
export function writePins(file: string, { keys, heads }: Pins): void {
  const texts = Object.fromEntries(
    Object.entries(heads).map(([coin, { sequence, hash }]) => [coin, { sequence: String(sequence), hash }]),
  );
  const plain = keys.map(({ use, id, public_key }) => ({ use, id, public_key }));
  writeFileSync(`${file}.new`, `${JSON.stringify({ v: 'pins/1', keys: plain, heads: texts }, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}
