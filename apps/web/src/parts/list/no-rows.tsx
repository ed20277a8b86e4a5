import type { ReactNode } from 'react';
import { NotLoaded, type NotLoadedProps } from '../read/not-loaded.tsx';

interface NoRowsProps extends Omit<NotLoadedProps, 'read'> {
  list: NotLoadedProps['read'] & { readonly data: unknown };
  /** Shown if the list is empty. */
  none: ReactNode;
}

/** Takes the place of a list's rows while there are none: it could not be read, it is empty, or it is loading. */
export function NoRows({ list, none, ...waiting }: NoRowsProps) {
  return list.data && !list.error ? none : <NotLoaded read={list} {...waiting} />;
}
