import type { Plugin, Rolldown } from 'vite';
import { type ScreenTable, screenFile } from '../navigation/screen-table.ts';

/** Hash paths on which people open the app, and the tables that contain them. */
export interface FirstPages extends Pick<ScreenTable, 'screenOf'> {
  readonly paths: readonly string[];
  readonly lazyScreen: (path: string) => () => Promise<unknown>;
  /** Files of the parts that a page loads as soon as it runs, by the page's path. */
  readonly parts?: Readonly<Record<string, readonly string[]>>;
}

/** The parts of catalogues that `first-paint.js` requests. */
const PRELOADED: readonly string[] = ['first', 'rest', 'contracts'];

/** The language and part of a catalogue's module. */
export function catalogueOf(id: string | null | undefined): [string, string] | undefined {
  const [, language, part] = id?.split('virtual:catalogue')[1]?.split('/') ?? [];
  return language && part ? [language, part] : undefined;
}

/**
 * Writes file names into the page, because they contain hashes. With these, the page's first script requests the
 * current language's catalogue and the opened page's code while the app is still loading.
 */
export function firstFilesInPage(first?: FirstPages): Plugin {
  return {
    name: 'sathorn-first-files-in-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const catalogues: Record<string, Record<string, string>> = {};
        for (const { facadeModuleId, fileName } of chunks) {
          const [language, part] = catalogueOf(facadeModuleId) ?? [];
          if (language && part && PRELOADED.includes(part))
            catalogues[language] = { ...catalogues[language], [part]: `/${fileName}` };
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
        const filesOfSources = (sources: readonly string[]): string[] => {
          const found = new Set<string>();
          for (const source of sources) {
            const isSource = (id: string | null) => id?.endsWith(`/src/${source}`) ?? false;
            // A source grouped with others has no chunk of its own name.
            const chunk =
              chunks.find(({ facadeModuleId }) => isSource(facadeModuleId)) ??
              chunks.find(({ moduleIds }) => moduleIds.some(isSource));
            if (!chunk) throw new Error(`${source} is in no chunk`);
            filesOf(chunk, found);
          }
          return [...found].filter((name) => !inPage.has(name));
        };
        const pages = first?.paths.map((path) => {
          const own = filesOfSources([screenFile(first.lazyScreen(path))]);
          const parts = filesOfSources(first.parts?.[path] ?? []).filter((name) => !own.includes(name));
          const isBarred = first.screenOf(path)?.access === 'customer' ? 1 : 0;
          return [path, [isBarred, own.map(placeOf), parts.map(placeOf)]] as const;
        });
        const data = JSON.stringify({ catalogues, names, pages: Object.fromEntries(pages ?? []) });
        return html.replace(
          'src="/first-paint.js"',
          `src="/first-paint.js" data-files="${data.replaceAll('"', '&quot;')}"`,
        );
      },
    },
  };
}
