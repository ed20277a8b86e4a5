import type { Language } from '@sathorn/text';

/** The part of a brand that this package uses. An app's build replaces it with its own brand: `app()` in `vite/`. */
export const brand: {
  readonly baseUrl: string;
  readonly locale: Language;
  /** Prefix of the browser storage keys. Without it, two apps on the same origin would open each other's sessions. */
  readonly storage?: string;
} = { baseUrl: '', locale: 'th' };
