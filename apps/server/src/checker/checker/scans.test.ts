import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FREQUENT_INVARIANTS, MINUTELY_INVARIANTS } from './invariants.ts';
import { CHECKER_SCANS } from './scans.ts';

const isWalk = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'starts' in value && 'invariants' in value && 'next' in value;

it('a pass includes every scan that a file of scans exports', async () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('-scans.ts'));
  const modules = await Promise.all(files.map((name) => import(`./${name}`) as Promise<Record<string, unknown>>));
  const exported = modules.flatMap((module) => Object.values(module).filter(isWalk));
  expect(exported.length).toBeGreaterThan(8);
  expect(exported.filter((scan) => !CHECKER_SCANS.includes(scan as (typeof CHECKER_SCANS)[number]))).toEqual([]);
});

it('a round asks every invariant of the current state, none of which needs the keys of signatures', () => {
  const unasked = [...FREQUENT_INVARIANTS, ...MINUTELY_INVARIANTS].filter(
    ({ isBroken, isKeyless }) => isBroken !== undefined && isKeyless !== true,
  );
  expect(unasked).toEqual([]);
});
