import { useSyncExternalStore } from 'react';

/** The width from which a rail replaces the tabs. The style sheets repeat this value. */
export const DESK_MEDIA_QUERY = '(min-width: 900px)';
/** The width from which trading pages show everything at once. */
export const TERMINAL_MEDIA_QUERY = '(min-width: 1200px)';

/** True if a media query matches now. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (tell) => {
      const media = matchMedia(query);
      media.addEventListener('change', tell);
      return () => media.removeEventListener('change', tell);
    },
    () => matchMedia(query).matches,
  );
}
