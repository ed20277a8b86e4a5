/// <reference types="@sathorn/text/virtual" />

import first from 'virtual:texts/first';
import rest from 'virtual:texts/rest';
import { type CompiledCatalogue, DEFAULT_LANGUAGE, type Language } from '@sathorn/text';
import { startTransition, useEffect, useState } from 'react';
import { usePreferences } from '../preferences/preferences.ts';

export interface LoadedCatalogue {
  readonly language: Language;
  readonly catalogue: CompiledCatalogue;
  /** True when the texts of all pages are loaded, not only those of the shell and the home page. */
  readonly isWhole: boolean;
}

/** Loads the texts for the first paint in a language; Thai when they cannot be loaded. */
export async function loadFirstCatalogue(language: Language): Promise<LoadedCatalogue> {
  try {
    return { language, catalogue: (await first[language]()).default, isWhole: false };
  } catch (fault) {
    if (language === DEFAULT_LANGUAGE) throw fault;
    return loadFirstCatalogue(DEFAULT_LANGUAGE);
  }
}

let want: () => void = () => undefined;
const isWholeWanted = new Promise<void>((resolve) => {
  want = resolve;
});
/** Requests the texts of all pages from now on. */
export const wantWholeCatalogue = (): void => want();

async function loadWhole(language: Language): Promise<LoadedCatalogue> {
  const [shell, others] = await Promise.all([first[language](), rest[language]()]);
  return { language, catalogue: { ...shell.default, ...others.default }, isWhole: true };
}

/** The current texts: the old ones stay until those of a newly chosen language are loaded. */
export function useCatalogue(loadedFirst: LoadedCatalogue): LoadedCatalogue {
  const language = usePreferences((preferences) => preferences.language);
  const [loaded, setLoaded] = useState(loadedFirst);
  useEffect(() => {
    let isOver = false;
    const take = (next: LoadedCatalogue) => {
      // A transition renders in slices, because every part of the page renders again.
      if (!isOver) startTransition(() => setLoaded(next));
    };
    const load = () =>
      loadWhole(language).then(take, () => {
        // If the chosen language cannot be loaded, Thai is used; if that fails too, the page reports it.
        if (language !== DEFAULT_LANGUAGE) loadWhole(DEFAULT_LANGUAGE).then(take, () => {});
      });
    void isWholeWanted.then(load);
    return () => {
      isOver = true;
    };
  }, [language]);
  return loaded;
}
