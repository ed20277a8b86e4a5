import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Brand } from '@sathorn/brand';
import { catalogues } from '@sathorn/text/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

const brandFile = fileURLToPath(import.meta.resolve(`@sathorn/brand/${process.env.BRAND || 'sathorn'}`));
const { brand } = (await import(brandFile)) as { brand: Brand };
// As the brand: loaded, not bundled into this file, which would take every screen along.
const screensFile = fileURLToPath(new URL('src/screens.ts', import.meta.url));
const { screenOf } = (await import(screensFile)) as typeof import('./src/screens.ts');
const server = process.env.SERVER ?? 'http://localhost:3000';
const proxy = { '/api': { target: server, ws: true }, '/demo': { target: server }, '/pictures': { target: server } };

/**
 * Chunks bring their style sheets in any order, and the first that names a layer fixes its place: so every sheet begins by
 * saying the order. It can't be said inline in the page, which the content security policy forbids.
 */
function layersFirst(): Plugin {
  const order = readFileSync(fileURLToPath(import.meta.resolve('@sathorn/ui/style/layers.css')), 'utf8');
  return {
    name: 'sathorn-layers',
    enforce: 'pre',
    transform: { filter: { id: /\.css$/ }, handler: (code) => ({ code: `${order}\n${code}`, map: null }) },
  };
}

/** `%brand.title%` and the like in index.html. */
function brandInPage(): Plugin {
  return {
    name: 'sathorn-brand',
    transformIndexHtml: (html) =>
      html.replace(/%brand\.(\w+)%/g, (whole, name: string) => {
        const value = brand[name as keyof Brand];
        return value === undefined ? whole : String(value);
      }),
  };
}

/** What a call says of itself, and the list of its refusals, are for types and for the pages that are made of them: nothing in the app reads them. */
function callsWithoutDocuments(): Plugin {
  return {
    name: 'sathorn-calls',
    enforce: 'pre',
    transform: {
      filter: { id: /packages\/api\/src\/[a-z-]+\.ts$/ },
      handler: (code) => ({
        code: code.replace(/^ {2}(summary:\s+'[^'\n]*'|refusals: \[[^\]]*\]),\n/gm, ''),
        map: null,
      }),
    },
  };
}

/** Chunks are loaded by our own hand, which is told all their files: `src/shell/load-chunk.ts` says why. */
function chunksByHand(): Plugin {
  const file = fileURLToPath(new URL('src/shell/load-chunk.ts', import.meta.url));
  return {
    name: 'sathorn-chunks',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /vite\/preload-helper\.js$/ },
      handler: () => `export { loadChunk as __vitePreload } from ${JSON.stringify(file)}`,
    },
  };
}

/** Pages that people open the app on; the others come by a press, when the shell is there already. */
const FIRST_PAGES = [
  '/pages/optionRule/index',
  '/pages/coinList/index',
  '/pages/mine/mine',
  '/pages/login/login',
  '/pages/login/regist',
  '/pages/Option/Option',
  '/pages/contracts/contracts',
];

/**
 * The page's first script asks for the catalogue of the language in use and for the code of the page that is opened, while the
 * app itself is still on its way; the files bear hashes, so the page tells it which they are.
 */
