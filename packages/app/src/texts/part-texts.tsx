import {
  type CompiledCatalogue,
  type Language,
  type MessageKey,
  type Presentation,
  type TextParams,
  textsOf,
} from '@sathorn/text';
import { Card, ErrorState, Skeleton, useText } from '@sathorn/ui';
import { useQuery } from '@tanstack/react-query';
import { type Context, createContext, type ReactNode, use, useMemo } from 'react';
import { queryClient } from '../client/query-client.ts';
import { usePreferences } from '../preferences/preferences.ts';

type Speak<Key extends string> = (key: Key | MessageKey, params?: TextParams) => string;

/** Sentences that only some screens say, in a chunk of their own a language. */
export interface TextPart<Key extends string> {
  readonly queryOf: (language: Language) => {
    queryKey: readonly string[];
    queryFn: () => Promise<CompiledCatalogue>;
    staleTime: number;
    gcTime: number;
  };
  readonly Context: Context<Speak<Key> | null>;
}

/** Called where the screen's code begins: from then on the sentences are on their way. */
export function textPart<Key extends string>(
  name: string,
  loaders: Record<Language, () => Promise<{ default: CompiledCatalogue }>>,
): TextPart<Key> {
  const part: TextPart<Key> = {
    queryOf: (language) => ({
      queryKey: ['texts', name, language],
      queryFn: async () => (await loaders[language]()).default,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    }),
    Context: createContext<Speak<Key> | null>(null),
  };
  void queryClient.prefetchQuery(part.queryOf(usePreferences.getState().language));
  return part;
}

/** Around a screen that speaks the sentences of a part. */
export function PartTexts<Key extends string>({ part, children }: { part: TextPart<Key>; children: ReactNode }) {
  const { t, presentation } = useText();
  const { data, isError, refetch } = useQuery(part.queryOf(presentation.language));
  const speak = useMemo((): Speak<Key> | null => {
    if (!data) return null;
    const own = textsOf<Key>(data, presentation, { isolates: true });
    return (key, params) => (own.has(key) ? own.text(key, params) : t(key as MessageKey, params));
  }, [data, presentation, t]);
  if (speak) return <part.Context value={speak}>{children}</part.Context>;
  if (isError) {
    return (
      <ErrorState title={t('chunk.failed')} action={{ label: t('shell.try_again'), onPress: () => void refetch() }} />
    );
  }
  return (
    <div className="page">
      <Card>
        <Skeleton height={240} />
      </Card>
    </div>
  );
}

/** Inside it: as `useText()`, with the sentences of the part besides those of the whole app. */
export function usePartText<Key extends string>(part: TextPart<Key>): { t: Speak<Key>; presentation: Presentation } {
  const t = use(part.Context);
  const { presentation } = useText();
  if (!t) throw new Error('these texts need PartTexts above them');
  return { t, presentation };
}
