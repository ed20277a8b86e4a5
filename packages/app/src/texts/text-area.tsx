import { type Area, type CatalogueLoaders, type KeyOf, type Language, openTexts, type TextParams } from '@sathorn/text';
import { Card, ErrorState, Skeleton, TextsProvider, useText } from '@sathorn/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { queryClient } from '../client/query-client.ts';
import { usePreferences } from '../preferences/preferences.ts';

/** Texts that only some screens need, in their own chunk per language: `textArea('contracts', loaders)`. */
export interface TextArea<Name extends Area> {
  readonly name: Name;
  readonly loaders: CatalogueLoaders;
}

/** `loaders` come from `virtual:texts/<name>`. */
export const textArea = <Name extends Area>(name: Name, loaders: CatalogueLoaders): TextArea<Name> => ({
  name,
  loaders,
});

const queryOf = ({ name, loaders }: TextArea<Area>, language: Language) => ({
  queryKey: ['texts', name, language],
  queryFn: async () => (await loaders[language]()).default,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Starts loading an area's texts. Called at the top of a screen's module, so that they load with its code. */
export function fetchTexts(area: TextArea<Area>): void {
  void queryClient.prefetchQuery(queryOf(area, usePreferences.getState().language));
}

interface AreaTextsProps {
  area: TextArea<Area>;
  /** Shown until the texts are loaded; by default what a whole screen shows. */
  waiting?: ReactNode;
  children: ReactNode;
}

/** Provides an area's texts to a screen. The parts inside read them with `useText<'contracts'>()`. */
export function AreaTexts({ area, waiting, children }: AreaTextsProps) {
  const { t, presentation, catalogue } = useText();
  const { data, isError, refetch } = useQuery(queryOf(area, presentation.language));
  const whole = useMemo(() => data && { ...catalogue, ...data }, [catalogue, data]);
  if (whole) {
    return (
      <TextsProvider catalogue={whole} presentation={presentation}>
        {children}
      </TextsProvider>
    );
  }
  if (isError) {
    return (
      <ErrorState title={t('chunk.failed')} action={{ label: t('shell.try_again'), onPress: () => void refetch() }} />
    );
  }
  if (waiting !== undefined) return waiting;
  return (
    <div className="page">
      <Card>
        <Skeleton height={240} />
      </Card>
    </div>
  );
}

/** The translate function of an area that is loaded when it is needed; undefined until its texts are loaded. */
export function useAreaText<Name extends Area>(area: TextArea<Name>, isNeeded: boolean) {
  const { presentation } = useText();
  const { data, isPending } = useQuery({ ...queryOf(area, presentation.language), enabled: isNeeded });
  const texts = data && openTexts<KeyOf<Name>>(data, presentation, { isolates: true });
  return {
    t: texts && ((key: KeyOf<Name>, params?: TextParams): string => texts.text(key, params)),
    isPending: !texts && isPending,
  };
}
