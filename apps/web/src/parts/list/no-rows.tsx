import { type Failure, failureText } from '@sathorn/app/client';
import { ErrorState, SkeletonRows, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';

interface NoRowsProps {
  list: { readonly data: unknown; readonly error: { readonly failure: Failure } | null; refetch(): unknown };
  /** Shown if the list is empty. */
  none: ReactNode;
  /** The title of an error. Without it the error's sentence is the title. */
  failed?: string;
  /** How many rows the skeleton has. */
  rows?: number;
}

/** Takes the place of a list's rows while there are none: it could not be read, it is empty, or it is loading. */
export function NoRows({ list, none, failed, rows = 6 }: NoRowsProps) {
  const texts = useText();
  if (list.error) {
    const sentence = failureText(list.error.failure, texts);
    return (
      <ErrorState
        title={failed ?? sentence}
        action={{ label: texts.t('shell.try_again'), onPress: () => void list.refetch() }}
      >
        {failed && sentence}
      </ErrorState>
    );
  }
  return list.data ? none : <SkeletonRows rows={rows} label={texts.t('shell.loading')} />;
}
