import type { Language } from '@sathorn/text';

/** The part of a brand that this package uses. An app's build replaces it with its own brand: `app()` in `vite/`. */
export const brand: { readonly baseUrl: string; readonly locale: Language } = { baseUrl: '', locale: 'th' };
