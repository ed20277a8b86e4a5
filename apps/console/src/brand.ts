import { brand as customers } from '@sathorn/brand/sathorn';

/** The customers' brand as the console uses it: English by default, with its own browser storage key. */
export const brand = { ...customers, locale: 'en', storage: 'console' } as const;

/** The language in which texts for customers are written first. A missing translation falls back to it. */
export const sourceLanguage = customers.locale;
