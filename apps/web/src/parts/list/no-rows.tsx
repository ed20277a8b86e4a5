import type { ReactNode } from 'react';
import { NotLoaded, type NotLoadedProps } from '../read/not-loaded.tsx';

interface NoRowsProps extends Omit<NotLoadedProps, 'read'> {
  list: NotLoadedProps['read'] & { readonly data: unknown };
  /** Shown if the list is empty. */
  none: ReactNode;
}

/** Shown in place of a list's rows: the list is loading, could not be read, or is empty. */
export function NoRows({ list, none, ...waiting }: NoRowsProps) {
  return list.data && !list.error ? none : <NotLoaded read={list} {...waiting} />;
}
