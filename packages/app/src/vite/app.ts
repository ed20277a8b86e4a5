import { fileURLToPath } from 'node:url';
import { catalogues } from '@sathorn/text/vite';
import type { Plugin, UserConfig } from 'vite';
import { type Chunks, chunkGroups } from './chunk-groups.ts';
import { catalogueOf, type FirstPages, firstFilesInPage } from './first-files-in-page.ts';
import { layersFirst } from './layers-first.ts';

export interface AppBuild {
  /** The values for `%brand.title%` and the like in index.html. */
  readonly brand: object;
  /** The app's own brand, in place of this package's. */
  readonly brandFile: string;
  /** Text areas by when they are needed: by the shell and its first screen, and by the rest of the app. */
  readonly texts: { readonly first: readonly string[]; readonly rest: readonly string[] };
  /** Pages whose files are asked for while the app itself is still on its way. */
  readonly firstPages?: FirstPages;
  /** Files of the app that go into one chunk each, besides React's and the shell's. */
  readonly chunks?: Chunks;
}

/**
 * The plugins of an app's build besides React's: texts, brand, our own chunk loader and the settings that these need.
 */
export function app(build: AppBuild): Plugin[] {
  return [
    catalogues(build.texts),
    brandInPage(build.brand),
    firstFilesInPage(build.firstPages),
    layersFirst(),
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
          const catalogue = catalogueOf(facadeModuleId);
          return `assets/${catalogue ? catalogue.join('-') : name}-[hash].js`;
        },
        codeSplitting: { groups: chunkGroups(chunks, root) },
      },
    },
  },
});

/** `%brand.title%` and the like in index.html. */
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

/** Lets our own loader load the chunks and gives it the list of their files; `late/load-chunk.ts` says why. */
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
