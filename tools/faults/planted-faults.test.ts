import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultTable, laneOf, type PlantedFault, plantFault } from './plant.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('the list of planted faults', () => {
  it.each(PLANTED_FAULTS.map((fault) => [`${fault.module}: ${fault.says}`, fault] as const))('%s', (_name, fault) => {
    expect(() => plantFault(fault, readFileSync(path.join(ROOT, fault.where), 'utf8'))).not.toThrow();
    expect(fault.tests.length).toBeGreaterThan(0);
    expect(fault.tests.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  it('contains no fault twice', () => {
    const names = PLANTED_FAULTS.map(({ where, find, put }) => `${where} ${find} ${put}`);
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
  it('changes only its own text', () => expect(plantFault(fault, 'x; a < b; y')).toBe('x; a <= b; y'));
  it.each([
    ['is gone', 'x; y', 'is gone'],
    ['occurs twice', 'a < b; a < b', 'occurs 2 times'],
  ])('is an error when its rule %s', (_what, text, says) => expect(() => plantFault(fault, text)).toThrow(says));
  it('throws if it changes nothing', () =>
    expect(() => plantFault({ ...fault, put: fault.find }, 'a < b')).toThrow('changes nothing'));
  it.each([
    ['apps/server/src/x.test.ts', 'server'],
    ['apps/server/src/x.faults.test.ts', 'faults'],
    ['packages/money/src/x.test.ts', 'pure'],
  ])('%s is run in the lane %s', (file, lane) => expect(laneOf(file)).toBe(lane));
  it('counts in its module and in the total', () =>
    expect(
      faultTable([
        { module: 'boxes', isCaught: true },
        { module: 'boxes', isCaught: false },
      ]),
    ).toEqual(['boxes            2 planted   1 caught', 'all              2 planted   1 caught']));
});
