import { expect, test } from 'vitest';
import { filesWith, type Manifest, weigh } from './weigh.ts';

const manifest: Manifest = {
  'index.html': {
    file: 'index.js',
    imports: ['_react.js'],
    css: ['index.css'],
    dynamicImports: ['src/home/home.tsx'],
  },
  '_react.js': { file: 'react.js' },
  '_forms-x.js': { file: 'forms.js', imports: ['_react.js'] },
  '_commonParts-x.js': { file: 'parts.js', imports: ['_react.js'], css: ['parts.css'] },
  '_companions-x.js': { file: 'companions.js', imports: ['_react.js'] },
  'src/home/home.tsx': { file: 'home.js', imports: ['index.html', '_row.js'] },
  '_row.js': { file: 'row.js', css: ['row.css'], imports: ['src/home/home.tsx'] },
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
const sizes: Record<string, number> = { 'react.js': 60_000, 'home.js': 3_000, 'sign-in.js': 20_000 };
const weights = weigh(manifest, (file) => sizes[file] ?? 1_000, ['src/home/home.tsx', 'src/sign-in/sign-in.tsx']);
const bytesOf = (name: string) => weights.find((weight) => weight.name === name)?.bytes;

test('a chunk is counted with everything it imports, once, even in a cycle', () => {
  expect([...filesWith(manifest, 'src/home/home.tsx')].sort()).toEqual([
    'home.js',
    'index.css',
    'index.js',
    'react.js',
    'row.css',
    'row.js',
  ]);
});

test('the first route is the page, home and one catalogue; a further route only what is new', () => {
  expect(bytesOf('first route, Thai')).toBe(60_000 + 3_000 + 5_000);
  expect(bytesOf('route sign-in')).toBe(20_000);
  expect(bytesOf('forms, once')).toBe(1_000);
  expect(bytesOf('parts, once')).toBe(2_000);
  expect(bytesOf('companions, once')).toBe(1_000);
});

test('what the chart shares with its place in the page is counted there', () => {
  expect(bytesOf('chart')).toBe(1_000);
});

test('a route above its limit is reported', () => {
  expect(weights.filter(({ bytes, limit }) => bytes > limit).map(({ name }) => name)).toEqual(['route sign-in']);
});
