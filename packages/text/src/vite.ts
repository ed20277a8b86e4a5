import {
  CATALOGUES_FOLDER,
  compileCatalogue,
  forgetCatalogueAreas,
  listCatalogueAreas,
  readCatalogue,
} from './catalogue-files.ts';
import { isLanguage, LANGUAGES } from './language.ts';
import { keepCatalogueWhole } from './whole-words.ts';

const PREFIX = 'virtual:catalogue/';
const LOADER_PREFIX = 'virtual:texts/';

// The used part of Vite's plugin interface, so that this package does not depend on Vite.
interface CataloguePlugin {
  name: string;
  resolveId(id: string): string | undefined;
  load(id: string): string | undefined;
  configureServer(server: DevelopmentServer): void;
}
interface DevelopmentServer {
  watcher: { add(path: string): unknown; on(event: 'change', listener: (file: string) => void): unknown };
  moduleGraph: { invalidateAll(): void };
  ws: { send(message: { type: 'full-reload' }): void };
}

/** An app's text areas by when they are needed: for the shell and its first screen, or later. */
interface AppAreas {
  readonly first: readonly string[];
  readonly rest: readonly string[];
}

/**
 * Serves `virtual:catalogue/<language>/<area>` compiled, so that no ICU parser is shipped; `first` and `rest` are the
 * areas of the whole app. `virtual:texts/<area>` is an area's loader: one chunk per language, loaded on first use.
 */
export function catalogues({ first, rest }: AppAreas): CataloguePlugin {
  const areasOf = (part: string): readonly string[] => {
    if (part === 'first') return first;
    if (part === 'rest') return rest;
    if (listCatalogueAreas().includes(part)) return [part];
    throw new Error(`there is no text area ${part}`);
  };
  return {
    name: 'sathorn-catalogues',
    resolveId: (id) => (id.startsWith(PREFIX) || id.startsWith(LOADER_PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (id.startsWith(`\0${LOADER_PREFIX}`)) {
        const part = id.slice(LOADER_PREFIX.length + 1);
        const loaders = LANGUAGES.map(
          (language) => `${language}: () => import(${JSON.stringify(`${PREFIX}${language}/${part}`)})`,
        );
        return `export default { ${loaders.join(', ')} }`;
      }
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const [language = '', part = ''] = id.slice(PREFIX.length + 1).split('/');
      if (!isLanguage(language)) throw new Error(`no catalogue for ${language}`);
      const compiled = JSON.stringify(compileCatalogue(keepCatalogueWhole(readCatalogue(language, areasOf(part)))));
      // Browsers parse one JSON string faster than an object literal of the same size.
      return `export default JSON.parse(${JSON.stringify(compiled)})`;
    },
    configureServer(server) {
      server.watcher.add(CATALOGUES_FOLDER);
      server.watcher.on('change', (file) => {
        if (!file.startsWith(CATALOGUES_FOLDER)) return;
        forgetCatalogueAreas();
        server.moduleGraph.invalidateAll();
        server.ws.send({ type: 'full-reload' });
      });
    },
  };
}
