import { brand } from '#brand';

/** A key in local storage. An app that shares its origin with another one has its own prefix. */
export const storedAs = (name: string): string => ('storage' in brand ? `${String(brand.storage)}.${name}` : name);
