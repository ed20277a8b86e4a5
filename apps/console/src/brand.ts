import { brand as customers } from '@sathorn/brand/sathorn';

/** The customers' brand as the console uses it: English by default, with its own browser storage key. */
export const brand = { ...customers, locale: 'en', storage: 'console' } as const;

/** In which the customers' texts are written first, and what other languages fall back to. */
export const sourceLanguage = customers.locale;
