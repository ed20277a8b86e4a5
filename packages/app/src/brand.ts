import type { Language } from '@sathorn/text';

/** The part of a brand that this package uses. An app's build replaces it with its own brand: `app()` in `vite/`. */
export const brand: {
  readonly baseUrl: string;
  readonly locale: Language;
  /** Before what is kept in the browser, where two apps share an origin: one must not open the other's session. */
  readonly storage?: string;
} = { baseUrl: '', locale: 'th' };
