import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { appPlugins, compressedFiles } from '@sathorn/app/vite';
import type { Brand } from '@sathorn/brand';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

const brandName = process.env.BRAND || 'sathorn';
const brandFile = fileURLToPath(import.meta.resolve(`@sathorn/brand/${brandName}`));
const { brand } = (await import(brandFile)) as { brand: Brand };
// Loaded at run time, as the brand is: bundling the module into this file would include every screen.
const load = async <Module>(file: string) => (await import(fileURLToPath(new URL(file, import.meta.url)))) as Module;
const { screenOf } = await load<typeof import('./src/paths.ts')>('src/paths.ts');
const { lazyScreen } = await load<typeof import('./src/screens.ts')>('src/screens.ts');
const { handlePushes } = await load<typeof import('./src/push/push-worker.ts')>('src/push/push-worker.ts');
const server = process.env.SERVER ?? 'http://localhost:3000';
const proxy = {
  '/api': { target: server, ws: true },
  '/demo': { target: server },
  '/pictures': { target: server },
  '/log/': { target: server },
};

/** The folder of the brand's icons. */
const icons = brand.icon.replace(/[^/]+$/, '');

let builtInto = '';
/**
 * Appends the handler of push messages to the finished service worker. The worker could not import it from its own
 * file, because the content security policy forbids that, as it does for workbox.
 */
const pushesInWorker: Plugin = {
  name: 'sathorn-pushes',
  apply: 'build',
  enforce: 'post',
  configResolved: ({ root, build }) => {
    builtInto = path.resolve(root, build.outDir);
  },
  closeBundle: {
    sequential: true,
    order: 'post',
    handler() {
      const shown = JSON.stringify({ title: brand.title, icon: `${icons}icon-192.png` });
      appendFileSync(path.join(builtInto, 'sw.js'), `\n;(${handlePushes})(self, ${shown});\n`);
    },
  },
};

/** Pages on which people open the app. All other pages open later, when the shell has loaded. */
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
  parts: {
    '/pages/Option/Option': ['parts/offer/offer-notes.tsx'],
    '/pages/contracts/contracts': [
      'contracts/desk-parts.tsx',
      'contracts/below-ticket.tsx',
      'parts/offer/offer-notes.tsx',
    ],
  },
};

