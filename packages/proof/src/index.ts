export * from './canonical.ts';
export * from './hash.ts';
export * from './signature.ts';
