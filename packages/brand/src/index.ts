import type { Brand } from './brand.ts';
import { brand as sathorn } from './sathorn.ts';

export type { Brand } from './brand.ts';

/**
 * Every brand that a server can be. A new one is a file beside this one, a line here, and a line of this package's
 * exports.
 */
const BRANDS: Readonly<Record<string, Brand>> = { sathorn };

export const DEFAULT_BRAND = 'sathorn';

/** Undefined when there is none of this name. */
export const brandNamed = (name: string): Brand | undefined => (Object.hasOwn(BRANDS, name) ? BRANDS[name] : undefined);