export default defineConfig({
  root: import.meta.dirname,
  // Each brand has its own build; `start-roles.ts` serves the folder of its brand.
  build: { outDir: brandName === 'sathorn' ? 'dist' : `dist-${brandName}` },
  plugins: [
    react(),
    appPlugins({
      brand: { ...brand, appleIcon: `${icons}icon-192.png` },
      brandFile,
      texts: { first: ['faults', 'shell'], rest: ['account', 'trade'] },
      firstPages,
      // Each file costs a round trip, whatever its size. So code that loads together is one file with one style sheet.
      chunks: {
        shell: [
          'src/main.tsx',
          'src/home/home.tsx',
          // These are small, and most pages need them.
          'src/parts/offer/late-notes.tsx',
          'src/parts/account/late-running.tsx',
          'src/parts/read/not-loaded.tsx',
          'src/parts/keys/',
          'src/parts/market/rolling-price.tsx',
          'src/parts/market/rolling-price.css',
          'packages/app/src/client/kept-answers.ts',
          'packages/app/src/texts/text-area.tsx',
          'packages/api/src/refusals.ts',
          'packages/app/src/client/overlay.ts',
          'packages/ui/src/surface/list-row.tsx',
          'packages/ui/src/overlay/confirm.tsx',
          'packages/ui/src/overlay/open-sheets.ts',
        ],
        // The option page opens with orders that the watchers of `companions` follow later.
        orders: {
          of: [
            ...['vibrate-device', 'held-order-store', 'held-orders', 'start-price', 'start-prices'].map(
              (name) => `src/parts/orders/${name}.ts`,
            ),
            ...['options', 'option-receipts', 'proofs', 'quotes', 'signed-texts'].map(
              (name) => `packages/api/src/${name}.ts`,
            ),
            ...['duration-label', 'net-result'].map((name) => `src/options/${name}.ts`),
          ],
          sharedBy: 2,
        },
        // Loaded once a page has settled.
        companions: ['src/companions.tsx'],
        // Contract trading opens it in a sheet, so it must not be part of `trading`.
        disclosure: { of: ['src/contracts/maker-disclosure.tsx'], sharedBy: 2 },
        // One file, because these need each other, and the portfolio and the evidence need them without the desk.
        contractCalls: {
          of: [
            'packages/api/src/contracts.ts',
            'packages/api/src/waiting.ts',
            'packages/settlement/src/contract-terms.ts',
          ],
          sharedBy: 2,
        },
        // Only for those who have an order that waits, or place one.
        waiting: {
          of: ['src/contracts/waiting', 'src/contracts/use-revoke-waiting.ts', 'virtual:texts/waiting'],
          sharedBy: 2,
        },
        // Only for those who buy regularly.
        recurring: {
          of: ['src/contracts/recurring-figures.ts', 'src/contracts/recurring-texts.tsx', 'virtual:texts/recurring'],
          sharedBy: 2,
        },
        // Only for those who look at a lock-up of theirs, or at their standing orders.
        standingOrders: {
          of: [
            'src/earning/standing-figures.ts',
            'src/earning/standing-texts.tsx',
            'virtual:texts/standing',
            'packages/api/src/standing.ts',
          ],
          sharedBy: 2,
        },
        // Many pages share these calls, but all of them are about earning.
        earningCalls: { of: ['packages/api/src/earning.ts'], sharedBy: 2 },
        earning: {
          of: ['earning-texts.tsx', 'earning.css', 'figures.ts', 'late-standing.tsx', 'parts.tsx'].map(
            (name) => `src/earning/${name}`,
          ),
          sharedBy: 2,
        },
        trading: { of: ['src/contracts/', 'virtual:texts/contracts'], sharedBy: 2 },
        forms: { of: ['packages/app/src/forms/', 'src/parts/forms/'], sharedBy: 4 },
        // Only the screens of deposits, withdrawals and the statement need these calls.
        funds: {
          of: ['account-records', 'deposits', 'withdrawals'].map((name) => `packages/api/src/${name}.ts`),
          sharedBy: 2,
        },
        // The name is not `parts`, because a chunk of one file takes that file's name, which may be the same.
        commonParts: {
          of: [
            'packages/ui/',
            'packages/api/',
            'packages/app/',
            'src/parts/account/',
            'src/parts/list/',
            'src/parts/market/',
            'src/account/',
            'packages/identity/',
            'node_modules/@tanstack/',
          ],
          sharedBy: 10,
        },
        money: {
          of: [
            'virtual:texts/money',
            ...[
              'chain-mark',
              'copy',
              'facts',
              'grouped-address',
              'money-texts',
              'note',
              'page-foot',
              'record-rows',
            ].flatMap((name) => ['tsx', 'css'].map((kind) => `src/parts/money/${name}.${kind}`)),
            ...[
              'record-details.tsx',
              'stale-line.tsx',
              'timeline.tsx',
              'timeline.css',
              'use-money.ts',
              'use-records.ts',
            ].map((name) => `src/parts/money/${name}`),
          ],
          sharedBy: 3,
        },
        // Fields and pictures that the pages of the account share with sign-in.
        accountParts: {
          of: [
            'packages/ui/src/field/code-field.css',
            'packages/ui/src/field/code-field.tsx',
            'packages/ui/src/field/password-field.tsx',
            'packages/text/src/fault-key.ts',
            'packages/api/src/pictures.ts',
            'src/parts/account/account-gate.tsx',
            'src/parts/account/language-sheet.tsx',
            'src/account/own-avatar.tsx',
          ],
          sharedBy: 2,
        },
        signIn: {
          of: ['src/sign-in/', 'src/parts/text/'],
          sharedBy: 2,
        },
        desk: {
          of: [
            ...['alert-bell', 'coin-picker', 'rise-colour-offer', 'rise-offer-card'].flatMap((name) =>
              ['tsx', 'css'].map((kind) => `src/parts/market/${name}.${kind}`),
            ),
            'src/parts/chart/sideways.ts',
            'packages/ui/src/surface/tab-head.css',
            'packages/ui/src/surface/tab-head.tsx',
            'packages/app/src/session/drafts.ts',
          ],
          sharedBy: 2,
        },
        chartPanel: {
          of: ['chart-panel.tsx', 'chart-panel.css', 'chart-text-size.ts'].map((name) => `src/parts/chart/${name}`),
          sharedBy: 2,
        },
        optionOrders: {
          of: [
            ...[
              'closed-options.tsx',
              'late-holding-orders.tsx',
              'results.tsx',
              'use-are-options-closed.ts',
              'option-drafts.ts',
            ].map((name) => `src/options/${name}`),
            'src/parts/orders/option-habits.ts',
          ],
          sharedBy: 2,
        },
        offer: {
          of: ['src/parts/offer/', 'packages/api/src/consents.ts', 'packages/api/src/admin-offer.ts'],
          sharedBy: 1,
        },
        // Loaded together when a page first compares the published keys.
        proofKeys: {
          of: [
            'src/options/keep-keys.tsx',
            'src/parts/receipt/use-proof-keys.ts',
            'src/parts/receipt/known-keys.ts',
            'src/parts/evidence/first-key-ids.ts',
            'src/parts/evidence/read-tick-page.ts',
          ],
          sharedBy: 1,
        },
        // Loaded together before the customer can confirm a purchase.
        purchase: {
          of: [
            ...['pinned-keys', 'rules-in-force'].map((name) => `src/parts/evidence/${name}.ts`),
            ...[
              'confirm-purchase.tsx',
              'confirm-purchase.css',
              'next-frame.ts',
              'keep-purchase-answer.ts',
              'search-lost-purchase.ts',
            ].map((name) => `src/options/${name}`),
          ],
          sharedBy: 1,
        },
        safeguards: {
          of: [
            'src/safeguards/safeguard-texts.tsx',
            'src/safeguards/safeguards.css',
            'src/parts/alerts/safeguard-area.tsx',
          ],
          sharedBy: 2,
        },
      },
    }),
    VitePWA({
      registerType: 'prompt',
      // The page registers the worker itself, because the content security policy forbids inline scripts.
      injectRegister: false,
      // Only the installation needs the large icons, and the system loads them itself.
      includeManifestIcons: false,
      manifest: {
        name: brand.title,
        short_name: brand.title,
        id: '/',
        lang: brand.locale,
        dir: brand.locale === 'ar' ? 'rtl' : 'ltr',
        start_url: '/',
        display: 'standalone',
        theme_color: brand.themeColour,
        background_color: brand.background,
        icons: [
          { src: `${icons}icon-192.png`, sizes: '192x192', type: 'image/png', purpose: 'any' },
          { src: `${icons}icon-512.png`, sizes: '512x512', type: 'image/png', purpose: 'any' },
          { src: `${icons}maskable-512.png`, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
      },
      workbox: {
        // Caches what every page loads, and the texts in the default language. Other texts, languages and screens are
        // cached once they are loaded, because most visitors never open them.
        globPatterns: [
          'index.html',
          'first-paint.js',
          brand.icon.slice(1),
          'assets/{react,shell,companions,rolldown-runtime}-*.{js,css}',
          `assets/${brand.locale}-{first,rest}-*.js`,
        ],
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [/^\/api\//, /^\/demo\//, /^\/log\//, /^\/console/, /^\/status/],
        runtimeCaching: [
          {
            urlPattern: /\/assets\/.+\.(?:js|css|svg)$/,
            handler: 'CacheFirst',
            options: { cacheName: 'assets', expiration: { maxEntries: 120 } },
          },
        ],
        cleanupOutdatedCaches: true,
        // Inlined, because the pages' content security policy would keep the worker from importing its library, and it
        // would silently cache nothing.
        inlineWorkboxRuntime: true,
      },
    }),
    pushesInWorker,
    compressedFiles(),
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
