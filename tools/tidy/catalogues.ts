import type { SourceTree, TidyFault } from './tree.ts';

const LANGUAGES = ['th', 'en', 'zh', 'jp', 'ar', 'hi'];
const AREA = /^packages\/text\/src\/catalogues\/[^/]+\.json$/;

/** Finds sentences that are missing or empty in one of the six languages, and files whose keys are not sorted. */
export function checkCatalogues(tree: SourceTree): TidyFault[] {
  return [...tree].flatMap(([file, text]) => {
    if (!AREA.test(file)) return [];
    const sentences = Object.entries(JSON.parse(text) as Record<string, Record<string, string>>);
    const lacks = sentences.flatMap(([key, texts]) =>
      LANGUAGES.filter((language) => !texts[language]?.trim()).map((language) => `${key} in ${language}`),
    );
    const faults: TidyFault[] = lacks.slice(0, 5).map((what) => ({ file, says: `lacks ${what}` }));
    const early = sentences.find(([key], at) => key < (sentences[at - 1]?.[0] ?? ''))?.[0];
    if (early !== undefined) faults.push({ file, says: `is not sorted by key: ${early}` });
    return faults;
  });
}
