import type { Language } from '@sathorn/text';

/** What this package knows of a brand. An app's build puts its own brand in this place: `app()` in `vite/`. */
export const brand: { readonly baseUrl: string; readonly locale: Language } = { baseUrl: '', locale: 'th' };
