import { expect, test } from 'vitest';
import { type BuildManifest, FIRST_VISITS, filesWith, weighBuild, weighVisits } from './weigh-build.ts';

const manifest: BuildManifest = {
  '_shell-x.js': {
    file: 'shell.js',
    imports: ['_react.js', '_row.js'],
    css: ['shell.css'],
    dynamicImports: ['src/sign-in/sign-in.tsx'],
  },
  '_react.js': { file: 'react.js' },
  '_forms-x.js': { file: 'forms.js', imports: ['_react.js'] },
  '_commonParts-x.js': { file: 'parts.js', imports: ['_react.js'], css: ['parts.css'] },
  '_companions-x.js': { file: 'companions.js', imports: ['_react.js'] },
  '_money-x.js': { file: 'money.js', imports: ['_react.js'] },
  '_orders-x.js': { file: 'orders.js', imports: ['_react.js'] },
  '_row.js': { file: 'row.js', css: ['row.css'], imports: ['_shell-x.js'] },
  'src/sign-in/sign-in.tsx': { file: 'sign-in.js', imports: ['_forms-x.js', '_row.js', '_commonParts-x.js'] },
  '_chart-panel-x.js': {
    file: 'panel.js',
    imports: ['_candles-x.js'],
    dynamicImports: ['src/parts/chart/candle-chart.tsx'],
  },
  '_candles-x.js': { file: 'candles.js' },
  'src/parts/chart/candle-chart.tsx': { file: 'chart.js', imports: ['_candles-x.js'] },
  'virtual:catalogue/th/first': { file: 'th-first.js' },
  'virtual:catalogue/th/rest': { file: 'th-rest.js' },
};
const sizes: Record<string, number> = { 'react.js': 60_000, 'shell.js': 3_000, 'sign-in.js': 20_000 };
const weights = weighBuild(manifest, (file) => sizes[file] ?? 1_000, ['src/home/home.tsx', 'src/sign-in/sign-in.tsx']);
const bytesOf = (name: string) => weights.find((weight) => weight.name === name)?.bytes;

test('counts a chunk with everything that it imports, once, even in a cycle', () => {
  expect([...filesWith(manifest, '_shell-x.js')].sort()).toEqual([
    'react.js',
    'row.css',
    'row.js',
    'shell.css',
    'shell.js',
  ]);
});

test('the first route is the page, home and one catalogue; a further route counts only new files', () => {
  expect(bytesOf('first route, Thai')).toBe(60_000 + 3_000 + 4_000);
  expect(bytesOf('route sign-in')).toBe(20_000);
  expect(bytesOf('forms, once')).toBe(1_000);
  expect(bytesOf('parts, once')).toBe(2_000);
  expect(bytesOf('companions, once')).toBe(1_000);
  expect(bytesOf('orders, once')).toBe(1_000);
});

test('counts files shared by the chart and its panel with the panel', () => {
  expect(bytesOf('chart')).toBe(1_000);
});

test('reports a route above its limit', () => {
  expect(weights.filter(({ bytes, limit }) => bytes > limit).map(({ name }) => name)).toEqual(['route sign-in']);
});

test('counts each file of a first visit once, by source or by group, and fails if a chunk is gone', () => {
  const loads = new Set<string>(Object.values(FIRST_VISITS).flatMap((visit) => [...visit.loads]));
  const whole: BuildManifest = {
    ...manifest,
    ...Object.fromEntries(
      [...loads].filter((name) => /\.tsx?$/.test(name)).map((name) => [name, { file: `${name}.js` }]),
    ),
    ...Object.fromEntries(
      ['offer', 'purchase', 'proofKeys'].map((name) => [`_${name}-x.js`, { file: `${name}.js`, imports: ['_row.js'] }]),
    ),
    'virtual:catalogue/th/contracts': { file: 'th-contracts.js' },
    'node_modules/workbox.js': { file: 'workbox.js', name: 'workbox-window.prod' },
  };
  const [home] = weighVisits(whole, () => 1);
  // The page and its installed files, the shell's five, the two that follow it, and the texts.
  expect(home).toMatchObject({ name: 'first visit of home', files: 5 + 5 + 2 + 2, bytes: 14 });
  const { '_offer-x.js': _, ...without } = whole;
  expect(() => weighVisits(without, () => 1)).toThrow('the build has nothing like offer');
});
