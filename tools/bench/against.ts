import { readFileSync, writeFileSync } from 'node:fs';
import type { Figure } from './figure.ts';

/** Ratios of earlier runs by name, as in `ratios.json`. */
export type Shares = Readonly<Record<string, number>>;

/** Runs differ by up to this share without any change. */
const FALL_MAX = 0.1;

export const sharesOf = (figures: readonly Figure[]): Shares =>
  Object.fromEntries(figures.flatMap(({ share }) => (share ? [[share[0], Number(share[1].toFixed(2))]] : [])));

/** Returns one line per share that fell by more than a tenth. A share that was not measured has not fallen. */
export function fallenSince(before: Shares, now: Shares): string[] {
  return Object.entries(before).flatMap(([name, was]) => {
    const is = now[name];
    if (is === undefined || is >= was * (1 - FALL_MAX)) return [];
    return [`${name} fell from ${was} to ${is}, by ${Math.round((1 - is / was) * 100)}%`];
  });
}

export const readShares = (file: string): Shares => JSON.parse(readFileSync(file, 'utf8')) as Shares;

/** Writes the new shares over the measured ones, and keeps the others. */
export const writeShares = (file: string, before: Shares, now: Shares): void =>
  writeFileSync(file, `${JSON.stringify({ ...before, ...now }, null, 2)}\n`);
