/// <reference types="@sathorn/text/virtual" />
import { type CompiledCatalogue, DEFAULT_LANGUAGE, type Language } from '@sathorn/text';
import { useEffect, useState } from 'react';
import { usePreferences } from '../preferences/preferences.ts';

export interface LoadedCatalogue {
  readonly language: Language;
  readonly catalogue: CompiledCatalogue;
  /** The sentences of every page are there, not only those of the shell and home. */
  readonly isWhole: boolean;
}

type Loader = () => Promise<{ default: CompiledCatalogue }>;

/** Chunks: what the shell and home say, and the rest. */
const LOADERS: Record<Language, { first: Loader; rest: Loader }> = {
  th: { first: () => import('virtual:catalogue/th/first'), rest: () => import('virtual:catalogue/th/rest') },
  en: { first: () => import('virtual:catalogue/en/first'), rest: () => import('virtual:catalogue/en/rest') },
  zh: { first: () => import('virtual:catalogue/zh/first'), rest: () => import('virtual:catalogue/zh/rest') },
  jp: { first: () => import('virtual:catalogue/jp/first'), rest: () => import('virtual:catalogue/jp/rest') },
  ar: { first: () => import('virtual:catalogue/ar/first'), rest: () => import('virtual:catalogue/ar/rest') },
  hi: { first: () => import('virtual:catalogue/hi/first'), rest: () => import('virtual:catalogue/hi/rest') },
};

/** What the first paint needs of a language; Thai when it can't be had. */
export async function loadFirst(language: Language): Promise<LoadedCatalogue> {
  try {
    return { language, catalogue: (await LOADERS[language].first()).default, isWhole: false };
  } catch (fault) {
    if (language === DEFAULT_LANGUAGE) throw fault;
    return loadFirst(DEFAULT_LANGUAGE);
  }
}

async function loadWhole(language: Language): Promise<LoadedCatalogue> {
  const [first, rest] = await Promise.all([LOADERS[language].first(), LOADERS[language].rest()]);
  return { language, catalogue: { ...first.default, ...rest.default }, isWhole: true };
}

/** The sentences in use: the old ones stay until those of a newly chosen language are there. */
export function useCatalogue(first: LoadedCatalogue): LoadedCatalogue {
  const language = usePreferences((preferences) => preferences.language);
  const [loaded, setLoaded] = useState(first);
  useEffect(() => {
    let isOver = false;
    const take = (next: LoadedCatalogue) => {
      if (!isOver) setLoaded(next);
    };
    loadWhole(language).then(take, () => {
      // Without the chosen language there is still Thai; without that, the page itself says that it can't be loaded.
      if (language !== DEFAULT_LANGUAGE) loadWhole(DEFAULT_LANGUAGE).then(take, () => {});
    });
    return () => {
      isOver = true;
    };
  }, [language]);
  return loaded;
}
