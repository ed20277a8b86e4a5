/// <reference types="@sathorn/text/virtual" />
import { type CompiledCatalogue, DEFAULT_LANGUAGE, type Language } from '@sathorn/text';
import { useEffect, useState } from 'react';
import { usePreferences } from '../preferences/preferences.ts';

export interface LoadedCatalogue {
  readonly language: Language;
  readonly catalogue: CompiledCatalogue;
}

/** A chunk each. */
const LOADERS: Record<Language, () => Promise<{ default: CompiledCatalogue }>> = {
  th: () => import('virtual:catalogue/th'),
  en: () => import('virtual:catalogue/en'),
  zh: () => import('virtual:catalogue/zh'),
  jp: () => import('virtual:catalogue/jp'),
  ar: () => import('virtual:catalogue/ar'),
  hi: () => import('virtual:catalogue/hi'),
};

/** The sentences of a language; Thai when they can't be had. */
export async function loadCatalogue(language: Language): Promise<LoadedCatalogue> {
  try {
    return { language, catalogue: (await LOADERS[language]()).default };
  } catch (fault) {
    if (language === DEFAULT_LANGUAGE) throw fault;
    return loadCatalogue(DEFAULT_LANGUAGE);
  }
}

/** The sentences in use: the old ones stay until those of a newly chosen language are there. */
export function useCatalogue(first: LoadedCatalogue): LoadedCatalogue {
  const language = usePreferences((preferences) => preferences.language);
  const [loaded, setLoaded] = useState(first);
  useEffect(() => {
    let isOver = false;
    void loadCatalogue(language).then((next) => {
      if (!isOver) setLoaded(next);
    });
    return () => {
      isOver = true;
    };
  }, [language]);
  return loaded;
}
