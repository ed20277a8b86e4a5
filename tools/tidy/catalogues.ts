import type { Fault, Tree } from './tree.ts';

const LANGUAGES = ['th', 'en', 'zh', 'jp', 'ar', 'hi'];

/** Every sentence exists in all six languages, and none is empty. */
export function checkCatalogues(tree: Tree): Fault[] {
  const areas = new Map<string, Map<string, Record<string, string>>>();
  for (const [file, text] of tree) {
    const [, area, language] = /^packages\/text\/src\/catalogues\/([^/]+)\/(\w+)\.json$/.exec(file) ?? [];
    if (!area || !language) continue;
    areas.set(area, (areas.get(area) ?? new Map()).set(language, JSON.parse(text)));
  }
  const faults: Fault[] = [];
  for (const [area, languages] of areas) {
    const keys = new Set([...languages.values()].flatMap((catalogue) => Object.keys(catalogue)));
    for (const language of LANGUAGES) {
      const catalogue = languages.get(language) ?? {};
      const missing = [...keys].filter((key) => !catalogue[key]?.trim());
      if (missing.length > 0)
        faults.push({
          file: `packages/text/src/catalogues/${area}/${language}.json`,
          says: `lacks ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ` and ${missing.length - 5} more` : ''}`,
        });
    }
  }
  return faults;
}
