import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PAGE = "'./page.tsx'";

/** A complete app with one page: everything that a second app has to provide. */
const FILES: Record<string, readonly string[]> = {
  'index.html': [
    '<!doctype html>',
    '<html lang="th-TH"><head><meta charset="utf-8" /><title>%brand.title%</title></head>',
    '<body><div id="app"></div><script type="module" src="/main.tsx"></script></body></html>',
  ],
  'brand.ts': ["export const brand = { title: 'Placeholder', baseUrl: '', locale: 'th' };"],
  'page.tsx': ["export default function Page() { return <p className='placeholder-page'>One page</p>; }"],
  'main.tsx': [
    "import { createScreenTable } from '@sathorn/app/screen-table';",
    "import { startApp } from '@sathorn/app/shell';",
    "const HOME = '/pages/index/index';",
    "const SCREENS = [{ path: HOME, also: ['/'], access: 'anyone', bar: 'title', title: 'tab.home' }] as const;",
    `const SCREEN_FILES = { [HOME]: () => import(${PAGE}) };`,
    "const table = createScreenTable(SCREENS, { home: HOME, login: HOME, signIn: '/pages/login/' });",
    'await startApp({ table, lazyScreen: (path) => SCREEN_FILES[path] });',
  ],
  'vite.config.ts': [
    "import { appPlugins } from '@sathorn/app/vite';",
    "import react from '@vitejs/plugin-react';",
    "import { defineConfig } from 'vite';",
    "import { brand } from './brand.ts';",
    "const brandFile = new URL('brand.ts', import.meta.url).pathname;",
    "const texts = { first: ['faults', 'shell'], rest: ['account', 'trade'] };",
    "const chunks = { shell: ['main.tsx'] };",
    'export default defineConfig({',
    '  root: import.meta.dirname,',
    '  plugins: [react(), appPlugins({ brand, brandFile, texts, chunks })],',
    '});',
  ],
};

const root = mkdtempSync(path.join(tmpdir(), 'placeholder-app-'));
const read = (file: string): string => readFileSync(path.join(root, 'dist', file), 'utf8');

beforeAll(async () => {
  for (const [file, lines] of Object.entries(FILES)) writeFileSync(path.join(root, file), lines.join('\n'));
  symlinkSync(path.resolve(import.meta.dirname, '../../../node_modules'), path.join(root, 'node_modules'));
  await build({
    root,
    configFile: path.join(root, 'vite.config.ts'),
    configLoader: 'native',
    mode: 'production',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(root, { recursive: true }));

test('an app of one page builds from a table of screens and ten lines of configuration', () => {
  const page = read('index.html');
  expect(page).toContain('<title>Placeholder</title>');
  const scripts = [...page.matchAll(/<script type="module"[^>]*src="\/([^"]+)"/g)].map(([, file = '']) => file);
  expect(scripts.join()).toMatch(/shell-[\w-]+\.js/);
  expect(scripts.map(read).join()).not.toContain('placeholder-page');
});

test('its page and each language are separate chunks', () => {
  const assets = readdirSync(path.join(root, 'dist/assets'));
  const page = assets.filter((file) => file.startsWith('page-'));
  expect(page.map((file) => read(`assets/${file}`)).join()).toContain('placeholder-page');
  for (const language of ['th', 'en', 'zh', 'jp', 'ar', 'hi'])
    expect(assets.filter((file) => file.startsWith(`${language}-`))).toHaveLength(2);
});

test('includes nothing of another app', () => {
  const code = readdirSync(path.join(root, 'dist/assets')).filter((file) => file.endsWith('.js'));
  expect(code.map((file) => read(`assets/${file}`)).join()).not.toMatch(/\/pages\/(contracts|Option|mine)\//);
});
