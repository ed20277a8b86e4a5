import { fileURLToPath } from 'node:url';
import { catalogues } from '@sathorn/text/vite';
import type { Plugin, UserConfig } from 'vite';
import { type Chunks, chunkGroups } from './chunk-groups.ts';
import { cssLayersFirst } from './css-layers-first.ts';
import { droppableCalls } from './droppable-calls.ts';
import { catalogueOf, type FirstPages, firstFilesInPage } from './first-files-in-page.ts';
import { jsonInOneLanguage } from './json-in-one-language.ts';

interface AppBuild {
  /** Values for placeholders such as `%brand.title%` in index.html. */
  readonly brand: Readonly<Record<string, unknown>> & { readonly tokens?: BrandTokens };
  /** The file of the app's own brand, which replaces this package's. */
  readonly brandFile: string;
  /** Text areas by when they are needed: `first` for the shell and the first screen, `rest` for later. */
  readonly texts: { readonly first: readonly string[]; readonly rest: readonly string[] };
  /** Pages whose files are requested while the app itself is still loading. */
  readonly firstPages?: FirstPages;
  /** Files of the app to be bundled into one chunk each, besides those of React and the shell. */
  readonly chunks?: Chunks;
}

type BrandTokens = Readonly<Record<'light' | 'dark', Readonly<Record<string, string>>>>;

/**
 * The plugins of an app's build besides React's: texts, brand, our own chunk loader, and the settings that they need.
 */
export function appPlugins(build: AppBuild): Plugin[] {
  return [
    catalogues(build.texts),
    jsonInOneLanguage(),
    droppableCalls(),
    brandInPage(build.brand),
    brandTokens(build.brand.tokens),
    firstFilesInPage(build.firstPages),
    cssLayersFirst(),
    chunksByHand(),
    { name: 'sathorn-app', config: ({ root }) => settings(build, root ?? process.cwd()) },
  ];
}

const settings = ({ brandFile, chunks = {} }: AppBuild, root: string): UserConfig => ({
  resolve: { alias: { '#brand': brandFile } },
  json: { namedExports: false, stringify: true },
  build: {
    manifest: true,
    target: 'es2022',
    modulePreload: {
      // Vite would inline the polyfill, which the content security policy forbids.
      polyfill: false,
      resolveDependencies: (file, files, { hostType }) => (hostType === 'js' ? [...new Set([file, ...files])] : files),
    },
    // Nothing is inlined: the content security policy forbids `data:` addresses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // Names catalogues by language: `th-first`, `th-rest`, `th-contracts`.
        chunkFileNames: ({ facadeModuleId, name }) => {
          const catalogue = catalogueOf(facadeModuleId);
          return `assets/${catalogue ? catalogue.join('-') : name}-[hash].js`;
        },
        codeSplitting: { groups: chunkGroups(chunks, root) },
      },
    },
  },
});

/** Replaces placeholders such as `%brand.title%` in index.html. */
function brandInPage(brand: object): Plugin {
  return {
    name: 'sathorn-brand',
    transformIndexHtml: (html) =>
      Object.entries(brand).reduce(
        (page, [name, value]) => page.replaceAll(`%brand.${name}%`, () => String(value)),
        html,
      ),
  };
}

const TOKENS = 'virtual:brand-tokens.css';

/**
 * Emits the brand's custom properties as a style sheet, because the content security policy forbids inline styles. The
 * doubled selector overrides the defaults in any order in which the chunks load.
 */
function brandTokens(tokens: BrandTokens | undefined): Plugin {
  const block = (selector: string, values: Readonly<Record<string, string>>): string =>
    `${selector} { ${Object.entries(values)
      .map(([name, value]) => `--${name}: ${value};`)
      .join(' ')} }`;
  const css = tokens
    ? `@layer tokens { ${block(':root:root', tokens.light)} ${block(':root:root[data-theme="dark"]', tokens.dark)} }`
    : '';
  return {
    name: 'sathorn-brand-tokens',
    resolveId: (id) => (id === TOKENS ? `\0${TOKENS}` : undefined),
    load: (id) => (id === `\0${TOKENS}` ? css : undefined),
  };
}

/** Makes our own loader load the chunks and gives it their list of files; `late/load-chunk.ts` explains why. */
function chunksByHand(): Plugin {
  const file = fileURLToPath(new URL('../late/load-chunk.ts', import.meta.url));
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
