import { brand } from '#brand';

/** Returns a key in local storage. An app that shares its origin with another app has its own prefix. */
export const storageKeyOf = (name: string): string => ('storage' in brand ? `${String(brand.storage)}.${name}` : name);
