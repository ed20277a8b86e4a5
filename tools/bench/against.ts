import { readFileSync, writeFileSync } from 'node:fs';
import type { BenchFigure } from './figure.ts';

/** Ratios of earlier runs by name, as in `ratios.json`. */
export type GoalShares = Readonly<Record<string, number>>;

/** Runs differ by up to this share without any change. */
const FALL_MAX = 0.1;

export const goalSharesOf = (figures: readonly BenchFigure[]): GoalShares =>
  Object.fromEntries(figures.flatMap(({ share }) => (share ? [[share[0], Number(share[1].toFixed(2))]] : [])));

/** Returns one line per share that fell by more than a tenth. A share that was not measured has not fallen. */
export function listFallenShares(before: GoalShares, now: GoalShares): string[] {
  return Object.entries(before).flatMap(([name, was]) => {
    const is = now[name];
    if (is === undefined || is >= was * (1 - FALL_MAX)) return [];
    return [`${name} fell from ${was} to ${is}, by ${Math.round((1 - is / was) * 100)}%`];
  });
}

export const readGoalShares = (file: string): GoalShares => JSON.parse(readFileSync(file, 'utf8')) as GoalShares;

/** Writes the new shares over the measured ones, and keeps the others. */
export const writeGoalShares = (file: string, before: GoalShares, now: GoalShares): void =>
  writeFileSync(file, `${JSON.stringify({ ...before, ...now }, null, 2)}\n`);
