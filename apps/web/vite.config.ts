import { fileURLToPath } from 'node:url';
import { app } from '@sathorn/app/vite';
import type { Brand } from '@sathorn/brand';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

const brandFile = fileURLToPath(import.meta.resolve(`@sathorn/brand/${process.env.BRAND || 'sathorn'}`));
const { brand } = (await import(brandFile)) as { brand: Brand };
// Loaded at run time, like the brand: bundling the module into this file would include every screen.
const load = async <Module>(file: string) => (await import(fileURLToPath(new URL(file, import.meta.url)))) as Module;
const { screenOf } = await load<typeof import('./src/paths.ts')>('src/paths.ts');
const { lazyScreen } = await load<typeof import('./src/screens.ts')>('src/screens.ts');
const server = process.env.SERVER ?? 'http://localhost:3000';
const proxy = { '/api': { target: server, ws: true }, '/demo': { target: server }, '/pictures': { target: server } };

/** Pages on which people open the app; the others are opened later, when the shell is loaded. */
const firstPages = {
  screenOf,
  lazyScreen,
  paths: [
    '/pages/optionRule/index',
    '/pages/coinList/index',
    '/pages/mine/mine',
    '/pages/login/login',
    '/pages/login/regist',
    '/pages/Option/Option',
    '/pages/contracts/contracts',
  ],
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    app({
      brand,
      brandFile,
      texts: { first: ['faults', 'shell'], rest: ['account', 'trade'] },
      firstPages,
      chunks: {
        shell: ['src/main.tsx', 'src/home/home.tsx'],
        trading: { of: ['src/contracts/', 'packages/api/src/contracts.ts'], sharedBy: 2 },
        forms: { of: ['packages/app/src/forms/', 'src/parts/forms/'], sharedBy: 4 },
        // Not named `parts`: a chunk of one file takes that file's name, which may be the same.
        commonParts: {
          of: [
            'packages/ui/',
            'packages/api/',
            'packages/app/',
            'src/parts/account/',
            'src/parts/list/',
            'src/parts/market/',
            'src/account/',
          ],
          sharedBy: 10,
        },
        companions: ['src/companions.tsx'],
      },
    }),
    VitePWA({
      registerType: 'prompt',
      // The page registers it itself: the content security policy forbids inline scripts.
      injectRegister: false,
      manifest: {
        name: brand.title,
        short_name: brand.title,
        lang: 'th',
        start_url: '/',
        display: 'standalone',
        theme_color: brand.themeColour,
        background_color: brand.background,
        icons: [
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
        ],
      },
      workbox: {
        // Caches the shell and the default language; other languages and screens are cached once they are loaded.
        globPatterns: [
          'index.html',
          'first-paint.js',
          'icon.svg',
          'assets/{react,shell,home,companions,rolldown-runtime,index}-*.{js,css}',
          `assets/${brand.locale}-*.js`,
        ],
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [/^\/api\//, /^\/demo\//, /^\/console/, /^\/status/],
        runtimeCaching: [
          {
            urlPattern: /\/assets\/.+\.(?:js|css)$/,
            handler: 'CacheFirst',
            options: { cacheName: 'assets', expiration: { maxEntries: 120 } },
          },
        ],
        cleanupOutdatedCaches: true,
        // Inlined: under the pages' content security policy the worker could not import its library, and would silently
        // cache nothing.
        inlineWorkboxRuntime: true,
      },
    }),
  ],
  server: {
    port: 5180,
    strictPort: true,
    proxy,
  },
  preview: {
    port: 5181,
    strictPort: true,
    proxy,
  },
});
