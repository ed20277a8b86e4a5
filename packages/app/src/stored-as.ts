import { brand } from '#brand';

/** A name in local storage; an app that shares its origin with another has names of its own. */
export const storedAs = (name: string): string => ('storage' in brand ? `${String(brand.storage)}.${name}` : name);
