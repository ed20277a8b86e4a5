import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkHandlers } from './calls.ts';
import { checkCatalogues } from './catalogues.ts';
import { checkComments } from './comments.ts';
import { checkForbidden } from './forbidden.ts';
import { checkImports } from './imports.ts';
import { checkSchemas } from './schemas.ts';
import { readTree, type SourceTree } from './tree.ts';

const real = readTree(path.resolve(import.meta.dirname, '../..'));
/** The real tree with additional files. */
const planted = (files: Record<string, string>): SourceTree => new Map([...real, ...Object.entries(files)]);
const says = (faults: readonly { file: string; says: string }[], file: string): string =>
  faults
    .filter((fault) => fault.file === file)
    .map((fault) => fault.says)
    .join('; ');

describe('tidy', () => {
  it.each([
    [
      'an import that the rule forbids',
      'packages/money/src/planted.ts',
      "import { CALLS } from '@sathorn/api';",
      /may not import api/,
    ],
    [
      'an app that imports an app',
      'apps/web/src/planted.ts',
      "import { x } from '@sathorn/server/ledger';",
      /may not import server/,
    ],
    ['an undeclared package', 'packages/api/src/planted.ts', "import fastify from 'fastify';", /does not declare/],
    [
      'a path into another package',
      'packages/api/src/planted.ts',
      "import { money } from '../../money/src/money.ts';",
      /by a path/,
    ],
    [
      'a reach past a package’s door',
      'packages/api/src/planted.ts',
      "import { money } from '@sathorn/money/src/money.ts';",
      /past the door/,
    ],
    [
      'a reach past a room’s door',
      'apps/server/src/demo/demo/planted.ts',
      "import { lockHead } from '../../ledger/ledger-store.ts';",
      /past the door of ledger/,
    ],
    [
      'a dynamic import that the rule forbids',
      'packages/money/src/planted.ts',
      "const api = await import('@sathorn/api');",
      /may not import api/,
    ],
    [
      'an engine with I/O',
      'packages/settlement/src/planted.ts',
      "import { readFileSync } from 'node:fs';",
      /an engine imports/,
    ],
    [
      'a subject that imports another',
      'apps/web/src/home/planted.tsx',
      "import CoinList from '../coins/coin-list.tsx';",
      /subject home imports another/,
    ],
    [
      'a shared part that imports a subject',
      'apps/web/src/parts/market/planted.tsx',
      "import CoinList from '../../coins/coin-list.tsx';",
      /parts is there for every subject/,
    ],
    [
      'an import from a wing above',
      'apps/server/src/staff/offer/planted.ts',
      "import type { Options } from '../../exchange/options/index.ts';",
      /wing staff imports from above itself/,
    ],
    [
      'an import from what starts the server',
      'apps/server/src/platform/planted.ts',
      "import type { Config } from '../process/config.ts';",
      /wing platform imports from above itself/,
    ],
    [
      'an import between wings of one floor',
      'apps/server/src/money/deposits/planted.ts',
      "import { LOCKUPS } from '../../earning/earning/index.ts';",
      /wing money imports earning, which stands beside it/,
    ],
    [
      'a handler that takes a type from what opens its module',
      'apps/server/src/demo/demo/planted.ts',
      "import { type DemoDependencies, openDemo } from './open-demo.ts';",
      /takes a type from \.\/open-demo\.ts/,
    ],
    ['a file in no wing', 'apps/server/src/votes/planted.ts', 'export {};', /stands in no wing/],
    ['a second file at the root of the server', 'apps/server/src/planted.ts', 'export {};', /stands in no wing/],
    ['a file that does not exist', 'packages/money/src/planted.ts', "export * from './nowhere.ts';", /does not exist/],
  ])('reports %s', (_name, file, text, fault) => {
    expect(says(checkImports(planted({ [file]: text })), file)).toMatch(fault);
  });

  it('finds a cycle between modules', () => {
    const tree = planted({
      'apps/server/src/ledger/planted.ts': "import { fundDemoHouse } from '../demo/demo/index.ts';",
    });
    expect(checkImports(tree).some((fault) => /cycle: .*room (ledger|demo)/.test(fault.says))).toBe(true);
  });

  it.each([
    ['an app', 'apps/web/src/parts/chart', ''],
    ['types of an app', 'apps/web/src/parts/chart', 'type '],
    ['types of a package', 'packages/api/src', 'type '],
    ['a module', 'apps/server/src/ledger', ''],
    ['types of a module', 'apps/server/src/ledger', 'type '],
  ])('finds a cycle of files in %s', (_name, folder, type) => {
    const tree = planted({
      [`${folder}/a.ts`]: `import ${type}{ b } from './b.ts';`,
      [`${folder}/b.ts`]: `import { a } from './a.ts';`,
    });
    expect(checkImports(tree).some(({ says }) => says.startsWith('a cycle') && says.includes('/b.ts'))).toBe(true);
  });

  it('finds SQL on the tables of another module', () => {
    const file = 'apps/server/src/exchange/options/planted.ts';
    const sql = 'const sql = `SELECT units FROM ledger.account JOIN options.orders USING (id)`;';
    expect(checkSchemas(planted({ [file]: sql }))).toEqual([{ file, says: expect.stringMatching(/ledger\.account$/) }]);
  });

  it('finds a call without a handler', () => {
    expect(checkHandlers(real, { planted: { method: 'GET', path: '/planted' } })).toEqual([
      expect.objectContaining({ says: expect.stringMatching(/handled by 0 files/) }),
    ]);
  });

  it.each([
    ['a table', 'apps/server/migrations/9999-planted.sql', 'CREATE TABLE options.x (outcome text);'],
    ['a win rate', 'apps/server/migrations/9999-planted.sql', 'ALTER TABLE customers.customer ADD win_rate int;'],
    ['a field', 'packages/api/src/planted.ts', 'export const x = { price_override: 1 };'],
    ['a path', 'apps/console/src/paths.ts', "export const SCREENS = [{ path: '/setPrice' }];"],
    [
      'a screen',
      'apps/console/src/screens.ts',
      "export const screens = ['/set-price'].map((x) => x.replace('set-price', 'setPrice'));",
    ],
  ])('refuses %s that could rig a result', (_name, file, text) => {
    expect(says(checkForbidden(planted({ [file]: text })), file)).toMatch(/nobody sets/);
  });

  it('allows a forbidden name in a comment', () => {
    expect(
      checkForbidden(
        planted({ 'apps/server/migrations/9999-planted.sql': '-- There is no outcome column.\nSELECT 1;' }),
      ).filter((fault) => fault.file.includes('9999')),
    ).toEqual([]);
  });

  it('finds a missing translation, and a key in the wrong order', () => {
    const file = 'packages/text/src/catalogues/planted.json';
    const words = { th: 'x', en: 'x', zh: 'x', jp: 'x', ar: 'x' };
    const tree = planted({ [file]: JSON.stringify({ 'planted.key': words, 'a.key': { ...words, hi: 'x' } }) });
    expect(says(checkCatalogues(tree), file)).toMatch(/planted\.key in hi; .*sorted by key: a\.key/);
  });
});

it('finds a comment wider than 120 columns', () => {
  const wide = `// ${'a word '.repeat(20)}`;
  const file = 'packages/money/src/planted.ts';
  expect(says(checkComments(planted({ [file]: `\n${wide}\n` })), file)).toMatch(/line 2: a comment of more than 120/);
  expect(says(checkComments(planted({ [file]: `export const text = '${wide}';` })), file)).toBe('');
});
