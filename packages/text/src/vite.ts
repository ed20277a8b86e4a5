import { CATALOGUES_FOLDER, compileCatalogue, PART_AREAS, readCatalogue, WEB_AREAS } from './catalogue-files.ts';
import { isLanguage } from './language.ts';

const PREFIX = 'virtual:catalogue/';

// The parts of Vite's plugin interface that are used, so that this package does not depend on Vite.
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

/** What the shell and home say comes first, the rest of the app's areas after it. */
const FIRST: readonly string[] = ['faults', 'shell'];

function areasOf(part: string | undefined): readonly string[] {
  if (part === undefined) return WEB_AREAS;
  if (part === 'first') return FIRST;
  if (part === 'rest') return WEB_AREAS.filter((area) => !FIRST.includes(area));
  if (PART_AREAS.includes(part)) return [part];
  throw new Error(`a catalogue has no part ${part}`);
}

/**
 * Serves `virtual:catalogue/<language>`: the app's areas of one language, compiled, so that no ICU parser is shipped; and its
 * two parts, `virtual:catalogue/<language>/first` and `/rest`. Beside them are the areas that only some screens need, such as
 * `/receipt`: the faults of a receipt.
 */
export function catalogues(): CataloguePlugin {
  return {
    name: 'sathorn-catalogues',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const [language = '', part] = id.slice(PREFIX.length + 1).split('/');
      if (!isLanguage(language)) throw new Error(`no catalogue for ${language}`);
      const areas = areasOf(part);
      const compiled = JSON.stringify(compileCatalogue(readCatalogue(language, areas)));
      // Parsing one string is quicker for the browser than a literal of the same size.
      return `export default JSON.parse(${JSON.stringify(compiled)})`;
    },
    configureServer(server) {
      server.watcher.add(CATALOGUES_FOLDER);
      server.watcher.on('change', (file) => {
        if (!file.startsWith(CATALOGUES_FOLDER)) return;
        server.moduleGraph.invalidateAll();
        server.ws.send({ type: 'full-reload' });
      });
    },
  };
}