function firstFilesInPage(): Plugin {
  return {
    name: 'sathorn-first-files-in-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const catalogues: Record<string, Record<string, string>> = {};
        for (const { facadeModuleId, fileName } of chunks) {
          const [, language, part] = /catalogue\/([a-z]{2})\/(first|rest|contracts)$/.exec(facadeModuleId ?? '') ?? [];
          if (language && part) catalogues[language] = { ...catalogues[language], [part]: `/${fileName}` };
        }
        const filesOf = (chunk: Rolldown.OutputChunk, found = new Set<string>()): Set<string> => {
          if (found.has(chunk.fileName)) return found;
          found.add(chunk.fileName);
          for (const css of chunk.viteMetadata?.importedCss ?? []) found.add(css);
          for (const name of chunk.imports) {
            const imported = bundle[name];
            if (imported?.type === 'chunk') filesOf(imported, found);
          }
          return found;
        };
        const inPage = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => [...filesOf(chunk)]));
        const names: string[] = [];
        const placeOf = (name: string) => (names.includes(name) ? names.indexOf(name) : names.push(name) - 1);
        const pages = FIRST_PAGES.map((path) => {
          const screen = screenOf(path);
          const [, file = ''] = /import\(['"]\.\/([^'"]+)/.exec(String(screen?.load)) ?? [];
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${file}`));
          const files = chunk ? [...filesOf(chunk)].filter((name) => !inPage.has(name)) : [];
          return [path, [screen?.access === 'customer' ? 1 : 0, ...files.map(placeOf)]] as const;
        });
        const data = JSON.stringify({ catalogues, names, pages: Object.fromEntries(pages) });
        return html.replace(
          'src="/first-paint.js"',
          `src="/first-paint.js" data-files="${data.replaceAll('"', '&quot;')}"`,
        );
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    catalogues(),
    brandInPage(),
    firstFilesInPage(),
    layersFirst(),
    callsWithoutDocuments(),
    chunksByHand(),
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
        // The shell and the default language; other languages and screens are kept once they were fetched.
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
        // The worker is under the pages' policy too: it could not import its library, and would keep nothing, in silence.
        inlineWorkboxRuntime: true,
      },
    }),
  ],
  resolve: { alias: { '#brand': brandFile } },
  json: { namedExports: false, stringify: true },
  build: {
    outDir: 'dist',
    manifest: true,
    target: 'es2022',
    modulePreload: {
      // It would be inline.
      polyfill: false,
      resolveDependencies: (file, files, { hostType }) => (hostType === 'js' ? [...new Set([file, ...files])] : files),
    },
    // Nothing inlined: `data:` addresses are not in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // Catalogues by their language: `th-first`, `th-rest`, `th-contracts`.
        chunkFileNames: ({ facadeModuleId, name }) => {
          const part = /catalogue\/([a-z]{2})\/([a-z]+)$/.exec(facadeModuleId ?? '');
          return `assets/${part ? `${part[1]}-${part[2]}` : name}-[hash].js`;
        },
        // What the first route needs comes in two files, not in forty: React, which seldom changes, and the shell with home. What
        // stands around every other late part and every sheet comes with it, as it must be there when a chunk is not.
        codeSplitting: {
          groups: [
            // What every form has, in one file instead of a dozen; what else these files need is shared with other screens.
            {
              name: 'forms',
              test: /apps\/web\/src\/parts\/forms\/(?!pin-|select-|payment-|use-paypass-)[a-z-]+\.tsx?$|packages\/ui\/src\/field\/(password|code)-field\.tsx$/,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            // What follows the first paint on every page: notices, toasts, open orders, and how anything is sent.
            {
              name: 'companions',
              test: /apps\/web\/src\/(shell\/(companions|notice-modal|order-news|overlays|update-prompt|app-version|trusted-scripts)|client\/(use-call|overlay|throttle|intent-key)|session\/drafts|stream\/(holding-orders|orders-held|start-prices?)|parts\/options\/(duration-label|results|holding-orders-later|net-result))\.tsx?$|packages\/api\/src\/(options|option-receipts)\.ts$|packages\/ui\/src\/overlay\/confirm\.tsx$|packages\/ui\/src\/feedback\/(toast|busy-overlay)/,
              includeDependenciesRecursively: false,
              priority: 2,
            },
            // What pages are made of, in one file instead of thirty of some hundred bytes.
            {
              name: 'parts',
              test: /packages\/ui\/src\/(surface\/(list-row|tabs|tab-head|fact-list|avatar)|field\/(text-field|field|switch|amount-input|amount-text|amount-field|use-typed-amount)|feedback\/progress-bar)|apps\/web\/src\/(client\/(use-read-pages)|parts\/(list\/list-end|account\/(with-eye|own-avatar|language-sheet)|options\/(closed-options|coin-picker)|market\/(rise-offer|coin-not-offered))|screens\/mine\/account-gate)|packages\/api\/src\/(account|sign-in|same-passwords|sessions|candles|quotes|proofs|rules|demo|option-totals|person-fields|pictures|refusals)\.ts$|query-core\/.*infiniteQuery|react-query\/.*useInfiniteQuery/,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            // What all screens of spot trading have.
            {
              name: 'trading',
              test: /parts\/contracts\/(contract-(texts|figures|preferences|math|ticket|drafts)|own-orders|own-store|use-book|take-trades|price-distance|dealt-share|use-order-news|use-own-orders|use-revoke|focus-orders|step-price|spread-of)\.tsx?$|language\/part-texts|packages\/api\/src\/contracts/,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
            {
              name: 'shell',
              test: /apps\/web\/src\/(main\.tsx|screens\/home\/home\.tsx|parts\/(late\/|options\/use-are-options-closed))|packages\/ui\/src\/overlay\/(sheet|open-sheets|use-panel)\.tsx?$/,
              priority: 2,
            },
          ],
        },
      },
    },
  },
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
