import type { Brand } from './brand.ts';
import { brand as meridian } from './meridian.ts';
import { brand as sathorn } from './sathorn.ts';

export type { Brand } from './brand.ts';

/**
 * All brands that a server can have. To add one, add a file here, a line in this table, and an export of this package.
 */
const BRANDS: Readonly<Record<string, Brand>> = { sathorn, meridian };

export const DEFAULT_BRAND = 'sathorn';

/** Returns undefined if no brand has this name. */
export const brandNamed = (name: string): Brand | undefined => (Object.hasOwn(BRANDS, name) ? BRANDS[name] : undefined);
