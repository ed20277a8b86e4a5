import { returnToHash, writeHash } from '@sathorn/ui';
import { useSyncExternalStore } from 'react';

// The specification requires hash paths and its own navigation. A router would only read the hash and listen for
// changes: that is twenty lines here, but 13 kB of the first page's budget.

const watchers = new Set<() => void>();

function watch(listener: () => void): () => void {
  watchers.add(listener);
  addEventListener('hashchange', listener);
  return () => {
    watchers.delete(listener);
    removeEventListener('hashchange', listener);
  };
}

/** `#/pages/a?b=c` becomes `/pages/a?b=c`; an empty hash becomes `/`. */
export function addressInHash(hash: string): string {
  const address = withoutEscapes(hash.replace(/^#/, ''));
  return address.startsWith('/') ? address : `/${address}`;
}

/**
 * Removes escapes that somebody who passed the link on has added: an app's path contains none, and a query without one
 * contains no `%3D`.
 */
function withoutEscapes(address: string): string {
  const [path = '', ...rest] = address.split('?');
  const query = rest.join('?');
  try {
    const plain = decodeURIComponent(path);
    const given = query.includes('=') ? query : query.replace(/%3d/gi, '=').replace(/%26/g, '&');
    return given === '' ? plain : `${plain}${plain.includes('?') ? '&' : '?'}${given}`;
  } catch {
    return address;
  }
}

/** The address in the page's hash, updated for our own moves, links and the browser's buttons. */
export function useHashAddress(): string {
  return useSyncExternalStore(watch, () => addressInHash(location.hash));
}

function tellWatchers(): void {
  for (const listener of [...watchers]) listener();
}

/** `isReturn` marks a step back, for which the browser's history also goes back if possible. */
export function openAddress(address: string, { replaces, isReturn }: { replaces: boolean; isReturn: boolean }): void {
  const hash = `#${address}`;
  if (location.hash === hash) return;
  // Writing the hash through the history API fires no event, so the watchers are told here.
  if (isReturn) returnToHash(hash, tellWatchers);
  else writeHash(hash, replaces, tellWatchers);
}
