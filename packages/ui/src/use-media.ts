import { useSyncExternalStore } from 'react';

/** The width from which a rail replaces the tabs. The style sheets repeat this value. */
export const DESK = '(min-width: 900px)';
/** The width from which trading pages show everything at once. */
export const TERMINAL = '(min-width: 1200px)';

/** True if a media query matches now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (tell) => {
      const media = matchMedia(query);
      media.addEventListener('change', tell);
      return () => media.removeEventListener('change', tell);
    },
    () => matchMedia(query).matches,
  );
}
