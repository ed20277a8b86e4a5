import { expect, it } from 'vitest';
import { listRelatedTests, testsWithinSeconds } from './related-tests.ts';

const ROOM = 'apps/server/src/earning/invites';
const tree = new Map([
  [`${ROOM}/invites.test.ts`, `import { judge } from './judge.ts';\nimport '../../whole/testing-platform.ts';`],
  [`${ROOM}/judge.ts`, `import { add } from '@sathorn/money';`],
  ['apps/server/src/process/gates.test.ts', `import '../whole/testing-platform.ts';`],
  ['apps/server/src/whole/testing-platform.ts', `import { startPlatform } from '../process/start-platform.ts';`],
  ['apps/server/src/process/start-platform.ts', `import '../earning/invites/judge.ts';`],
  ['apps/server/src/whole/crash.faults.test.ts', `import './testing-platform.ts';`],
  ['packages/money/src/index.ts', `export * from './add.ts';`],
  ['packages/money/src/add.ts', ''],
]);

it.each([
  ['a file of the room', [`${ROOM}/judge.ts`], [`${ROOM}/invites.test.ts`]],
  ['a package that the room imports', ['packages/money/src/add.ts'], [`${ROOM}/invites.test.ts`]],
  [
    'what opens the platform, and not the faults',
    ['apps/server/src/whole/testing-platform.ts'],
    [`${ROOM}/invites.test.ts`, 'apps/server/src/process/gates.test.ts'],
  ],
  ['a document', ['README.md'], []],
])('runs the tests of %s', (_, changed, tests) => {
  expect(listRelatedTests(tree, changed)).toEqual(tests);
});

it('takes the nearest tests first, as many as fit into the time', () => {
  const tests = listRelatedTests(tree, ['apps/server/src/whole/testing-platform.ts', `${ROOM}/judge.ts`]);
  expect(tests).toEqual([`${ROOM}/invites.test.ts`, 'apps/server/src/process/gates.test.ts']);
  const took: Record<string, number> = { near: 20, slow: 50, far: 30 };
  const secondsOf = (test: string): number => took[test] ?? 0;
  expect(testsWithinSeconds(['near', 'far', 'slow'], secondsOf, 60)).toEqual(['near', 'far']);
  expect(testsWithinSeconds(['slow'], secondsOf, 10)).toEqual(['slow']);
  expect(testsWithinSeconds([], secondsOf, 10)).toEqual([]);
});
