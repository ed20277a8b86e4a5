import { type CompiledCatalogue, type MessageKey, type Presentation, type TextParams, textsOf } from '@sathorn/text';
import { createContext, type ReactNode, use, useMemo } from 'react';

interface TextsInUse {
  /** The sentence of a key in the language in use. */
  t(key: MessageKey, params?: TextParams): string;
  has(key: string): key is MessageKey;
  /** For the formatters of numbers and dates. */
  readonly presentation: Presentation;
}

const TextsContext = createContext<TextsInUse | null>(null);

/** Gives everything inside it the sentences of one language; the app loads the catalogue (`virtual:catalogue/<language>`). */
export function TextsProvider({
  catalogue,
  presentation: { language, digits = 'latin', calendar = 'buddhist' },
  children,
}: {
  catalogue: CompiledCatalogue;
  presentation: Presentation;
  children: ReactNode;
}) {
  const inUse = useMemo<TextsInUse>(() => {
    const texts = textsOf<MessageKey>(catalogue, { language, digits, calendar }, { isolates: true });
    return { t: texts.text, has: texts.has, presentation: texts.presentation };
  }, [catalogue, language, digits, calendar]);
  return <TextsContext value={inUse}>{children}</TextsContext>;
}

export function useText(): TextsInUse {
  const inUse = use(TextsContext);
  if (!inUse) throw new Error('useText needs a TextsProvider above it');
  return inUse;
}
