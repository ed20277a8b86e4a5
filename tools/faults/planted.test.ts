import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { laneOf, type PlantedFault, plant, tableOf } from './plant.ts';
import { PLANTED } from './planted.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('the list of planted faults', () => {
  it.each(PLANTED.map((fault) => [`${fault.module}: ${fault.says}`, fault] as const))('%s', (_name, fault) => {
    expect(() => plant(fault, readFileSync(path.join(ROOT, fault.where), 'utf8'))).not.toThrow();
    expect(fault.tests.length).toBeGreaterThan(0);
    expect(fault.tests.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  it('contains no fault twice', () => {
    const names = PLANTED.map(({ where, find, put }) => `${where} ${find} ${put}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('a fault', () => {
  const fault: PlantedFault = {
    module: 'm',
    where: 'f.ts',
    find: 'a < b',
    put: 'a <= b',
    tests: [],
    says: 'is off by one',
  };
  it('changes only its own text', () => expect(plant(fault, 'x; a < b; y')).toBe('x; a <= b; y'));
  it.each([
    ['is gone', 'x; y', 'is gone'],
    ['occurs twice', 'a < b; a < b', 'occurs 2 times'],
  ])('is an error when its rule %s', (_what, text, says) => expect(() => plant(fault, text)).toThrow(says));
  it('throws if it changes nothing', () =>
    expect(() => plant({ ...fault, put: fault.find }, 'a < b')).toThrow('changes nothing'));
  it.each([
    ['apps/server/src/x.test.ts', 'server'],
    ['apps/server/src/x.faults.test.ts', 'faults'],
    ['packages/money/src/x.test.ts', 'pure'],
  ])('%s is run in the lane %s', (file, lane) => expect(laneOf(file)).toBe(lane));
  it('counts in its module and in the total', () =>
    expect(
      tableOf([
        { module: 'boxes', isCaught: true },
        { module: 'boxes', isCaught: false },
      ]),
    ).toEqual(['boxes            2 planted   1 caught', 'all              2 planted   1 caught']));
});
