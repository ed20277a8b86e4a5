import { brand as customers } from '@sathorn/brand/sathorn';

/** The customers' brand, read by operators: English first, and what is kept in the browser under names of its own. */
export const brand = { ...customers, locale: 'en', storage: 'console' } as const;
