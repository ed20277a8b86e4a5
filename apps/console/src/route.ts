import { useSyncExternalStore } from 'react';

/** `#/customers/1000000001?tab=ledger`: page, case and filter are in the address, so every case has a link. */
interface Route {
  readonly page: string;
  readonly id: string | null;
  readonly filter: Readonly<Record<string, string>>;
}

export function parseRoute(hash: string): Route {
  // Somebody who passed the link on may have encoded it as a whole.
  const whole = /^#?%2f|^[^?]*%3f/i.test(hash) ? decodeURIComponent(hash) : hash;
  const [path = '', query = ''] = whole.replace(/^#?\/?/, '').split('?');
  const [page = '', id = ''] = path.split('/');
  return {
    page: decodeURIComponent(page) || 'dashboard',
    id: id === '' ? null : decodeURIComponent(id),
    filter: Object.fromEntries(new URLSearchParams(query)),
  };
}

export function routeHash(page: string, id?: string | null, filter: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString();
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ''}${query === '' ? '' : `?${query}`}`;
}

export function goToRoute(page: string, id?: string | null, filter?: Readonly<Record<string, string>>): void {
  location.hash = routeHash(page, id, filter);
}

const subscribe = (changed: () => void): (() => void) => {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
};

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => location.hash));
}
