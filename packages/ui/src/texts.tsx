import {
  type Area,
  type CompiledCatalogue,
  type KeyOf,
  type MessageKey,
  openTexts,
  type Presentation,
  type TextParams,
} from '@sathorn/text';
import { createContext, type ReactNode, use, useMemo } from 'react';

interface TextsInUse<Key extends string> {
  /** Returns a key's sentence in the current language. */
  t(key: Key, params?: TextParams): string;
  has(key: string): key is Key;
  /** For the formatters of numbers and dates. */
  readonly presentation: Presentation;
  /** All texts in the app's language, including those of areas whose provider is above. */
  readonly catalogue: CompiledCatalogue;
}

// Any key may be missing at run time; the type of `useText` lists the loaded keys.
const TextsContext = createContext<TextsInUse<never> | null>(null);

/** Provides the sentences of one language; the app loads the catalogue (`virtual:catalogue/<language>`). */
export function TextsProvider({
  catalogue,
  presentation: { language, digits = 'latin', calendar = 'buddhist', assetMark },
  children,
}: {
  catalogue: CompiledCatalogue;
  presentation: Presentation;
  children: ReactNode;
}) {
  const inUse = useMemo<TextsInUse<never>>(() => {
    const texts = openTexts<never>(
      catalogue,
      { language, digits, calendar, ...(assetMark && { assetMark }) },
      { isolates: true },
    );
    return { t: texts.text, has: texts.has, presentation: texts.presentation, catalogue };
  }, [catalogue, language, digits, calendar, assetMark]);
  return <TextsContext value={inUse}>{children}</TextsContext>;
}

/** The app's sentences; `useText<'contracts'>()` adds those of an area whose provider is above. */
export function useText<Above extends Area = never>(): TextsInUse<MessageKey | KeyOf<Above>> {
  const inUse = use(TextsContext);
  if (!inUse) throw new Error('useText needs a TextsProvider above it');
  return inUse;
}
