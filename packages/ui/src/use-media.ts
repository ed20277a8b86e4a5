import { useSyncExternalStore } from 'react';

/** From this width on a rail takes the place of the tabs. The style sheets repeat it. */
export const DESK = '(min-width: 900px)';
/** From this width on, pages of trading have room for everything at once. */
export const TERMINAL = '(min-width: 1200px)';

/** Whether a media query holds now. */
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
